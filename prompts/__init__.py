"""Prompts: one Jinja template per cognitive step, checked against its input model."""
