"""`<random>` in a persona's words is another public place on every day, and the same for a day."""

from smolville.agents.mind import KnownPlace, with_places_drawn
from smolville.agents.persona import Habits, Persona, Work

KNOWN = {
    "Oak House: bedroom": KnownPlace(owners=("Ann Moss",)),
    "Inn: bar": KnownPlace(),
    "Park: meadow": KnownPlace(),
    "Park: pond": KnownPlace(),
    'Smith\'s "Forge": yard': KnownPlace(),
    "Bank: hall": KnownPlace(),
}


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
