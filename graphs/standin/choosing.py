"""The stand-in's rules for questions with prepared answers: it mostly chooses one at random."""

from typing import TYPE_CHECKING

from models.standin.rule import Dice, RuleAnswer

if TYPE_CHECKING:
    from graphs.decompose import DecomposeInput
    from graphs.plan_day import PlanDayInput
    from graphs.plan_hours import PlanHoursInput
    from graphs.reasons import PreparedReason
    from graphs.reflections import PreparedInsight
    from graphs.speech_acts import ActCard
    from graphs.talk_summaries import PreparedConclusion

_FIRST = 0.7
"""Share of choices that take the first option, which is the likeliest."""


def choose_line(act: "ActCard", dice: Dice) -> RuleAnswer:
    """Return one of the lines of a talk."""
    return RuleAnswer({"text": _pick(act.options, dice)}, ())


def choose_reason(prepared: "tuple[PreparedReason, ...]", dice: Dice) -> RuleAnswer:
    """Return one of the reasons."""
    return RuleAnswer({"reason": _pick(tuple(each.text for each in prepared), dice)}, ())


def choose_insights(prepared: "tuple[PreparedInsight, ...]", dice: Dice) -> RuleAnswer:
    """Return one or two of the insights."""
    texts = dice.shuffled([each.text for each in prepared], "insights")[: dice.pick((1, 2), "many")]
    return RuleAnswer({"insights": [{"insight": text} for text in texts]}, ())


def choose_conclusion(prepared: "PreparedConclusion", dice: Dice) -> RuleAnswer:
    """Return the first summary, all lines with news, and a feeling."""
    answer: dict[str, object] = {"summary": prepared.summaries[0]}
    if prepared.keep:
        answer["keep"] = list(prepared.keep[:3])
    return RuleAnswer(answer | {"feeling": dice.pick(prepared.feelings, "feeling")}, ())


def choose_steps(inputs: "DecomposeInput", dice: Dice) -> RuleAnswer:
    """Return as many steps as allowed, or one fewer, chosen at random."""
    least, most = inputs.least_and_most()
    count = max(least, dice.pick((most, most - 1), "count"))
    chosen = dice.shuffled(inputs.ideas, "steps")[:count]
    return RuleAnswer({"subtasks": [{"activity": each} for each in chosen]}, ())


def choose_day(inputs: "PlanDayInput", dice: Dice) -> RuleAnswer:
    """Return the usual time to wake up, every promise, and a purpose for each part of the day."""
    names = ("morning", "afternoon", "evening")
    parts = {
        name: dice.pick(ideas, name) for name, ideas in zip(names, inputs.prepared, strict=True)
    }
    wake = inputs.wakes[len(inputs.wakes) // 2]
    go_to = [each.number for each in inputs.promises]
    return RuleAnswer({"wake": wake, "go_to": go_to, **parts}, ())


def _pick(options: tuple[str, ...], dice: Dice) -> str:
    """Return the first option in most cases, otherwise a random one."""
    chosen: str = options[0] if dice.fraction("first") < _FIRST else dice.pick(options, "option")
    return chosen


def choose_hours(inputs: "PlanHoursInput", dice: Dice) -> RuleAnswer:
    """Return one of the ideas for each gap."""
    chosen = {gap.letter: [_pick(gap.ideas, dice)] for gap in inputs.gaps if gap.ideas}
    return RuleAnswer(chosen, ())
