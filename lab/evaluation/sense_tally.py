"""Agreement of the sense checks with human labels.

It has the share of senseless answers that the checks find, and the share of false alarms.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from smolville.agents.wording import format_count, percent
from smolville.graphs.alone import asked_person
from smolville.graphs.loop.judging import verdict_on
from smolville.graphs.loop.repairing import full_context
from smolville.graphs.loop.state import StepState
from smolville.lab.evaluation.counts import Share
from smolville.lab.evaluation.labels import LabelledAnswer, LabelledSet
from smolville.lab.evaluation.statistics import wilson
from smolville.prompts.prompt import TemplateSet

MOST_LINES = 8
"""Maximum number of lines of a file that are listed."""


@dataclass(frozen=True, kw_only=True)
class SenseTally:
    """One folder's labels compared with the checks of one template set."""

    labels: str
    """The folder of the labels, as it was typed."""
    prompts: str
    """The folder of the templates and their phrases."""
    found: Share
    """Share of the answers labelled as senseless that a check refuses, doubts or marks."""
    false_alarms: Share
    """Share of the answers labelled as sensible that a check objects to."""
    named: Share
    """Share of the answers labelled with a kind of oddity in which that kind is found."""
    kinds: Mapping[str, Share]
    """Share of the answers labelled with a kind in which a check finds anything; by kind, most
    frequent first."""
    missed: tuple[int, ...]
    """Line numbers of senseless answers that no check finds."""
    alarmed: tuple[int, ...]
    """Line numbers of sensible answers that a check objects to."""
    absent: int
    """Number of labels whose moments were not found."""

    @property
    def sentences(self) -> str:
        """The comparison in a few sentences."""
        parts = [
            f"Labels of {self.labels}, checks of {self.prompts}: found "
            f"{_format_share(self.found, 'senseless')}; false alarms in "
            f"{_format_share(self.false_alarms, 'sensible')}."
        ]
        if self.kinds:
            by_kind = (f"{kind} {each.count} of {each.of}" for kind, each in self.kinds.items())
            parts.append(f"Found by kind: {', '.join(by_kind)}.")
        for what, lines in (("Not found", self.missed), ("False alarms", self.alarmed)):
            if lines:
                parts.append(f"{what}: {_format_lines(lines)}.")
        if self.absent:
            parts.append(f"{format_count(self.absent, 'label')} of moments that are not here.")
        return " ".join(parts)

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "labels": self.labels,
            "prompts": self.prompts,
            "found": self.found.plain(),
            "false_alarms": self.false_alarms.plain(),
            "named": self.named.plain(),
            "kinds": {kind: each.plain() for kind, each in self.kinds.items()},
            "missed_lines": list(self.missed),
            "alarmed_lines": list(self.alarmed),
            "absent": self.absent,
        }


def sense_tally(labelled: LabelledSet, prompts: str, templates: TemplateSet) -> SenseTally:
    """Return how the checks of a template set agree with a folder's labels."""
    against = [(each.label, odd_kinds(each, templates)) for each in labelled.answers]
    senseless = [(label, kinds) for label, kinds in against if not label.is_sensible]
    sensible = [(label, kinds) for label, kinds in against if label.is_sensible]
    named = [(label.kind, kinds) for label, kinds in senseless if label.kind is not None]
    by_kind: dict[str, list[bool]] = {}
    for kind, kinds in named:
        by_kind.setdefault(kind, []).append(bool(kinds))
    return SenseTally(
        labels=labelled.folder,
        prompts=prompts,
        found=_share([bool(kinds) for _, kinds in senseless]),
        false_alarms=_share([bool(kinds) for _, kinds in sensible]),
        named=_share([kind in kinds for kind, kinds in named]),
        kinds={
            kind: _share(found)
            for kind, found in sorted(by_kind.items(), key=lambda item: (-len(item[1]), item[0]))
        },
        missed=tuple(label.line for label, kinds in senseless if not kinds),
        alarmed=tuple(label.line for label, kinds in sensible if kinds),
        absent=labelled.absent,
    )


def odd_kinds(answered: LabelledAnswer, templates: TemplateSet) -> frozenset[str]:
    """Return the kinds of problems and oddities found in an answer; empty when there are none.

    A reply that cannot be parsed as the step's answer counts with the kinds of its problems.
    """
    step, inputs = answered.step, answered.inputs
    first = templates.prompt(step).render(inputs)
    state = StepState(agent=asked_person(inputs).name, inputs=inputs, first=first)
    reading = step.parser.read(answered.answer, full_context(step, state))
    if reading.value is None:
        return frozenset(problem.kind for problem in reading.problems)
    verdict = verdict_on(step, state, reading.value, templates)
    return frozenset(problem.kind for problem in (*verdict.refused, *verdict.odd))


def _share(found: list[bool]) -> Share:
    return Share(count=sum(found), of=len(found), interval=wilson(sum(found), len(found)))


def _format_share(share: Share, what: str) -> str:
    """Return a share with its 95 % interval, `36 of 40 senseless answers (90 %, 77–96)`."""
    if not share.of:
        return f"none, for no answer is labelled {what}"
    low, high = share.interval
    figures = f"{percent(share.count, share.of, 0)}, {100 * low:.0f}–{100 * high:.0f}"
    return f"{share.count} of {format_count(share.of, f'{what} answer')} ({figures})"


def _format_lines(lines: tuple[int, ...]) -> str:
    """Return line numbers in words, `lines 3, 17 and 12 more`."""
    named = ", ".join(map(str, lines[:MOST_LINES]))
    more = len(lines) - MOST_LINES
    return (
        f"{'line' if len(lines) == 1 else 'lines'} {named}{f' and {more} more' if more > 0 else ''}"
    )
