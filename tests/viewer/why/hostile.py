"""Texts that would like to be more than text, written into a run's history."""

import sqlite3
from dataclasses import replace
from json import dumps
from pathlib import Path

from smolville.history.calls import LISTING, Packer, Unpacker, keep_call, read_call

IMAGE = "<img src=x onerror=\"document.title='hacked'\">"
SCRIPT = "</script></template><script>document.title='hacked'</script>"
MOUSTACHE = "{{ constructor.constructor('document.title=1')() }} ${1}"
TURNED = "the end \u202eof the line\u202c \u200f"
HALF = "half a letter \ud83d"
HUGE = "long " * 20_000
NASTY = "\n".join((IMAGE, SCRIPT, MOUSTACHE, TURNED))
AGENT = "Ada Brook"
"""Whose first thought is hostile from end to end."""
BROKEN = "Ben Hollis"
"""Whose first thought cannot be read any more."""
LOST = "Cora Vance"
"""Whose first thought failed."""


def poison(history: Path) -> None:
    """Write hostile texts into a lived run."""
    connection = sqlite3.connect(history)
    with connection:
        _calls(connection)
        own = (NASTY, AGENT)
        connection.execute("UPDATE thoughts SET intent = ? WHERE agent = ? AND tick = 0", own)
        answer = dumps({"thought": NASTY, IMAGE: [SCRIPT, {"a": HUGE}]})
        connection.execute("UPDATE steps SET answer = ? WHERE owner = ?", (answer, AGENT))
        told = dumps([IMAGE, HUGE])
        connection.execute("UPDATE readings SET problems = ?, mends = ?", (told, dumps([SCRIPT])))
        connection.execute("UPDATE memories SET text = ?", (NASTY,))
        connection.execute("UPDATE lines SET text = ?, speaker = ?", (NASTY, IMAGE))
        failed = (f"ValueError: {NASTY}", LOST)
        connection.execute("UPDATE thoughts SET failed = ? WHERE agent = ? AND tick = 0", failed)
        broken = "UPDATE steps SET answer = '{' WHERE owner = ?"
        connection.execute(broken, (LOST,))
        connection.execute("UPDATE calls SET texts = x'0000' WHERE owner = ?", (BROKEN,))
    connection.close()


def _calls(connection: sqlite3.Connection) -> None:
    """Make the messages, replies and thinking of a thought hostile."""
    query = f"SELECT {LISTING} FROM calls WHERE owner = ? AND tick = 0"
    unpacker, packer = Unpacker(connection), Packer(connection)
    for cells in connection.execute(query, (AGENT,)).fetchall():
        call = read_call(cells, unpacker)
        messages = [{"role": "system", "content": NASTY}, {"role": IMAGE, "content": HUGE}]
        hostile = replace(
            call,
            messages=dumps(messages),
            reply=f"{NASTY}\n{HALF}",
            thinking=NASTY,
            model=IMAGE,
            lost=dumps([SCRIPT]),
        )
        keep_call(connection, packer, hostile)
