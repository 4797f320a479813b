"""What is wrong with templates, file by file."""

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from agents.wording import visible_line
from lab.prompting.linting import Report
from world.telling.shares import many

if TYPE_CHECKING:
    from rich.console import RenderableType

STYLES = {"error": "red", "warning": "yellow"}


@dataclass(frozen=True)
class LintView:
    """What is wrong with a folder."""

    report: Report

    def plain(self) -> object:
        """Return it as plain data."""
        return self.report.plain()

    def render(self) -> "RenderableType":
        """Return a table per file, and the sums."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        parts: list[RenderableType] = []
        for file, findings in groupby(self.report.findings, key=lambda each: each.file):
            table = Table.grid(padding=(0, 2, 0, 0))
            table.add_column(justify="right", min_width=4, style="dim", no_wrap=True)
            table.add_column(no_wrap=True)
            table.add_column()
            for each in findings:
                severity = Text(each.severity, style=STYLES[each.severity])
                table.add_row(str(each.line or ""), severity, visible_line(each.text))
            parts += [Text(file, style="bold"), table, Text()]
        return Group(*parts, Text(self._sum()))

    def _sum(self) -> str:
        """Say what there is in all."""
        report = self.report
        files = f"{many(report.files, 'file')} ({report.folder})"
        if not report.findings:
            return f"{files}: nothing is wrong."
        errors, warnings = many(report.errors, "error"), many(report.warnings, "warning")
        return f"{files}: {errors}, {warnings}."
