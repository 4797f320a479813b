"""What the tables of several commands share: cells, names and widths."""

import re

from smolville.agents.times import moment

ROOMY = 100
"""Screen width, in characters, from which every column is shown with its full heading."""
NONE = "·"
"""Shown instead of a number for something that did not occur."""


def short_model(model: str) -> str:
    """Return a model spec for lists, with `http://` and `/v1` removed from its server addresses."""
    return re.sub(r"https?://|/(?:v1/?)?(?= |$)", "", model)


def to_the_minute(at: int) -> str:
    """Return a town time without seconds, such as `1 07:12`."""
    return moment(at - at % 60)
