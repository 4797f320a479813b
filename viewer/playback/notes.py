"""The notes of the feed: everything it shows besides deeds and talks.

A note is its tick, the number of the person (-1 for nobody), its kind and its text. The kinds are:

About people's thoughts: `insight` (of a reflection), `keeps` (what somebody keeps of a talk),
`thought`, `dream`, `plan` (for a day).

About events from outside: `whisper`, `object`, `past`, `announcement`, `visit`, `call`, `leaves`,
`reembedded`, `templates`, `fork`, and any other kind of intervention by its own name.

About entities other than people: the kinds of their happenings (`agents.entities`).

About problems: `failure`, `repaired`, `escalated` and `fallback`, each with the steps concerned.

After these four values, a problem of an entity has the entity's name.
"""

from itertools import groupby
from json import dumps, loads
from typing import Any

from smolville.agents.entities import ENTITIES
from smolville.agents.wording import join_words
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.moments import happenings_between, interventions_after
from smolville.history.records import Intervention
from smolville.reports.from_outside import is_told, outside_words
from smolville.reports.stretches import spoken_place
from smolville.viewer.playback.person import mind_in
from smolville.viewer.playback.run_state import RunState

Note = list[Any]
KINDS = {
    "object_state": "object",
    "history": "past",
    "visitor_enters": "visit",
    "visitor_calls": "call",
    "visitor_leaves": "leaves",
}
"""Note kinds of interventions, for those whose two names differ."""
TROUBLED = OUTCOMES[OUTCOMES.index("repaired") :]
"""Outcomes of steps for which a note is made."""

_NEW = "WHERE tick > ? AND tick <= ?"
_IN_LIST = "IN (SELECT value FROM json_each(?))"
_THOUGHTS = (
    f"SELECT id, agent, kind, text, tick FROM memories {_NEW} "  # noqa: S608
    "AND kind IN ('thought', 'dream') ORDER BY tick, n"
)
_PLANNED = (
    f"SELECT thoughts.agent, tick, blob FROM thoughts JOIN minds USING (agent, tick) {_NEW} "  # noqa: S608
    "AND failed = '' AND stimuli LIKE '%\"new_day\"%' ORDER BY tick, thoughts.agent"
)
_FAILED = f"SELECT tick, agent, failed FROM thoughts {_NEW} AND failed != '' ORDER BY tick, agent"  # noqa: S608
_TROUBLED = (
    f"SELECT tick, agent, outcome, step FROM steps {_NEW} AND outcome {_IN_LIST} "  # noqa: S608
    "ORDER BY tick, agent, outcome, owner, n"
)


def notes(showing: RunState, since: int) -> list[Note]:
    """Return the notes of the ticks after `since`, in order."""
    acts = [
        each for each in interventions_after(showing.connection, -1) if each.tick <= showing.until
    ]
    found = [
        *_fork(showing, since),
        *_interventions(showing, since, acts),
        *(
            [each.tick, showing.number(each.who), each.kind, each.text]
            for each in happenings_between(showing.connection, since + 1, showing.until)
        ),
        *_plans(showing, since),
        *_thoughts(showing, since, acts),
        *(
            _trouble(showing, tick, agent, "failure", failed)
            for tick, agent, failed in showing.rows_since(since, _FAILED)
        ),
        *_troubles(showing, since),
    ]
    return sorted(found, key=lambda note: note[0])


def _fork(showing: RunState, since: int) -> list[Note]:
    spec = showing.folder.spec
    if not spec.forked_from or spec.forked_at is None:
        return []
    text = f"Forked from {spec.forked_from}: from here on the two may differ"
    is_new = since < spec.forked_at <= showing.until
    return [[spec.forked_at, -1, "fork", text]] if is_new else []


def _interventions(showing: RunState, since: int, acts: list[Intervention]) -> list[Note]:
    return [
        [each.tick, showing.number(each.target), KINDS.get(each.kind, each.kind), _describe(each)]
        for each in acts
        if each.tick > since and is_told(each)
    ]


def _plans(showing: RunState, since: int) -> list[Note]:
    found = []
    for agent, tick, blob in showing.rows_since(since, _PLANNED):
        mind = mind_in(showing.unpacker.unpack(blob))
        plan = mind["plan"] if mind else None
        if plan and plan["strokes"]:
            strokes = join_words([activity for _, activity in plan["strokes"]])
            found.append([tick, showing.number(agent), "plan", strokes])
    return found


def _thoughts(showing: RunState, since: int, acts: list[Intervention]) -> list[Note]:
    """Return the notes of people's thoughts and dreams in the ticks after `since`.

    Left out are plans, and thoughts from the past that people were given at the start.
    """
    given = {each.target for each in acts if each.kind == "history" and each.tick == 0}
    found = []
    for key, agent, kind, text, tick in showing.rows_since(since, _THOUGHTS):
        if "/plan_" in key or (tick == 0 and agent in given):
            continue
        told = "insight" if "/reflect_insights/" in key else kind
        told = "keeps" if "/conclude_talk/" in key else told
        found.append([tick, showing.number(agent), told, text])
    return found


def _troubles(showing: RunState, since: int) -> list[Note]:
    """Return the steps whose first answer was not accepted: one note per thought and outcome."""
    rows = showing.rows_since(since, _TROUBLED, dumps(TROUBLED))
    found: list[Note] = []
    for (tick, agent, outcome), group in groupby(rows, key=lambda cells: cells[:3]):
        steps = ", ".join(dict.fromkeys(step for *_, step in group))
        found.append(_trouble(showing, tick, agent, outcome, steps))
    return found


def _trouble(showing: RunState, tick: int, agent: str, kind: str, text: str) -> Note:
    """Return the note of a problem; an entity has no number, so its name is added at the end."""
    note = [tick, showing.number(agent), kind, text]
    return [*note, agent] if agent in ENTITIES else note


def _describe(each: Intervention) -> str:
    match each.kind:
        case "object_state":
            return f"{spoken_place(each.target)} is now: {each.text}"
        case "reembedded" | "templates":
            return " ".join(outside_words(each))
        case "visitor_enters" | "visitor_calls":
            return str(loads(each.text).get("about", ""))
        case "visitor_leaves":
            return "leaves the town"
    return each.text
