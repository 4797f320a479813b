"""The clean and sensible answers of a run, which may be shown as examples in later prompts."""

import sqlite3
from collections.abc import Iterator

from graphs.catalogue import STEPS
from graphs.loop.examples import KEPT
from graphs.loop.ledger import AcceptedAnswer, CallKey
from history.calls import Unpacker, find_call

_LATEST = (
    "SELECT owner, tick, step, ordinal, agent, answer FROM ("
    "SELECT *, row_number() OVER (PARTITION BY agent, step "
    "ORDER BY tick DESC, owner DESC, ordinal DESC) AS place "
    "FROM steps WHERE outcome = 'clean' AND odd_kinds = '[]') "
    "WHERE place <= ? ORDER BY tick, owner, step, ordinal"
)


def clean_answers(connection: sqlite3.Connection, unpacker: Unpacker) -> Iterator[AcceptedAnswer]:
    """Yield each agent's latest clean and sensible answers at each step, oldest first."""
    steps = {step.name: step for step in STEPS}
    for owner, tick, name, ordinal, agent, answer in connection.execute(_LATEST, (KEPT,)):
        key = CallKey(owner=owner, tick=tick, step=name, ordinal=ordinal, attempt=0)
        call = find_call(connection, unpacker, key)
        step = steps.get(name)
        if call is None or step is None:
            continue
        yield AcceptedAnswer(
            tick=tick,
            owner=owner,
            step=name,
            ordinal=ordinal,
            agent=agent,
            case=step.case(step.inputs.model_validate_json(call.inputs)),
            answer=answer,
        )
