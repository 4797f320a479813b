"""Advance the plot: the next instalment of a story that reaches the town bit by bit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from smolville.agents.entities import PLOT, Act, Happening, PublicPlace, Resident
from smolville.agents.times import at_of, date_text, day_of
from smolville.graphs.context import MindContext
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.state import EntityState
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.advance_plot import AdvancePlotInput, PlotTurn

MOST_OFFERED = 10
"""Maximum number of people, and of places, that are offered."""
LETTER_DAYS = 3
"""Days for which a letter lies at its place; whoever reads it remembers it."""
MOST_TURNS = 4
"""Number of turns after which an act is over, whatever the model says."""


def current_act(state: EntityState) -> Act | None:
    """Return the current act of the story; None when the story is over, or there is none."""
    acts = () if state.plot is None else state.plot.acts
    return acts[state.mind.act] if state.mind.act < len(acts) else None


def people_of(state: EntityState) -> Sequence[Resident]:
    """Return the possible recipients of a letter: residents whom the act is about, or else all."""
    act = current_act(state)
    about = [each for each in state.setting.people if act is not None and each.name in act.people]
    return (about or list(state.setting.people))[:MOST_OFFERED]


def context(inputs: AdvancePlotInput) -> dict[str, Any]:
    """Return the numbered people and places, against which an answer is checked."""
    return {
        "persons": dict(enumerate(inputs.residents, 1)),
        "places": dict(enumerate(inputs.places, 1)),
    }


def choices(inputs: AdvancePlotInput) -> Choices:
    """Return the possible kinds of instalment, and the allowed numbers of people and places."""
    letter = ["letter"] if inputs.residents else []
    kinds = [*letter, *(["notice"] if inputs.places else []), "news"]
    return {
        "kind": kinds,
        "person": list(range(1, len(inputs.residents) + 1)) or [0],
        "place": list(range(1, len(inputs.places) + 1)) or [0],
    }


def fallback(inputs: AdvancePlotInput) -> PlotTurn:
    """Return news made of the act's own words."""
    return PlotTurn(kind="news", person=1, place=1, text=inputs.act[:160], act_is_over=True)


def standin(inputs: AdvancePlotInput, dice: Dice) -> RuleAnswer:
    """Return the act in its own words, as a letter, a notice or news."""
    kind = dice.pick(choices(inputs)["kind"], "kind")
    sentences = [each.strip() for each in inputs.act.split(". ") if each.strip()]
    told = sentences[min(len(inputs.before), len(sentences) - 1)].rstrip(".")
    answer = {
        "kind": kind,
        "person": 1 + dice.draw("person") % len(inputs.residents),
        "place": 1 + dice.draw("place") % max(1, len(inputs.places)),
        "text": f"{told}."[:160],
        "act_is_over": dice.fraction("over") < 0.5,
    }
    return RuleAnswer(answer, used=(told[:120],))


async def gather(state: EntityState, context: MindContext) -> StepInputs[AdvancePlotInput]:
    """Return the act, the earlier instalments, and the people and places to choose from."""
    act = current_act(state)
    assert act is not None and state.plot is not None
    inputs = AdvancePlotInput(
        town=state.setting.town,
        title=state.plot.title,
        places=tuple(each.name for each in state.setting.places[:MOST_OFFERED]),
        date=date_text(state.start_date, day_of(state.at)),
        residents=tuple(each.name for each in people_of(state)),
        act=act.summary,
        before=tuple(each.text for each in state.mind.made[-6:]),
    )
    return StepInputs(inputs=inputs)


def apply(
    state: EntityState, context: MindContext, result: StepResult[AdvancePlotInput, PlotTurn]
) -> Changes:
    """Let the letter, notice or news arrive; go on to the next act when this one is complete."""
    answer, mind = result.answer, state.mind
    person = people_of(state)[answer.person - 1]
    places = state.setting.places
    place = places[answer.place - 1] if places else None
    made = (_arrival(state, context.tick, answer, person, place),)
    turns = mind.turns + 1
    is_over = answer.act_is_over or turns >= MOST_TURNS
    mind = replace(
        mind,
        made=mind.remembering(made),
        act=mind.act + is_over,
        turns=0 if is_over else turns,
    )
    return {"made": made, "mind": mind}


def _arrival(
    state: EntityState, tick: int, answer: PlotTurn, person: Resident, place: PublicPlace | None
) -> Happening:
    today = day_of(state.at)
    until = at_of(today + 1, 0)
    if answer.kind == "letter":
        return Happening(
            entity=PLOT,
            tick=tick,
            kind="letter",
            text=f"A letter for {person.name} says: {answer.text}",
            place=person.home,
            who=person.name,
            until=at_of(today + LETTER_DAYS, 0),
        )
    if answer.kind == "notice" and place is not None:
        text = f"A notice at {place.name} says: {answer.text}"
        return Happening(
            entity=PLOT, tick=tick, kind="notice", text=text, place=place.front, until=until
        )
    where = place.front if place is not None else ""
    text = f"News: {answer.text}"
    return Happening(entity=PLOT, tick=tick, kind="news", text=text, place=where, until=until)


def sample(scene: Scene) -> AdvancePlotInput:
    """Return sample inputs for the prompt, made from a scene."""
    return AdvancePlotInput(
        town=f"The town of {scene.me.first_name}.",
        title=f"What {scene.me.first_name} did not know",
        places=scene.sectors,
        date=scene.date,
        residents=(scene.me.name, *(each.name for each in scene.people)),
        act=f"Somebody from abroad looks for an old map. {scene.happened}",
        before=scene.events,
    )


STEP = Step(
    name="advance_plot",
    about="what arrives next of a story",
    seen=EntityState,
    inputs=AdvancePlotInput,
    answer=PlotTurn,
    gather=gather,
    apply=apply,
    fallback=fallback,
    standin=standin,
    sample=sample,
    context=context,
    choices=choices,
    tier="strong",
    temperature=0.9,
    max_tokens=200,
)
