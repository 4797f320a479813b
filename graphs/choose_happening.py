"""Choose what happens in town: the world's turn, with the weather in words."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.chance import fraction
from smolville.agents.entities import (
    PARTS,
    WORLD,
    Happening,
    HappeningKind,
    part_of_day,
    season_of,
    weather_at,
)
from smolville.agents.places import sector_of
from smolville.agents.times import DAY_SECONDS, at_of, clock, date_of, date_text, day_of, minute_of
from smolville.graphs.context import MindContext
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.state import EntityState
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.choose_happening import NOTHING, ChooseHappeningInput, TownHappening

MOST_PLACES = 12
"""Maximum number of places offered."""
HOW_OFTEN = 0.5
"""Probability that something may happen in a part of a day on which nothing has happened yet."""
_CLOSES, _DARK = 18 * 60, 3600
"""Minute of the day at which closings and markets end, and duration of a power cut in seconds."""
_STANDIN: dict[str, tuple[str, ...]] = {
    "closing": ("The heating has failed.", "The entrance is being repaired."),
    "market": ("Farmers sell cheese and early vegetables.", "There are old books and tools."),
    "power cut": ("A tree lies on the line.", "The main fuse has blown."),
    "news": ("The bus to the city does not go before Friday.", "The bridge gets a new coat."),
    NOTHING: ("It is a quiet time of day.",),
}
_SKY: dict[str, str] = {
    "clear": "The sky is wide and blue.",
    "cloudy": "Low clouds cover the hills.",
    "rain": "Rain runs down the windows.",
    "snow": "Snow lies on roofs and roads.",
    "fog": "Fog hides the ends of the streets.",
    "windy": "A gusty wind shakes the trees.",
    "a thunderstorm": "Thunder rolls over the valley.",
}


async def look_at_sky(state: EntityState, runtime: Runtime[MindContext]) -> Changes:
    """Set the weather by rule, and choose at random what may happen: one event a day at most."""
    context = runtime.context
    day, part = date_of(state.start_date, day_of(state.at)), part_of_day(minute_of(state.at))
    weather = weather_at(context.client.seed, day, part)
    told = f"The weather in the {part}: {weather}."
    made = _made(state, context.tick, "weather", told, until=state.at + DAY_SECONDS // 4)
    return {
        "weather": str(weather),
        "kinds": _kinds(state, context, part),
        "made": (made,),
        "mind": replace(state.mind, made=state.mind.remembering((made,))),
        "path": [*state.path, "look_at_sky"],
    }


def _kinds(state: EntityState, context: MindContext, part: str) -> tuple[str, ...]:
    """Return the kinds of event possible now; none if something has happened on this day."""
    day = day_of(state.at)
    begun = [each for each in state.mind.made if each.kind != "weather"]
    is_done = any(day_of(each.until - 1) == day for each in begun)
    chance = fraction(context.client.seed, WORLD, context.tick, "kinds")
    if is_done or not state.setting.places or chance >= HOW_OFTEN:
        return ()
    by_day = ("closing", "market") if part == PARTS[0][0] else ()
    return (*by_day, *(("power cut",) if part == PARTS[2][0] else ()), "news", NOTHING)


def _made(
    state: EntityState, tick: int, kind: HappeningKind, text: str, *, until: int, place: str = ""
) -> Happening:
    return Happening(entity=WORLD, tick=tick, kind=kind, text=text, place=place, until=until)


def context(inputs: ChooseHappeningInput) -> dict[str, Any]:
    """Return the places by number."""
    return {"places": dict(enumerate(inputs.places, 1))}


def choices(inputs: ChooseHappeningInput) -> Choices:
    """Return the allowed kinds of event, and the allowed numbers of places."""
    numbers = list(range(1, len(inputs.places) + 1)) or [0]
    return {"kind": list(inputs.kinds) if inputs.places else [NOTHING], "place": numbers}


def fallback(inputs: ChooseHappeningInput) -> TownHappening:
    """Return an answer without any happening, with the weather by rule."""
    told = f"It is {inputs.sky.partition(',')[0]} outside."
    return TownHappening(weather=told, kind=NOTHING, place=1, text="a quiet time of day")


def standin(inputs: ChooseHappeningInput, dice: Dice) -> RuleAnswer:
    """Return one of the small events that the stand-in knows."""
    kind = dice.pick(inputs.kinds, "kind")
    place = 1 + dice.draw("place") % max(1, len(inputs.places))
    sky = inputs.sky.partition(",")[0]
    answer = {
        "weather": _SKY.get(sky, f"There is {sky} outside."),
        "kind": kind,
        "place": place,
        "text": dice.pick(_STANDIN[kind], "text"),
    }
    return RuleAnswer(answer, used=(kind, sky))


async def gather(state: EntityState, context: MindContext) -> StepInputs[ChooseHappeningInput]:
    """Return the time, the weather, the places, and earlier events."""
    before = [each.text for each in state.mind.made if each.kind != "weather"]
    inputs = ChooseHappeningInput(
        town=state.setting.town,
        places=tuple(each.name for each in state.setting.places[:MOST_PLACES]),
        date=date_text(state.start_date, day_of(state.at)),
        season=season_of(date_of(state.start_date, day_of(state.at))),
        before=tuple(before[-5:]),
        part=part_of_day(minute_of(state.at)),
        sky=state.weather,
        kinds=state.kinds,
    )
    return StepInputs(inputs=inputs)


def apply(
    state: EntityState,
    context: MindContext,
    result: StepResult[ChooseHappeningInput, TownHappening],
) -> Changes:
    """Store the weather in the model's words and add the event; do neither after a fallback."""
    if result.is_fallback:
        return {}
    answer, (weather, *_) = result.answer, state.made
    worded: tuple[Happening, ...] = (replace(weather, text=f"{weather.text} {answer.weather}"),)
    if answer.kind != NOTHING:
        place = state.setting.places[answer.place - 1]
        worded = (*worded, _happening(state, context.tick, answer, place.name, place.front))
    kept = replace(state.mind, made=state.mind.made[:-1])
    return {"made": worded, "mind": replace(kept, made=kept.remembering(worded))}


def _happening(
    state: EntityState, tick: int, answer: TownHappening, name: str, front: str
) -> Happening:
    day = day_of(state.at)
    evening = at_of(day, _CLOSES)
    if answer.kind == "closing":
        told = f"{name} is closed today until {clock(_CLOSES)}. {answer.text}"
        return _made(state, tick, "closing", told, until=evening, place=sector_of(front))
    if answer.kind == "market":
        told = f"There is a market at {name} until {clock(_CLOSES)}. {answer.text}"
        return _made(state, tick, "market", told, until=evening, place=front)
    if answer.kind == "power cut":
        told = f"The lights are out at {name}. {answer.text}"
        return _made(state, tick, "power cut", told, until=state.at + _DARK, place=front)
    told = f"News: {answer.text}"
    return _made(state, tick, "news", told, until=at_of(day + 1, 0), place=front)


def sample(scene: Scene) -> ChooseHappeningInput:
    """Return sample inputs for the prompt, made from a scene."""
    is_early = scene.clock < "12:00"
    return ChooseHappeningInput(
        town=f"The town of {scene.me.first_name}.",
        places=scene.sectors,
        date=scene.date,
        season="spring" if is_early else "summer",
        before=scene.events,
        part="morning" if is_early else "afternoon",
        sky="rain, 9 degrees" if is_early else "clear, 24 degrees",
        kinds=("closing", "market", "news", NOTHING) if is_early else ("news", NOTHING),
    )


STEP = Step(
    name="choose_happening",
    about="what small thing happens in town",
    seen=EntityState,
    inputs=ChooseHappeningInput,
    answer=TownHappening,
    gather=gather,
    apply=apply,
    fallback=fallback,
    standin=standin,
    sample=sample,
    context=context,
    choices=choices,
    temperature=0.9,
    max_tokens=200,
)
