"""A run with mistakes, whose questions are rendered."""

from tests.fixtures.clumsy import clumsy, moments

__all__ = ["clumsy", "moments"]
