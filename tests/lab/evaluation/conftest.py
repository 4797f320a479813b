"""A run with mistakes, whose moments are asked again."""

from tests.fixtures.clumsy import clumsy, moments

__all__ = ["clumsy", "moments"]
