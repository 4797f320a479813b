"""Which moments are wanted, held to what there is: a typing error is told, never an empty list."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.errors import SettingError
from graphs.loop.ledger import OUTCOMES
from graphs.loop.rules import EVERY_KIND
from world.finding import find_person
from world.runs.reader import RunReader
from world.runs.uses import StepUse


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Moments of a run by what they have in common; None: any."""

    step: str | None = None
    agent: str | None = None
    """The full name."""
    outcome: str | None = None
    odd: str | None = None
    """A kind of what is odd in the answer, or `any`."""
    limit: int | None = None
    """At most so many, the last ones."""

    def uses(self, reader: RunReader) -> list[StepUse]:
        """Return the uses of steps that are wanted, up to the watermark, oldest first."""
        return reader.uses(
            step=self.step,
            agent=self.agent,
            outcome=self.outcome,
            odd=self.odd,
            until=done_until(reader),
            limit=self.limit,
        )


def wanted_of(
    reader: RunReader,
    *,
    step: str | None = None,
    agent: str | None = None,
    outcome: str | None = None,
    odd: str | None = None,
    limit: int | None = None,
) -> Wanted:
    """Return what is wanted; SettingError or RunError names the nearest of something unknown.

    Of an agent's name the first is enough.
    """
    check_outcome(outcome)
    check_odd(odd)
    if step is not None:
        _check_step(reader, step)
    if agent is not None:
        agent = find_person(agent, reader.agents(), f"the run {reader.spec.name!r}")
    return Wanted(step=step, agent=agent, outcome=outcome, odd=odd, limit=limit)


def check_outcome(outcome: str | None, known: Sequence[str] = OUTCOMES, what: str = "step") -> None:
    """Raise SettingError with the nearest for an outcome that there is none of; None is any."""
    if outcome is not None and outcome not in known:
        raise SettingError(
            f"No {what} ends {outcome!r}; did you mean {nearest_of(outcome, known)}? "
            f"All: {', '.join(known)}."
        )


def check_odd(kind: str | None) -> None:
    """Raise SettingError with the nearest for a kind of oddity that there is none of."""
    if kind is None:
        return
    from parsers.problem import SENSE_KINDS

    known = (EVERY_KIND, *SENSE_KINDS)
    if kind not in known:
        raise SettingError(
            f"Nothing is odd in the way {kind!r}; did you mean {nearest_of(kind, known)}? "
            f"All: {', '.join(known)}."
        )


def done_until(reader: RunReader) -> int:
    """Return the last tick that is complete for everybody; -1 before any commit."""
    done = reader.watermark()
    return -1 if done is None else done


def nearest_of(word: str, known: Iterable[str]) -> str:
    """Return the one of `known` that is most like a word."""
    return difflib.get_close_matches(word, list(known), n=1, cutoff=0.0)[0]


def _check_step(reader: RunReader, step: str) -> None:
    """Raise SettingError when no step has this name; one that the run never used is none."""
    used = reader.step_names()
    if step in used:
        return
    from graphs.catalogue import STEPS

    known = [each.name for each in STEPS]
    if step not in known:
        raise SettingError(
            f"There is no step {step!r}; did you mean {nearest_of(step, known)}? "
            f"In the run {reader.spec.name!r}: {', '.join(used) or 'none yet'}."
        )
