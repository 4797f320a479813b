"""The mind graph and its phases for Studio: one thought, with all its inputs given in a form."""

from dataclasses import replace
from typing import Any, cast

from smolville.agents.mind import Mind
from smolville.agents.plan import DayPlan
from smolville.agents.times import clock, minute_of
from smolville.graphs.alone import persona_of, thinker_alone
from smolville.graphs.context import Thinker, context_of
from smolville.graphs.mind import MindGraph, PhaseGraph, build_mind, build_phase
from smolville.graphs.noteworthy import noteworthy
from smolville.graphs.rate_importance import MOST
from smolville.graphs.replan import window
from smolville.graphs.routing import Phase
from smolville.graphs.scenes import ROSA
from smolville.graphs.state import MindSeen, MindState
from smolville.graphs.studio.form import (
    Form,
    FormError,
    FormMemory,
    StepTold,
    StudioRecord,
    WhoAnswered,
    describe_steps,
    memories_of,
)
from smolville.graphs.studio.graph import GraphResources, StudioGraph, studio_graph
from smolville.graphs.studio.moment import (
    TIME,
    KnownRoom,
    PersonInSight,
    day_plan,
    known_places,
    memories_at,
    present_action,
    read_time,
    senses_of,
    with_gaps,
)
from smolville.graphs.surroundings import Intent
from smolville.parsers.prompt_inputs import PersonaInput, PlannedCard

HOURS_AGO = (15.1, 21.8, 64.5, 2.9)
"""Ages in hours of Rosa's memories at 09:10 on Monday."""


class MindForm(Form):
    """One moment of one person."""

    me: PersonaInput = ROSA.me
    """The person who thinks."""
    requirement: str = ROSA.usual
    """The person's requirement for an ordinary day."""
    time: str = TIME
    place: str = ROSA.place
    """Where the person is, as `sector: arena`."""
    doing: str = ROSA.doing
    """What the person is doing, without the name; empty if nothing has been done yet."""
    until: str = ROSA.until
    """Clock time at which that activity ends. If it is over, the person needs a new action."""
    planned: tuple[PlannedCard, ...] = tuple(
        PlannedCard(time=time, activity=activity) for time, activity in ROSA.strokes
    )
    """The day's plan, each entry with its start. If it is empty, the day is planned first."""
    people: tuple[PersonInSight, ...] = tuple(
        PersonInSight(
            name=each.name,
            doing=each.doing,
            relationship=each.relationship,
            can_talk=each.can_talk,
        )
        for each in ROSA.people
    )
    """The people in sight, nearest first."""
    rooms: tuple[KnownRoom, ...] = tuple(
        KnownRoom(place=place, objects=objects) for place, objects, _ in ROSA.places
    )
    """The places that the person knows. The place where the person is counts as in sight."""
    memories: tuple[FormMemory, ...] = memories_of(ROSA, HOURS_AGO)
    """The person's memories."""
    inner_voice: str = ""
    """What an inner voice whispers at this moment; empty for none."""


class PlanRecord(StudioRecord):
    """One entry of the plan."""

    time: str
    activity: str
    place: str
    """Address of the activity's place; empty until one is chosen."""


class IntentRecord(StudioRecord):
    """The intent that a thought ends with: the action or talk that the agent wants to begin."""

    activity: str
    place: str
    until: str
    """Clock time at which the action ends."""
    talk_to: str
    """Name of a person to talk to; empty for none."""
    reason: str


class MemoryRecord(StudioRecord):
    """A new memory."""

    kind: str
    text: str
    importance: int | None
    """Importance; None while the memory is unrated."""


class MindDone(WhoAnswered):
    """The results of one thought."""

    intent: IntentRecord | None
    """The intent; None if the person continues as before."""
    plan: tuple[PlanRecord, ...]
    """The plan of the day after the thought."""
    remembered: tuple[MemoryRecord, ...]
    nodes: tuple[str, ...]
    """The nodes of the mind graph that ran."""
    steps: tuple[StepTold, ...]
    """How each step ended."""


def build_mind_form() -> StudioGraph:
    """Return the mind graph that takes a form."""
    return _behind_form("mind", build_mind(False))


def build_phase_form(phase: Phase) -> StudioGraph:
    """Return the graph of one phase that takes the mind's form.

    The phase runs whatever its condition. The graph raises FormError if the phase has nothing to
    work on.
    """
    return _behind_form(phase.way.to, build_phase(phase))


def _check(name: str, state: MindSeen, me: Thinker) -> None:
    """Raise FormError if a phase has nothing to work on."""
    if name == "action" and state.mind.plan is None:
        raise FormError("`planned`: the phase `action` needs a plan; give at least one entry.")
    if name == "rating" and not state.rating:
        raise FormError("`memories`: there is nothing to rate; give at least one.")
    at = me.surroundings.at
    if name == "reaction" and not noteworthy(state, me) and window(state.mind, at) is None:
        raise FormError(
            "`people`: nobody new is there to be decided about, and too little of the present "
            "hour is left to be planned anew."
        )


def _behind_form(name: str, graph: MindGraph | PhaseGraph) -> StudioGraph:
    """Return a graph of a thought that takes a form."""

    async def live(form: MindForm, opened: GraphResources) -> WhoAnswered:
        me = _thinker(form)
        mind = _mind(form, me)
        if name == "planning" and mind.plan is not None:
            mind = replace(mind, plan=with_gaps(mind.plan))
        start = MindSeen(agent=me.name, mind=mind, fresh=me.surroundings.percepts())
        if name == "rating":
            start.rating = tuple(memory.id for memory in me.stream.latest(MOST))
        _check(name, start, me)
        context = context_of(me, opened.client)
        done = await graph.ainvoke(cast(Any, start), context=context, version="v2")
        return _to_mind_done(done.value, opened.why)

    return studio_graph(name, MindForm, MindDone, live, graph)


def _thinker(form: MindForm) -> Thinker:
    """Return the thinker that a form describes."""
    at = read_time(form.time)
    known = {each.name: each.relationship for each in form.people if each.relationship}
    senses = senses_of(
        at=at,
        place=form.place,
        action=present_action(form.doing, form.place, form.until, at),
        people=form.people,
        rooms=form.rooms,
        inner_voice=form.inner_voice,
    )
    persona = persona_of(form.me, form.requirement, known)
    return thinker_alone(persona, senses, memories_at(form.me.name, form.memories, at))


def _mind(form: MindForm, me: Thinker) -> Mind:
    """Return the mind before the thought."""
    persona = me.persona
    return Mind(
        name=persona.name,
        currently=persona.currently,
        requirement=persona.daily_requirement,
        plan=day_plan(form.planned, me.surroundings.at),
        places=known_places(form.rooms, persona.home),
    )


def _to_mind_done(state: MindState, why: str) -> MindDone:
    """Return the result of a thought as plain values."""
    draft = state.draft
    ratings = {change.id: change.value for change in draft.changes if change.kind == "rate"}
    return MindDone(
        intent=_wish(state.intent),
        plan=_entries(state.mind.plan),
        remembered=tuple(
            MemoryRecord(
                kind=each.kind, text=each.text, importance=ratings.get(each.id, each.importance)
            )
            for each in draft.memories
        ),
        nodes=tuple(state.path),
        steps=describe_steps(state.finished),
        answered_by=why,
    )


def _wish(intent: Intent | None) -> IntentRecord | None:
    """Return an intent as plain values."""
    if intent is None:
        return None
    action = intent.action
    return IntentRecord(
        activity=action.activity if action else "",
        place=action.place if action else "",
        until=clock(minute_of(action.end)) if action else "",
        talk_to=intent.start_talk,
        reason=intent.reason,
    )


def _entries(plan: DayPlan | None) -> tuple[PlanRecord, ...]:
    """Return a plan's blocks, as plain values."""
    return tuple(
        PlanRecord(
            time=block.span(),
            activity=block.activity,
            place=block.spot.place if block.spot else "",
        )
        for block in (plan.blocks if plan else ())
    )
