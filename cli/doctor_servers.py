"""The output of `smolville doctor` for several servers of one model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cli.doctor import DoctorView, findings_table, settings_parts

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lab.doctor.findings import Findings
    from lab.doctor.together import Together


@dataclass(frozen=True)
class ServersView:
    """The findings of each server and of all together, and settings that name all of them."""

    first: "Findings"
    others: "Sequence[Findings]"
    together: "Together"

    def plain(self) -> object:
        """Return plain data with stable keys."""
        return {
            "usable": self.together.usable,
            "servers": [each.plain() for each in (self.first, *self.others)],
            "together": self.together.plain(),
        }

    def render(self) -> "RenderableType":
        """Return a part for each server, then the findings on all of them."""
        from rich.console import Group

        from lab.styled import Text

        parts: list[RenderableType] = []
        for each in (self.first, *self.others):
            spec = each.model.spec or str(each.asked)
            parts += [
                Text(spec, style="bold cyan"),
                DoctorView(replace(each, settings="")).render(),
            ]
        parts += [findings_table(self.together.findings), Text("")]
        return Group(*parts, *settings_parts(self.first))
