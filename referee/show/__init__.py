"""Views and other documents as a person reads them: no more than the file itself holds."""
