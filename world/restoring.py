"""Restore a town to its last commit when a run is opened."""

from collections.abc import Iterator, Mapping

from history.history import History
from history.moments import AgentState
from history.records import Intervention
from world.body_state import VISITOR
from world.engine import Engine
from world.inbox_reader import FAR

OF_THE_RUN = ("reembedded", "templates", "visitor_says")
"""Interventions that the town does not notice; visitors' lines are fetched by their talk
instead."""


def restore(engine: Engine, history: History, cast: tuple[str, ...]) -> None:
    """Restore the last committed state of bodies, minds and objects."""
    states = history.state_of(cast)
    done = {name: state.done for name, state in states.items() if state.done is not None}
    engine.begin(done, list(_list_pending_interventions(history, done)))
    if done:
        _restore_people(engine, history, states, cast, max(done.values()))
    if engine.entities is not None:
        engine.entities.restore()


def _restore_people(
    engine: Engine,
    history: History,
    states: Mapping[str, AgentState],
    cast: tuple[str, ...],
    tick: int,
) -> None:
    """Restore bodies, minds and objects as they were when a tick ended."""
    bodies = {name: state.body for name, state in states.items() if state.body is not None}
    for name, state in states.items():
        if state.mind is not None:
            engine.runner.saver.restore(name, state.mind.blob)
    minds = {name: engine.runner.saver.mind(name) for name in cast}
    seen = {name: mind.seen for name, mind in minds.items() if mind is not None}
    bodies |= history.visitors()
    engine.world.restore(tick, bodies, history.object_states(), seen)


def _list_pending_interventions(
    history: History, done: Mapping[str, int]
) -> Iterator[Intervention]:
    """Yield the interventions that are still to take effect for at least one agent."""
    first, last = min(done.values(), default=-1), max(done.values(), default=-1)
    told = {name: VISITOR.validate_json(body).told for name, body in history.visitors().items()}
    for each in history.interventions():
        if each.kind in OF_THE_RUN:
            continue
        if each.kind in FAR:
            # A visitor's body holds the tick at which it was last told something.
            if each.tick > max(first, told.get(each.target, -1)):
                yield each
        elif each.tick > done.get(each.target, last):
            yield each
