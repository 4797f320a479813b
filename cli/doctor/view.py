"""The doctor's findings, formatted for the terminal."""

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from lab.doctor.findings import Advice, DoctorFinding, Findings, Mark

if TYPE_CHECKING:
    from rich.console import RenderableType

STYLES: dict[Mark, str] = {"good": "green", "note": "cyan", "bad": "red", "unknown": "yellow"}
WORDS: dict[Mark, str] = {"good": "ok", "note": "", "bad": "!!", "unknown": "?"}
"""Text shown beside the colour, for readers who cannot see colours."""

SETTINGS = "Settings for this machine (to keep them: --write smolville.toml)"


@dataclass(frozen=True)
class DoctorView:
    """All findings, advice and settings."""

    found: Findings

    def plain(self) -> object:
        """Return plain data with stable keys."""
        return self.found.plain()

    def render(self) -> "RenderableType":
        """Return the findings by probe, what to do, and the settings to copy."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(style="bold", no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for probe, several in groupby(self.found.findings, key=_probe):
            for number, each in enumerate(several):
                mark = Text(WORDS[each.mark], style=STYLES[each.mark])
                table.add_row("" if number else probe, mark, Text(each.text))
        parts: list[RenderableType] = [table, Text("")]
        if self.found.advice:
            parts.append(Text("What to do", style="bold"))
            parts += [part for advice in self.found.advice for part in _advised(advice)]
            parts.append(Text(""))
        if self.found.settings:
            parts.append(Text(SETTINGS, style="bold"))
            # Never wrapped: half a comment on a line of its own is not valid TOML.
            settings = Text(self.found.settings.rstrip(), "dim", no_wrap=True, overflow="ignore")
            parts.append(settings)
        return Group(*parts)


def _probe(finding: DoctorFinding) -> str:
    return finding.probe


def _advised(advice: Advice) -> "list[RenderableType]":
    """Return one piece of advice, with its command on its own line so it can be copied whole."""
    from rich.table import Table

    from lab.styled import Text

    bullet = Table.grid(padding=(0, 1, 0, 0))
    bullet.add_row(" -", Text(advice.text))
    told: list[RenderableType] = [bullet]
    if advice.command:
        # Indented with spaces, because padding would crop the command.
        told.append(Text(f"     {advice.command}", "cyan", overflow="ignore", no_wrap=True))
    return told
