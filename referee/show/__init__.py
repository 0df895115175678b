"""Views and other documents in words; nothing is shown that the file itself does not hold."""
