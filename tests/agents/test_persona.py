"""A persona is held to what a person must have."""

import pytest
from pydantic import ValidationError

from smolville.agents.persona import Persona, Weights

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


def test_a_persona_has_defaults_for_what_is_optional():
    ada = Persona(**ADA)
    assert ada.first_name == "Ada"
    assert (ada.vision, ada.attention, ada.retention) == (8, 8, 8)
    assert ada.recency_decay == 0.995 and ada.reflection_threshold > 0
    assert ada.weights == Weights(recency=1, importance=1, relevance=1)
    assert ada.work == "" and ada.relationships == {} and ada.known_places == ()


@pytest.mark.parametrize("field", sorted(ADA))
def test_what_every_persona_needs_cannot_be_left_out(field):
    with pytest.raises(ValidationError, match=field):
        Persona(**{name: value for name, value in ADA.items() if name != field})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Ada"),
        ("name", "Ada  Brook"),
        ("name", " Ada Brook"),
        ("name", "Ada/Bea Brook"),
        ("age", 0),
        ("age", 121),
        ("vision", 0),
        ("vision", 41),
        ("attention", 0),
        ("retention", -1),
        ("recency_decay", 0),
        ("recency_decay", 1.01),
        ("reflection_threshold", 0),
        ("currently", "Busy."),
        ("daily_requirement", ""),
        ("relationships", {"Ben Hollis": ""}),
        ("shoe_size", 42),
        ("weights", {"recency": -1}),
        ("weights", {"novelty": 1}),
    ],
)
def test_what_cannot_be_is_refused(field, value):
    with pytest.raises(ValidationError, match=field):
        Persona(**ADA | {field: value})


def test_a_persona_never_changes():
    with pytest.raises(ValidationError, match="frozen"):
        Persona(**ADA).age = 35
