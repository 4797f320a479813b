"""Every setting in force, and where it came from, as `smolville settings` shows it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.settings.choosing import Chosen
from cli.settings.example import in_toml
from cli.settings.keys import Values, is_secret

if TYPE_CHECKING:
    from rich.table import Table

UNSET = "not set"


@dataclass(frozen=True)
class Shown:
    """The settings, as a view."""

    chosen: Chosen

    def plain(self) -> object:
        """Return each setting's value and origin; whether a key is set, never the key."""
        return {
            name: {"value": value, "from": str(self.chosen.origin(name))}
            for name, value in self._rows()
        }

    def render(self) -> "Table":
        """Return a table of them."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
        table.add_column("setting", no_wrap=True)
        table.add_column("value", overflow="fold")
        table.add_column("from", overflow="fold")
        for name, value in self._rows():
            origin = self.chosen.origin(name)
            style = "dim" if origin.kind == "default" else None
            table.add_row(name, _in_words(name, value), str(origin), style=style)
        return table

    def _rows(self) -> list[tuple[str, Any]]:
        """Return every setting's name and its plain value."""
        plain = self.chosen.values.model_dump(mode="json", exclude={"steps"})
        rows: list[tuple[str, Any]] = []
        for name in Values.model_fields:
            if is_secret(name):
                rows.append((name, "set" if plain[name] is not None else UNSET))
            elif name != "steps":
                rows.append((name, plain[name]))
        for step, changed in sorted(self.chosen.values.steps.items()):
            for name, value in changed.model_dump(exclude_none=True).items():
                rows.append((f"steps.{step}.{name}", value))
        return rows


def _in_words(name: str, value: Any) -> str:
    """Return a value as people read it."""
    if is_secret(name) or isinstance(value, str):
        return str(value)
    if value is None:
        return "·"
    return in_toml(value)
