"""Choose when a new person gets up and goes to bed, and what they do after work."""

from typing import Any

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Choices, Step
from smolville.graphs.making.cards import SketchCard
from smolville.graphs.making.tell_story import sketch_of
from smolville.graphs.making.words import fallback_by_rule, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.clock import clock_text
from smolville.parsers.making.choose_habits import ChosenHabits, earliest_bed, latest_wake
from smolville.prompts.making import making_templates


class ChooseHabitsInput(PromptInput):
    """The inputs that the prompt `choose_habits` shows."""

    person: SketchCard
    story: str
    opens: str
    """Time at which their work begins, `09:00`; empty without work."""
    closes: str
    up_until: str
    """Latest time for getting up, `08:15`."""
    bed_from: str
    """Earliest time for going to bed, `20:00`."""
    places: tuple[str, ...]
    """Places where they can spend their free hours."""


def context(inputs: ChooseHabitsInput) -> dict[str, Any]:
    """Return the hours of work, and the places offered."""
    found: dict[str, Any] = {"places": inputs.places}
    if inputs.opens:
        found |= {"opens": inputs.opens, "closes": inputs.closes}
    return found


def choices(inputs: ChooseHabitsInput) -> Choices:
    """Return the values to which a server may restrict the fields of the answer."""
    return {"place": list(inputs.places)}


def standin(inputs: ChooseHabitsInput, dice: Dice) -> RuleAnswer:
    """Return hours that leave time before and after work."""
    latest, earliest = latest_wake(inputs.opens), earliest_bed(inputs.closes)
    wake = min(latest, 6 * 60 + 15 * (dice.draw("wake") % 9))
    bed = max(earliest, 21 * 60 + 15 * (dice.draw("bed") % 9))
    answer = {
        "wake": clock_text(wake),
        "bed": clock_text(bed),
        "pastime": dice.pick(words("pastimes"), "pastime"),
        "place": dice.pick(inputs.places, "place"),
    }
    return RuleAnswer(answer, used=(str(answer["place"]),))


def sample(scene: Scene) -> ChooseHabitsInput:
    """Return sample inputs for the prompt, made from a scene."""
    return ChooseHabitsInput(
        person=sketch_of(scene),
        story=scene.me.learned,
        opens="09:00",
        closes="17:00",
        up_until="08:15",
        bed_from="20:00",
        places=(scene.me.home, scene.place),
    )


STEP = Step(
    name="choose_habits",
    about="when somebody gets up, and what they do after work",
    inputs=ChooseHabitsInput,
    answer=ChosenHabits,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(ChosenHabits, standin),
    standin=standin,
    context=context,
    choices=choices,
    tier="strong",
    max_tokens=160,
    templates=making_templates,
)
