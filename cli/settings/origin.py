"""Where a setting's value came from."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["flag", "variable", ".env", "file", "default"]


@dataclass(frozen=True)
class Origin:
    """One place that sets one value."""

    kind: Kind
    name: str = ""
    """The flag, the variable, or the file's path."""
    line: int | None = None

    def __str__(self) -> str:
        """Say it briefly: `--seed`, `SMOLVILLE_SEED`, `.env line 2`, `smolville.toml line 3`."""
        if self.kind == "default":
            return "default"
        place = ".env" if self.kind == ".env" else self.name
        return place if self.line is None else f"{place} line {self.line}"

    def of(self, key: str) -> str:
        """Return how a sentence names a key that was set here."""
        if self.kind in ("flag", "variable"):
            return self.name
        return f"{self.name if self.kind == '.env' else key} ({self})"


DEFAULT = Origin("default")
