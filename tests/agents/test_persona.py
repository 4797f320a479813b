"""A persona has what a person must have; `<random>` in its words is another place each day."""

import pytest
from pydantic import ValidationError

from agents.habits import Habits, Meal, Work
from agents.mind import KnownPlace
from agents.persona import Persona, Weights, is_wanderer, with_places_drawn

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

KNOWN = {
    "Oak House: bedroom": KnownPlace(owners=("Ann Moss",)),
    "Inn: bar": KnownPlace(),
    "Park: meadow": KnownPlace(),
    "Park: pond": KnownPlace(),
    'Smith\'s "Forge": yard': KnownPlace(),
    "Bank: hall": KnownPlace(),
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


def persona(activity: str = "strolling around <random>") -> Persona:
    """Ann, who works at the bank and wanders after it."""
    work = (Work(start="17:00", end="18:00", activity=activity),)
    return Persona(
        name="Ann Moss",
        age=40,
        innate="calm",
        learned="Ann counts money.",
        currently="Ann wonders where to go.",
        lifestyle="She rises at seven.",
        home="Oak House: bedroom",
        work="Bank: hall",
        daily_requirement="Ann must see something of the town.",
        habits=Habits(work=work),
    )


def drawn(day: int) -> str:
    """Where Ann strolls on a day."""
    work = with_places_drawn(persona(), KNOWN, 7, day).habits.work
    assert work is not None
    return work[0].activity.removeprefix("strolling around ")


def test_each_day_has_a_place_of_its_own_and_it_is_public_and_not_ones_own() -> None:
    places = {drawn(day) for day in range(40)}
    assert places == {"Inn", "Park", 'Smith\'s "Forge"'}
    assert [drawn(day) for day in range(9)] == [drawn(day) for day in range(9)]


def test_two_wandering_places_are_drawn_apart() -> None:
    both = [
        with_places_drawn(persona("going from <random> to <random>"), KNOWN, day)
        for day in range(20)
    ]
    texts = {each.habits.work[0].activity for each in both if each.habits.work}
    assert len(texts) > 3
    assert not any("<random>" in text for text in texts)


def test_only_who_names_a_wandering_place_wanders() -> None:
    assert is_wanderer(persona())
    assert not is_wanderer(persona("strolling around the Park"))
    lunch = Habits.model_validate(
        {"meals": {"lunch": {"start": "12:00", "activity": "lunch at <random>"}}}
    )
    assert isinstance(lunch.meals.lunch, Meal)
    assert is_wanderer(persona("resting").model_copy(update={"habits": lunch}))
