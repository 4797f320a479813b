"""Tools for prompt templates: show, render, lint, list and copy them."""
