"""How a reply is read: syntax, form, names, numbers and choices, each mended where it is plain."""
