"""The notes of the feed: everything it shows besides deeds and talks.

A note is its tick, the number of the person (-1 for nobody), its kind and its text. The kinds are:

About people's thoughts: `insight` (of a reflection), `keeps` (what somebody keeps of a talk),
`thought`, `dream`, `plan` (for a day).

About events from outside: `whisper`, `object`, `past`, `announcement`, `sees` (somebody notices a
changed object), `ended` (a change from outside is over), `hears` (somebody hears an announcement),
`reembedded`, `templates`, `fork`, and any other kind of intervention by its own name.

About visitors: `visit`, `call`, `walks`, `acts`, `turns`, `says` (once a talk), `leaves`.

About entities other than people: the kinds of their happenings (`agents.entities`).

About problems: `failure`, `repaired`, `escalated` and `fallback`, each with the steps concerned.

After these four values, a problem of an entity has the entity's name; `sees` and `ended` have the
text of the change that they belong to.
"""

from itertools import groupby
from json import dumps
from typing import Any, get_args

from smolville.agents.entities import ENTITIES, HappeningKind
from smolville.agents.wording import join_words
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.tables import has_table
from smolville.viewer.playback.damaged_history import HistoryQuery, within
from smolville.viewer.playback.outside_notes import KINDS, outside_notes
from smolville.viewer.playback.person import strokes_of
from smolville.viewer.playback.run_state import WITHIN, Note, RunState

TROUBLED = OUTCOMES[OUTCOMES.index("repaired") :]
"""Outcomes of steps for which a note is made."""
HAPPENED = get_args(HappeningKind)
"""Kinds of notes about happenings that entities other than people caused."""
NOTED = (
    *("insight", "keeps", "thought", "dream", "plan"),
    *("whisper", "announcement", "sees", "ended", "hears", "reembedded", "templates"),
    *(*KINDS.values(), "fork"),
    *HAPPENED,
    *("failure", *TROUBLED),
)
"""All kinds of notes; the pages have a text for each kind."""

_THOUGHTS = f"""
SELECT id, agent, kind, text, tick FROM memories
WHERE {WITHIN} AND kind IN ('thought', 'dream') ORDER BY tick, n
"""  # noqa: S608
_PLANNED = """
SELECT thoughts.agent, tick, blob FROM thoughts JOIN minds USING (agent, tick)
{within} AND failed = '' AND stimuli LIKE '%"new_day"%' ORDER BY tick, thoughts.agent
"""
_FAILED = "SELECT tick, agent, failed FROM thoughts {within} AND failed != '' ORDER BY tick, agent"
_TROUBLED = (
    f"SELECT tick, agent, outcome, step FROM steps WHERE {WITHIN} "  # noqa: S608
    "AND outcome IN (SELECT value FROM json_each(?)) ORDER BY tick, agent, outcome, owner, n"
)
_HAPPENED = (
    f"SELECT tick, kind, who, text FROM happenings WHERE {WITHIN} "  # noqa: S608
    "ORDER BY tick, rowid"
)


def notes(showing: RunState, since: int) -> list[Note]:
    """Return the notes of the ticks after `since`, in order."""
    found = [
        *outside_notes(showing, since),
        *_happenings(showing, since),
        *_plans(showing, since),
        *_thoughts(showing, since),
        *_failures(showing, since),
        *_troubles(showing, since),
    ]
    return sorted(found, key=lambda note: note[0])


def _happenings(showing: RunState, since: int) -> list[Note]:
    """Return happenings caused by entities other than people: weather, letters, closings."""
    if not has_table(showing.connection, "happenings"):
        return []

    def read(tick: int, kind: str, who: str, text: str) -> Note:
        return [tick, showing.people.number(who), kind, text]

    return showing.read_since(since, "happenings", _HAPPENED, read)


def _plans(showing: RunState, since: int) -> list[Note]:
    """Return people's plans for each day that begins after tick `since`."""
    number = showing.people.number

    def read(agent: str, tick: int, blob: bytes) -> Note:
        strokes = strokes_of(showing.unpacker.unpack(blob))
        return [tick, number(agent), "plan", join_words(strokes) if strokes else ""]

    rows = _read_thoughts(showing, since, "plans", _PLANNED, "thoughts.agent", read)
    return [note for note in rows if note[3]]


def _thoughts(showing: RunState, since: int) -> list[Note]:
    """Return the notes of people's thoughts and dreams in the ticks after `since`.

    Left out are plans, and thoughts from the past that people were given at the start.
    """
    number = showing.people.number
    carried = _list_given_history(showing)

    def read(key: str, agent: str, kind: str, text: str, tick: int) -> Note:
        told = "" if "/plan_" in key or (agent, tick) in carried else _kind(key, kind)
        return [tick, number(agent), told, text]

    return [note for note in showing.read_since(since, "memories", _THOUGHTS, read) if note[2]]


def _kind(key: str, kind: str) -> str:
    """Return the note kind of a thought, by the step that made it."""
    if "/reflect_insights/" in key:
        return "insight"
    return "keeps" if "/conclude_talk/" in key else kind


def _list_given_history(showing: RunState) -> set[tuple[str, int]]:
    """Return (agent, tick) for each person who was given a past at the start of the run."""
    query = "SELECT target, tick FROM interventions WHERE kind = 'history' AND tick = 0"
    asked = HistoryQuery(showing.connection, query)
    return set(showing.faults.read_rows("interventions", asked, lambda *cells: cells))


def _failures(showing: RunState, since: int) -> list[Note]:
    """Return the thoughts that failed."""

    def read(tick: int, agent: str, failed: str) -> Note:
        return _trouble(showing, tick, agent, "failure", failed)

    return _read_thoughts(showing, since, "thoughts", _FAILED, "agent", read)


def _troubles(showing: RunState, since: int) -> list[Note]:
    """Return the steps whose first answer was not accepted: one note per thought and outcome."""
    told = dumps(TROUBLED)
    rows = showing.read_since(since, "steps", _TROUBLED, lambda *cells: cells, told)
    found: list[Note] = []
    for (tick, agent, outcome), group in groupby(rows, key=lambda cells: cells[:3]):
        steps = dict.fromkeys(str(step) for *_, step in group)
        found.append(_trouble(showing, tick, agent, outcome, ", ".join(steps)))
    return found


def _trouble(showing: RunState, tick: int, agent: str, kind: str, text: str) -> Note:
    """Return the note of a problem that a person or an entity had.

    Since an entity has no number, its name is added at the end.
    """
    note = [tick, showing.people.number(agent), kind, text]
    return [*note, agent] if agent in ENTITIES else note


def _read_thoughts(
    showing: RunState, since: int, what: str, query: str, column: str, read: Any
) -> list[Any]:
    """Return the readable rows about thoughts of people and entities after `since`."""
    given = (dumps([*showing.people.names, *ENTITIES]),) if since >= 0 else ()
    asked = query.format(within=within(since, column))
    return showing.read_since(since, what, asked, read, *given)
