"""Select moments by step, agent and outcome, checking the given values for typing errors."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from smolville.agents.errors import SettingError
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.graphs.loop.rules import EVERY_KIND
from smolville.history.reader import RunReader
from smolville.history.thoughts import StepUse
from smolville.world.meaning import find_thinker


@dataclass(frozen=True, kw_only=True)
class MomentFilter:
    """Criteria for moments of a run; None means any value."""

    step: str | None = None
    agent: str | None = None
    """The agent's full name."""
    outcome: str | None = None
    odd: str | None = None
    """A kind of oddity in the answer, or `any`."""
    limit: int | None = None
    """Maximum number of moments; the last ones are taken."""

    def uses(self, reader: RunReader) -> list[StepUse]:
        """Return the uses of steps that match, up to the watermark, oldest first."""
        return reader.uses(
            step=self.step,
            agent=self.agent,
            outcome=self.outcome,
            odd=self.odd,
            until=done_until(reader),
            limit=self.limit,
        )


def filter_of(
    reader: RunReader,
    *,
    step: str | None = None,
    agent: str | None = None,
    outcome: str | None = None,
    odd: str | None = None,
    limit: int | None = None,
) -> MomentFilter:
    """Return the filter for these criteria; an agent's first name is enough.

    Raises SettingError or RunError, with the closest match, for an unknown value.
    """
    check_outcome(outcome)
    check_odd(odd)
    if step is not None:
        _check_step(reader, step)
    if agent is not None:
        agent = find_thinker(agent, reader.agents(), f"the run {reader.spec.name!r}")
    return MomentFilter(step=step, agent=agent, outcome=outcome, odd=odd, limit=limit)


def check_outcome(outcome: str | None, known: Sequence[str] = OUTCOMES, what: str = "step") -> None:
    """Raise SettingError, with the closest match, for an unknown outcome; None means any."""
    if outcome is not None and outcome not in known:
        raise SettingError(
            f"No {what} ends {outcome!r}; did you mean {nearest_of(outcome, known)}? "
            f"All: {', '.join(known)}."
        )


def check_odd(kind: str | None) -> None:
    """Raise SettingError, with the closest match, for an unknown kind of oddity."""
    if kind is None:
        return
    from smolville.parsers.problem import SENSE_KINDS

    known = (EVERY_KIND, *SENSE_KINDS)
    if kind not in known:
        raise SettingError(
            f"Nothing is odd in the way {kind!r}; did you mean {nearest_of(kind, known)}? "
            f"All: {', '.join(known)}."
        )


def done_until(reader: RunReader) -> int:
    """Return the last tick that is complete for all agents; -1 before the first commit."""
    done = reader.watermark()
    return -1 if done is None else done


def nearest_of(word: str, known: Iterable[str]) -> str:
    """Return the element of `known` that is most similar to a word."""
    return difflib.get_close_matches(word, list(known), n=1, cutoff=0.0)[0]


def _check_step(reader: RunReader, step: str) -> None:
    """Raise SettingError for an unknown step; a known step that the run never used is allowed."""
    used = reader.step_names()
    if step in used:
        return
    from smolville.graphs.catalogue import STEPS

    known = [each.name for each in STEPS]
    if step not in known:
        raise SettingError(
            f"There is no step {step!r}; did you mean {nearest_of(step, known)}? "
            f"In the run {reader.spec.name!r}: {', '.join(used) or 'none yet'}."
        )
