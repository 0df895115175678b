"""A view as a person reads it. Reads views only, so it cannot show more than they hold."""
