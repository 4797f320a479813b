"""One thing that is wrong with a template, as whoever edits it reads it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "warning"]
"""An error is refused when the template is to be used; with a warning it works, but worse."""
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
"""What sort of thing is wrong."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    severity: Severity
    kind: Kind
    file: str
    line: int | None = None
    """From 1; None where the whole file is meant."""
    text: str
    """A sentence, or the words that follow the place."""

    @property
    def where(self) -> str:
        """Its place: `say.jinja, line 7`."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"

    def plain(self) -> dict[str, object]:
        """Return it as plain data with stable keys."""
        return asdict(self)


def sorted_findings(found: Iterable[Finding]) -> list[Finding]:
    """Return findings by file and line, none of them twice."""
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda each: (each.file, each.line or 0, each.severity, each.text))
