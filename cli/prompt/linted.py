"""Problems of templates, file by file, formatted for the terminal."""

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from agents.numbers import many
from agents.wording import visible_line
from lab.prompting.linting import LintReport

if TYPE_CHECKING:
    from rich.console import RenderableType

STYLES = {"error": "red", "warning": "yellow"}


@dataclass(frozen=True)
class LintView:
    """Problems of the templates in a folder."""

    report: LintReport

    def plain(self) -> object:
        """Return the report as plain data."""
        return self.report.plain()

    def render(self) -> "RenderableType":
        """Return a table per file, and the totals."""
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
        """Return a sentence with the totals."""
        report = self.report
        files = f"{many(report.files, 'file')} ({report.folder})"
        if not report.findings:
            return f"{files}: nothing is wrong."
        errors, warnings = many(report.errors, "error"), many(report.warnings, "warning")
        return f"{files}: {errors}, {warnings}."
