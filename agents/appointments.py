"""Appointments: the people, place and time of a meeting, as agreed in a talk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """A meeting that somebody has agreed to."""

    day: int
    """The town day, from 1."""
    start: int
    """Minute of the day."""
    end: int
    partners: tuple[str, ...]
    where: str
    """The place in words, as it stands in the plan: `the Copper Kettle`."""
    place: str = ""
    """Address of the room; empty if code knows none."""

    @property
    def activity(self) -> str:
        """The activity as it is entered into the plan."""
        names = " and ".join(self.partners)
        return f"meeting {names} at {self.where}"


def with_appointment(
    known: Sequence[Appointment], new: Appointment, today: int
) -> tuple[Appointment, ...]:
    """Return appointments with a new one, and without those of days before `today`.

    Overlapping appointments in the same place are merged; of two at different places, the one
    agreed first is kept.
    """
    kept = [each for each in known if each.day >= today]
    for at, each in enumerate(kept):
        if each.day == new.day and each.start < new.end and new.start < each.end:
            if each.where == new.where and each.start == new.start:
                partners = tuple(dict.fromkeys((*each.partners, *new.partners)))
                kept[at] = replace(each, partners=partners)
            return tuple(kept)
    return tuple(sorted((*kept, new), key=lambda each: (each.day, each.start)))
