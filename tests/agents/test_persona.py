"""A persona is held to what a person must have."""

import pytest
from pydantic import ValidationError

from smolville.agents.persona import Persona

ADA = {
    "name": "Ada Brook",
    "age": 34,
    "innate": "warm, quick",
    "learned": "Ada Brook runs the café.",
    "currently": "Ada Brook wants to invite everybody.",
    "lifestyle": "Ada Brook wakes up around 6am.",
    "home": "Fern Cottage: bedroom",
    "daily_requirement": "Open the café at 8am.",
}


@pytest.mark.parametrize("field", sorted(ADA))
def test_what_every_persona_needs_cannot_be_left_out(field):
    with pytest.raises(ValidationError, match=field):
        Persona(**{name: value for name, value in ADA.items() if name != field})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Ada"),
        ("name", "Ada/Bea Brook"),
        ("age", 121),
        ("vision", 0),
        ("recency_decay", 1.01),
        ("reflection_threshold", 0),
        ("daily_requirement", ""),
        ("relationships", {"Ben Hollis": ""}),
        ("shoe_size", 42),
        ("weights", {"recency": -1}),
    ],
)
def test_what_cannot_be_is_refused(field, value):
    with pytest.raises(ValidationError, match=field):
        Persona(**ADA | {field: value})
