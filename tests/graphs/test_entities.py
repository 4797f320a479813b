"""The world's and the plot's turns: what a model is asked, and what comes of its answers."""

from datetime import date

from smolville.agents.entities import (
    PLOT,
    WORLD,
    Act,
    EntityMind,
    Plot,
    PublicPlace,
    Resident,
    Setting,
)
from smolville.agents.times import at_of
from smolville.graphs.choose_happening import STEP as HAPPENING
from smolville.graphs.context import MindContext
from smolville.graphs.entities import take_turn
from smolville.graphs.state import EntityState
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import desk_of
from tests.graphs.replies import good

SETTING = Setting(
    town="A street.",
    places=(
        PublicPlace(name="Copper Kettle", front="Copper Kettle: counter room"),
        PublicPlace(name="Willow Park", front="Willow Park: lawn"),
    ),
    people=(
        Resident(name="Ada Brook", home="Fern Cottage: bedroom"),
        Resident(name="Ben Hollis", home="Plum Cottage: bedroom"),
    ),
)
STORY = Plot(
    title="A key",
    acts=(
        Act(summary="Somebody looks for a key.", people=("Ben Hollis",)),
        Act(summary="It fits."),
    ),
)
HAPPENS = {
    "weather": "Rain falls on the roofs.",
    "kind": "news",
    "place": 1,
    "text": "No bus today.",
}
LETTER = {
    "kind": "letter",
    "person": 1,
    "place": 1,
    "text": "Who knows this key?",
    "act_is_over": False,
}


class Entity:
    """An entity that takes turns with scripted answers, and keeps its mind."""

    def __init__(self, name: str, *replies: dict[str, object] | str, seed: int = 7) -> None:
        step = HAPPENING.name if name == WORLD else "advance_plot"
        self.model = Scripted(replies={step: list(replies)}, otherwise=good)
        self.client = desk_of(self.model, seed=seed)
        self.mind = EntityMind(name=name)

    async def turn(self, day: int = 1, minute: int = 360):
        """Take one turn, and keep what it left."""
        at = at_of(day, minute)
        name = self.mind.name
        context = MindContext(owner=name, tick=at // 10, thinkers={}, client=self.client)
        start = EntityState(
            agent=name,
            mind=self.mind,
            at=at,
            start_date=date(2024, 5, 6),
            setting=SETTING,
            plot=STORY,
        )
        done = await take_turn(context, start)
        self.mind = done.mind
        return done


def _busy_seed(day: int = 1, minute: int = 360) -> int:
    """A seed with which something may happen at that time."""
    from smolville.agents.chance import fraction

    tick = at_of(day, minute) // 10
    return next(seed for seed in range(99) if fraction(seed, WORLD, tick, "kinds") < 0.5)


def _quiet_seed() -> int:
    from smolville.agents.chance import fraction

    return next(seed for seed in range(99) if fraction(seed, WORLD, 2160, "kinds") >= 0.5)


async def test_in_a_quiet_hour_the_weather_is_told_by_rule_and_nobody_is_asked() -> None:
    world = Entity(WORLD, seed=_quiet_seed())
    done = await world.turn()
    assert [each.kind for each in done.made] == ["weather"]
    assert done.made[0].text.startswith("The weather in the morning: ")
    assert (world.model.asked, done.path) == ([], ["look_at_sky"])


async def test_what_the_world_chooses_happens_with_the_weather_in_its_words() -> None:
    world = Entity(WORLD, HAPPENS, seed=_busy_seed())
    done = await world.turn()
    weather, news = done.made
    assert weather.text.endswith("degrees. Rain falls on the roofs.")
    assert (news.kind, news.text, news.place, news.until) == (
        "news",
        "News: No bus today.",
        "Copper Kettle: counter room",
        86_400,
    )
    assert done.mind.made == done.made
    assert done.path == ["look_at_sky", "choose_happening"]


async def test_a_place_is_chosen_by_its_number() -> None:
    market = {**HAPPENS, "kind": "market", "place": 2, "text": "Eggs."}
    made = (await Entity(WORLD, market, seed=_busy_seed()).turn()).made[1]
    assert (made.place, made.until) == ("Willow Park: lawn", 64_800)
    assert made.text == "There is a market at Willow Park until 18:00. Eggs."


async def test_after_a_fallback_there_is_only_the_weather_by_rule() -> None:
    world = Entity(WORLD, *["no answer"] * 9, seed=_busy_seed())
    done = await world.turn()
    assert done.finished[0].record.outcome == "fallback"
    assert [each.kind for each in done.made] == ["weather"]


async def test_a_letter_lies_at_the_home_of_somebody_whom_the_act_is_about() -> None:
    plot = Entity(PLOT, LETTER)
    (letter,) = (await plot.turn(1, 540)).made
    assert (letter.who, letter.place) == ("Ben Hollis", "Plum Cottage: bedroom")
    assert letter.text == "A letter for Ben Hollis says: Who knows this key?"


async def test_acts_follow_each_other_until_the_story_is_over() -> None:
    over = {**LETTER, "kind": "news", "act_is_over": True}
    plot = Entity(PLOT, {**LETTER, "kind": "notice", "place": 2}, over, over)
    turns = [await plot.turn(day, 540) for day in (1, 2, 3, 4)]
    assert [done.mind.act for done in turns] == [0, 1, 2, 2]
    assert [each.kind for done in turns for each in done.made] == ["notice", "news", "news"]
    assert [asked.told["inputs"]["act"] for asked in plot.model.asked] == [
        *["Somebody looks for a key."] * 2,
        "It fits.",
    ]
    assert turns[-1].path == []
