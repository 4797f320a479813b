"""Track which concerns a person has told to whom: untold news is a reason for a talk.

English words only, as in `graphs.concerns`; in any other language there is nothing to tell.
"""

from collections.abc import Sequence

from agents.mind import Impression
from graphs.concerns import PRIVATE, in_first_person, is_said, occupies
from graphs.prompt_inputs import PersonaInput
from graphs.spoken_times import is_over
from models.standin.words import stems

TOLD_KEPT = 6
"""Maximum number of facts remembered as told to a person, the latest."""


def told_after(
    me: PersonaInput, before: Impression | None, lines: Sequence[str]
) -> tuple[str, ...]:
    """Return the facts that a person has been told, after a talk in which I said these lines."""
    told = before.told if before else ()
    new = [each for each in _occupations(me) if is_said(each, lines) and not is_said(each, told)]
    return (*told, *new)[-TOLD_KEPT:]


def has_untold(me: PersonaInput, name: str, impression: Impression | None, now: str) -> bool:
    """Return whether a concern has not been told to a person with whom the agent has talked.

    `now` is the moment, `Monday 6 May, 07:40`: past events no longer count.
    """
    if impression is None:
        return False
    return any(
        not (is_over(fact, now) or stems(fact) & stems(name) or is_said(fact, impression.told))
        for fact in _occupations(me)
    )


def _occupations(me: PersonaInput) -> list[str]:
    """Return my current concerns in the first person, without private ones."""
    facts = in_first_person(me.currently, me)
    return [each for each in facts if occupies(each) and not stems(each) & PRIVATE]
