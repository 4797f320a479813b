"""Rectangles of tiles: where a place lies, and what somebody's box of sight covers."""

from collections.abc import Iterator
from dataclasses import dataclass

from world.records import Tile


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of whole tiles: its upper left tile, and its size in tiles."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond it."""
        return self.y + self.height

    @property
    def area(self) -> int:
        """How many tiles it has."""
        return self.width * self.height

    def tiles(self) -> Iterator[Tile]:
        """Yield its tiles, row by row."""
        return ((x, y) for y in range(self.y, self.bottom) for x in range(self.x, self.right))

    def __contains__(self, tile: Tile) -> bool:
        """True when the tile lies in it."""
        return self.x <= tile[0] < self.right and self.y <= tile[1] < self.bottom

    def holds(self, other: "Rect") -> bool:
        """True when `other` lies wholly in it."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def shared(self, other: "Rect") -> "Rect | None":
        """Return the rectangle both have in common, or None."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Rect(x, y, width, height) if width > 0 and height > 0 else None

    def __str__(self) -> str:
        """Where it lies, in tiles: `3x2 tiles at (4, 7)`."""
        return f"{self.width}x{self.height} tiles at ({self.x}, {self.y})"
