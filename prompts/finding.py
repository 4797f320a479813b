"""Findings of the template linter: faults, described for the person who edits the template."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "warning"]
"""Templates with an error are refused when used; with a warning they work, but less well."""
Kind = Literal[
    "name",
    "syntax",
    "include",
    "blocks",
    "unknown",
    "unused",
    "broken",
    "order",
    "format",
    "budget",
    "example",
    "sense",
    "label",
    "style",
]
"""The kind of fault."""


@dataclass(frozen=True, kw_only=True)
class LintFinding:
    """One fault of a template."""

    severity: Severity
    kind: Kind
    file: str
    line: int | None = None
    """Line number from 1; None for the whole file."""
    text: str
    """A sentence, or the words that follow the place."""

    @property
    def where(self) -> str:
        """Return its place: `say.jinja, line 7`."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"

    def plain(self) -> dict[str, object]:
        """Return it as plain data with stable keys."""
        return asdict(self)


def sorted_findings(found: Iterable[LintFinding]) -> list[LintFinding]:
    """Return findings by file and line, without duplicates."""
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda each: (each.file, each.line or 0, each.severity, each.text))
