"""What a day holds before a shop is opened, which code plans for a small model."""

import pytest

from graphs.frame.errands import errand_before_opening
from graphs.plan_day import asked_about, choose, fallback
from graphs.prompt_inputs import PersonaInput
from models.standin.rule import Dice
from tests.graphs.test_speech_acts import person

NAMES = ("Ada Brook", "Ada")
MONDAY = "Monday 6 May"
OPENS = "Ada opens the Mill Cafe at 8am and works at the counter until 5pm."


@pytest.mark.parametrize(
    ("requirement", "errand"),
    [
        ("She fetches bread from the Bakery before opening.", "fetching bread from the Bakery"),
        ("Ada feeds her hens before she opens and naps at noon.", "feeding her hens"),
        ("On Tuesdays she fetches fish before opening.", ""),
        (OPENS, ""),
    ],
)
def test_an_errand_is_read_from_what_a_day_must_hold(requirement, errand):
    assert errand_before_opening(requirement, NAMES, MONDAY) == errand


def _ada() -> PersonaInput:
    """Return the owner of a café."""
    return person(NAMES[0]).model_copy(
        update={
            "learned": "Ada Brook owns the Mill Cafe.",
            "lifestyle": "Ada wakes up at 6am and has breakfast at 6:30am.",
            "work": "Mill Cafe: room",
        }
    )


def test_the_hour_before_opening_is_for_the_errand_and_waking_leaves_time_to_wash():
    asked = asked_about(_ada(), MONDAY, f"{OPENS} She fetches bread before opening.", ())
    assert asked.wakes == ("05:30", "06:00", "06:30")
    chosen = choose(asked, Dice("errand"))
    assert chosen.prepared[0] == ("fetching bread",)
    assert chosen.wakes == ("05:30", "06:00")
    assert not any("washing" in each.activity for each in chosen.stands)
    assert fallback(chosen).wake == 6 * 60


def test_on_the_eve_of_their_party_a_host_gets_ready_and_on_a_day_of_rain_nobody_plans_a_walk():
    rain = {"weather": "rain in the morning, 7 degrees"}
    asked = asked_about(_ada(), MONDAY, OPENS, ())
    eve = choose(asked, Dice("eve"), party="getting ready for the lantern party")
    assert ("getting ready for the lantern party",) in eve.prepared
    for turn in range(20):
        wet = choose(asked.model_copy(update=rain), Dice("wet", turn))
        told = " ".join(idea for part in wet.prepared for idea in part)
        assert "walk" not in told and "exercis" not in told
