"""Places names on a drawn map so that none covers another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""A box, as left, top, right and bottom."""

LETTER = 0.54
"""Mean width of a letter, as a fraction of the font size."""


@dataclass(frozen=True, slots=True)
class MapLabel:
    """A text, and the middle of its line on the map."""

    text: str
    x: float
    y: float
    size: float

    @property
    def width(self) -> float:
        """Approximate width of the drawn text."""
        return len(self.text) * self.size * LETTER

    def box(self) -> Box:
        """Return the left, top, right and bottom of the label."""
        half = self.width / 2
        return self.x - half, self.y - self.size / 2, self.x + half, self.y + self.size / 2

    def covers(self, boxes: Iterable[Box]) -> int:
        """Return how many boxes the label overlaps."""
        own = self.box()
        return sum(_overlap(own, box) for box in boxes)


@dataclass(slots=True)
class Labels:
    """The labels placed so far, and the boxes they must not cover."""

    width: float
    height: float
    placed: list[MapLabel] = field(default_factory=list)

    def place(self, candidates: Iterable[MapLabel]) -> MapLabel | None:
        """Place and return the first candidate that lies on the map and covers no other label."""
        for label in candidates:
            if self._is_free(label):
                self.placed.append(label)
                return label
        return None

    def _is_free(self, label: MapLabel) -> bool:
        """Return True if the label lies within the map and covers no other label."""
        left, top, right, bottom = label.box()
        if left < 0 or top < 0 or right > self.width or bottom > self.height:
            return False
        return not any(_overlap(label.box(), other.box()) for other in self.placed)


def lines_within(text: str, box: Box, size: float, least: float) -> Iterator[MapLabel]:
    """Yield labels for a text in a box, the largest first: in the middle, then above and below it.

    Sizes decrease from `size` to `least`; those too wide for the box are left out.
    """
    left, top, right, bottom = box
    middle = (left + right) / 2, (top + bottom) / 2
    while size >= least:
        if len(text) * size * LETTER <= right - left:
            yield MapLabel(text, middle[0], middle[1], size)
            shift = size * 0.6
            while middle[1] - shift - size / 2 >= top:
                yield MapLabel(text, middle[0], middle[1] - shift, size)
                yield MapLabel(text, middle[0], middle[1] + shift, size)
                shift += size * 0.6
        size -= 0.5


def _overlap(one: Box, other: Box) -> bool:
    """Return True when two boxes share any area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
