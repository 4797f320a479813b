"""The table of `smolville settings`: every setting in force, and where it came from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.settings.choosing import ResolvedSettings
from cli.settings.example import in_toml
from cli.settings.keys import SettingValues, is_secret

if TYPE_CHECKING:
    from rich.table import Table

UNSET = "not set"


@dataclass(frozen=True)
class SettingsView:
    """The settings, as a view."""

    chosen: ResolvedSettings

    def plain(self) -> object:
        """Return each setting's value and origin; of a key only whether it is set."""
        return {
            name: {"value": value, "from": str(self.chosen.origin(name))}
            for name, value in self._rows()
        }

    def render(self) -> "Table":
        """Return a table of the settings."""
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
        for name in SettingValues.model_fields:
            if is_secret(name):
                rows.append((name, "set" if plain[name] is not None else UNSET))
            elif name != "steps":
                rows.append((name, plain[name]))
        for step, changed in sorted(self.chosen.values.steps.items()):
            for name, value in changed.model_dump(exclude_none=True).items():
                rows.append((f"steps.{step}.{name}", value))
        return rows


def _in_words(name: str, value: Any) -> str:
    """Return a value as text for the table."""
    if is_secret(name) or isinstance(value, str):
        return str(value)
    if value is None:
        return "·"
    return in_toml(value)
