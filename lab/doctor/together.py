"""Findings on several servers of one model: whether they can share its calls, and how fast."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from smolville.lab.doctor.findings import DoctorFinding, Findings
from smolville.lab.doctor.settings_text import settings_text
from smolville.lab.duration import format_estimate
from smolville.models.pool import bare_name


@dataclass(frozen=True, kw_only=True)
class CombinedFindings:
    """The combined finding on several servers."""

    usable: bool
    """Whether a run can use all of the servers."""
    slots: int
    """Number of calls that the servers together process at the same time."""
    findings: tuple[DoctorFinding, ...]

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return asdict(self)


def find_together(found: Sequence[Findings]) -> CombinedFindings:
    """Return the combined finding on examined servers."""
    names = {bare_name(each.model.name) for each in found if each.usable}
    usable = all(each.usable for each in found) and len(names) == 1
    slots = sum(each.model.slots or 1 for each in found if each.usable)
    return CombinedFindings(
        usable=usable, slots=slots, findings=tuple(_findings(found, names, slots))
    )


def with_servers(first: Findings, others: Sequence[Findings]) -> Findings:
    """Return the findings of the first server, with settings that name the others too."""
    named = replace(first, others=tuple(each.model.spec for each in others))
    return replace(named, settings=settings_text(named))


def _findings(found: Sequence[Findings], names: set[str], slots: int) -> Iterator[DoctorFinding]:
    """Yield the findings about the servers as one model."""
    absent = [each.model.spec or str(each.asked) for each in found if not each.usable]
    if absent:
        text = f"A run would begin without {' and '.join(absent)}."
        yield DoctorFinding(probe="together", mark="bad", text=text)
    if len(names) > 1:
        told = ", ".join(
            f"{each.model.spec} has {each.model.name}" for each in found if each.usable
        )
        text = f"They have different models, and a run refuses that: {told}."
        yield DoctorFinding(probe="together", mark="bad", text=text)
        return
    if len(found) - len(absent) < 2:
        return
    text = f"They have the same model and can share its calls, {slots} at once."
    yield DoctorFinding(probe="together", mark="good", text=text)
    for days in zip(*(each.estimate for each in found if each.usable), strict=False):
        if all(day.minutes > 0 for day in days):
            seconds = 60 / sum(1 / day.minutes for day in days)
            text = (
                f"A town day of {days[0].agents} people: {format_estimate(seconds)} "
                f"({days[0].calls} calls). A lower bound: repairs come on top."
            )
            yield DoctorFinding(probe="together", mark="note", text=text)
