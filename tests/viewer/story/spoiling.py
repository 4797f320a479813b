"""A lived run whose texts, names and town would like to be more than text."""

import json
import shutil
import sqlite3
from pathlib import Path

IMAGE = "<img src=x onerror=hack()>"
SCRIPT = "</script></title><script>hack()</script>"
TURNED = "spring \u202e tneve lantern party"
HUGE = "lantern party " * 8_000
NAME = f"{IMAGE} Mori"
"""What somebody is called instead of Junko Mori."""


def spoiled(runs: Path, name: str, to: str) -> None:
    """Copy a run of a folder, and spoil the copy."""
    shutil.copytree(runs / name, runs / to)
    spec = json.loads((runs / to / "run.json").read_text("utf-8"))
    spec |= {"name": to, "town_name": f"{SCRIPT}{IMAGE}ville"}
    spec["cast"] = [NAME if each == "Junko Mori" else each for each in spec["cast"]]
    (runs / to / "run.json").write_text(json.dumps(spec), "utf-8")
    connection = sqlite3.connect(runs / to / "town.sqlite")
    with connection:
        _rename(connection)
        connection.execute("UPDATE lines SET text = text || ? WHERE n = 0", (IMAGE + SCRIPT,))
        connection.execute("UPDATE lines SET text = text || ? WHERE n = 1", (TURNED + HUGE,))
        connection.execute("UPDATE deeds SET activity = activity || ?, emoji = ?", (IMAGE, SCRIPT))
        connection.execute("UPDATE memories SET text = text || ?", (IMAGE + TURNED,))
        connection.execute("UPDATE objects SET state = state || ?", (SCRIPT,))
        connection.execute("UPDATE steps SET outcome = 'fallback', problems = ?", (f'["{IMAGE}"]',))
    connection.close()


def _rename(connection: sqlite3.Connection) -> None:
    """Give somebody another name in every text of a history."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for column in connection.execute(f"PRAGMA table_info({table})").fetchall():
            if column[2] == "TEXT":
                connection.execute(
                    f'UPDATE {table} SET "{column[1]}" = replace("{column[1]}", ?, ?)',
                    ("Junko Mori", NAME),
                )
