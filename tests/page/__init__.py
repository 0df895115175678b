"""The pages and what they are made of, under Node and in a browser."""
