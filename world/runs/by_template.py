"""How steps ended, by the template that they were asked with."""

import sqlite3
from collections.abc import Mapping

Ends = Mapping[str, int]
"""Outcome to how often."""

_ENDS = """
SELECT steps.step, calls.template, outcome, COUNT(*)
FROM steps JOIN calls USING (owner, tick, step, ordinal)
WHERE calls.attempt = 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


def ends_by_template(connection: sqlite3.Connection) -> dict[tuple[str, str], Ends]:
    """Return how the uses of each step ended, by the step and its template's version."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for step, template, outcome, count in connection.execute(_ENDS):
        found.setdefault((step, template), {})[outcome] = count
    return dict(found)
