"""The output of `smolville doctor`: the findings on one server, or on several of one model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from smolville.lab.doctor.findings import Advice, DoctorFinding, Findings, Mark
    from smolville.lab.doctor.together import CombinedFindings

STYLES: "dict[Mark, str]" = {"good": "green", "note": "cyan", "bad": "red", "unknown": "yellow"}
WORDS: "dict[Mark, str]" = {"good": "ok", "note": "", "bad": "!!", "unknown": "?"}
"""Text shown beside the colour, for readers who cannot see colours."""

SETTINGS = "Settings for this machine (to keep them: --write smolville.toml)"


@dataclass(frozen=True)
class DoctorView:
    """All findings, advice and settings."""

    found: "Findings"
    of: str | None = None
    """The probe to show alone; None shows all probes and the advice."""

    def plain(self) -> object:
        """Return plain data with stable keys."""
        return self.found.plain()

    def render(self) -> "RenderableType":
        """Return the findings by probe, what to do, and the settings to copy."""
        from rich.console import Group

        from smolville.lab.styled import Text

        shown = [each for each in self.found.findings if self.of in (None, each.probe)]
        parts: list[RenderableType] = [findings_table(shown), Text("")]
        if self.found.advice and self.of is None:
            parts.append(Text("What to do", style="bold"))
            parts += [part for advice in self.found.advice for part in _render_advice(advice)]
            parts.append(Text(""))
        return Group(*parts, *settings_parts(self.found))


@dataclass(frozen=True)
class ServersView:
    """The findings on each server and on all servers together, and settings that name them all."""

    first: "Findings"
    others: "Sequence[Findings]"
    together: "CombinedFindings"

    def plain(self) -> object:
        """Return plain data with stable keys."""
        return {
            "usable": self.together.usable,
            "servers": [each.plain() for each in (self.first, *self.others)],
            "together": self.together.plain(),
        }

    def render(self) -> "RenderableType":
        """Return a part for each server, then the findings on all servers together."""
        from rich.console import Group

        from smolville.lab.styled import Text

        parts: list[RenderableType] = []
        for each in (self.first, *self.others):
            spec = each.model.spec or str(each.asked)
            parts += [
                Text(spec, style="bold cyan"),
                DoctorView(replace(each, settings="")).render(),
            ]
        parts += [findings_table(self.together.findings), Text("")]
        return Group(*parts, *settings_parts(self.first))


def findings_table(findings: "Iterable[DoctorFinding]") -> "Table":
    """Return a table of findings, grouped by probe."""
    from rich.table import Table

    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for probe, several in groupby(findings, key=lambda each: each.probe):
        for number, each in enumerate(several):
            mark = Text(WORDS[each.mark], style=STYLES[each.mark])
            table.add_row("" if number else probe, mark, Text(each.text))
    return table


def settings_parts(found: "Findings") -> "list[RenderableType]":
    """Return the settings to copy, under their heading; nothing if none are recommended."""
    from smolville.lab.styled import Text

    if not found.settings:
        return []
    # Never wrapped: half a comment on a line of its own is not valid TOML.
    settings = Text(found.settings.rstrip(), "dim", no_wrap=True, overflow="ignore")
    return [Text(SETTINGS, style="bold"), settings]


def _render_advice(advice: "Advice") -> "list[RenderableType]":
    """Return one piece of advice; its command has a line of its own, to be copied whole."""
    from rich.table import Table

    from smolville.lab.styled import Text

    bullet = Table.grid(padding=(0, 1, 0, 0))
    bullet.add_row(" -", Text(advice.text))
    told: list[RenderableType] = [bullet]
    if advice.command:
        # Indented with spaces, because padding would crop the command.
        told.append(Text(f"     {advice.command}", "cyan", overflow="ignore", no_wrap=True))
    return told
