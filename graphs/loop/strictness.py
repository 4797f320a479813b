"""Stop a strict run when a step would fall back or an answer makes no sense."""

from agents.errors import StoppedError
from graphs.loop.rules import EVERY_KIND, Rules
from graphs.loop.state import StepState

ANOTHER = "The same model would stop here again: go on with another --model"


def stop_at_fallback(step: str, state: StepState, rules: Rules) -> None:
    """Raise StoppedError, with the problems of the last reply, if the run is strict."""
    if not rules.strict:
        return
    wrong = " ".join(state.problems) or "no reason known"
    calls = "1 call" if len(state.readings) == 1 else f"{len(state.readings)} calls"
    raise StoppedError(
        f"{state.agent} got no clean answer for the step `{step}` after "
        f"{calls}, and the run is strict. Last problems: {wrong} {ANOTHER}"
    )


def stop_at_odd(step: str, state: StepState, rules: Rules) -> None:
    """Raise StoppedError, with the oddities, if the run is strict about one of their kinds."""
    wanted = rules.strict_sense
    odd = [each for each in state.odd if each.kind in wanted or EVERY_KIND in wanted]
    if odd:
        kinds = ", ".join(dict.fromkeys(each.kind for each in odd))
        raise StoppedError(
            f"{state.agent}'s answer for the step `{step}` makes no sense ({kinds}), and the run "
            f"is strict about that. What is odd: {' '.join(map(str, odd))} {ANOTHER}"
        )
