"""The reading of replies: syntax, form, names, numbers and choices, each mended if unambiguous."""
