"""The notes of the feed: everything it shows besides deeds and talks.

A note is its tick, the number of the person (-1 for nobody), its kind and its text. The kinds are:

About people's thoughts: `insight` (of a reflection), `keeps` (what somebody keeps of a talk),
`thought`, `dream`, `plan` (for a day).

About events from outside: `whisper`, `object`, `past`, `announcement`, `sees` (somebody notices a
changed object), `hears` (somebody hears an announcement),
`reembedded`, `templates`, `fork`, and any other kind of intervention by its own name.

About visitors: `visit`, `call`, `walks`, `acts`, `turns`, `says` (once a talk), `leaves`.

About entities other than people: the kinds of their happenings (`agents.entities`).

About problems: `failure`, `repaired`, `escalated` and `fallback`, each with the steps concerned.

After these four values, a problem of an entity has the entity's name; `sees` has the text of the
change that it belongs to.
"""

from itertools import groupby
from json import dumps, loads
from typing import Any, get_args

from smolville.agents.entities import ENTITIES, HappeningKind
from smolville.agents.wording import join_words
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.moments import happenings_between, interventions_after
from smolville.history.records import Intervention
from smolville.reports.stretches import spoken_place
from smolville.viewer.playback.person import mind_in
from smolville.viewer.playback.run_state import RunState

Note = list[Any]
KINDS = {
    "object_state": "object",
    "history": "past",
    "visitor_enters": "visit",
    "visitor_calls": "call",
    "visitor_walks": "walks",
    "visitor_acts": "acts",
    "visitor_talks": "turns",
    "visitor_says": "says",
    "visitor_leaves": "leaves",
}
"""Note kinds of interventions, for those whose two names differ."""
TROUBLED = OUTCOMES[OUTCOMES.index("repaired") :]
"""Outcomes of steps for which a note is made."""
NOTED = (
    *("insight", "keeps", "thought", "dream", "plan"),
    *("whisper", "announcement", "sees", "hears", "reembedded", "templates"),
    *(*KINDS.values(), "fork"),
    *get_args(HappeningKind),
    *("failure", *TROUBLED),
)
"""All kinds of notes; the page has a text for each kind."""

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
_SEEN = (
    f"SELECT agent, tick, subject, object, text FROM memories {_NEW} "  # noqa: S608
    f"AND kind = 'event' AND subject {_IN_LIST} ORDER BY tick, n"
)


def notes(showing: RunState, since: int) -> list[Note]:
    """Return the notes of the ticks after `since`, in order."""
    acts = [
        each for each in interventions_after(showing.connection, -1) if each.tick <= showing.until
    ]
    changes = [each for each in acts if each.kind == "object_state"]
    found = [
        *_fork(showing, since),
        *_interventions(showing, since, acts),
        *_sightings(showing, since, changes),
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
    """Return what operators did, except the history with which a run begins.

    Of what a visitor says in a talk, only the first line is noted.
    """
    found, heard = [], set()
    for each in acts:
        kind = KINDS.get(each.kind, each.kind)
        if each.tick <= since or (kind == "past" and each.tick == 0):
            continue
        if kind == "says":
            said = loads(each.text)
            if not said.get("text") or said.get("talk") in heard:
                continue
            heard.add(said.get("talk"))
        found.append([each.tick, showing.number(each.target), kind, _describe(each)])
    return found


def _sightings(showing: RunState, since: int, changes: list[Intervention]) -> list[Note]:
    changed = {(each.target, each.text) for each in changes}
    wanted = dumps(sorted({target for target, _ in changed} | {"announcement"}))
    found = []
    for agent, tick, subject, state, text in showing.rows_since(since, _SEEN, wanted):
        if (subject, state) in changed:
            change = _describe_change(subject, state)
            found.append([tick, showing.number(agent), "sees", text, change])
        elif subject == "announcement":
            found.append([tick, showing.number(agent), "hears", state])
    return found


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


def _describe_change(address: str, state: str) -> str:
    return f"{spoken_place(address)} is now: {state}"


def _describe(each: Intervention) -> str:
    match each.kind:
        case "object_state":
            return _describe_change(each.target, each.text)
        case "reembedded":
            return f"Memories are compared by another embedder: {each.text}"
        case "templates":
            return f"From here on with another {join_words(each.target.split(', '))}"
        case "visitor_enters" | "visitor_calls":
            return str(loads(each.text).get("about", ""))
        case "visitor_says":
            return str(loads(each.text).get("text", ""))
        case "visitor_leaves":
            return "leaves the town"
        case "visitor_walks":
            return spoken_place(each.text)
    return each.text
