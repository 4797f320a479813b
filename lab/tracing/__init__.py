"""Traces that explain a mind: a thought as a tree of spans, at home and elsewhere."""
