"""Answers of two variants judged blind, in the browser."""
