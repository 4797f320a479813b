"""One believable sample input per step, twice: for golden texts, for the lab and for a first look.

`SAMPLES` is Rosa Marin's Monday in the café, `OTHER_SAMPLES` Milo Varga's Saturday; the two
differ in every value, so that what is the same in both prompts is what all agents share.
"""

from graphs.cards import Card
from graphs.catalogue import STEPS
from graphs.scenes import MILO, ROSA, Scene


def samples_of(scene: Scene) -> dict[str, Card]:
    """Return one input per step, made from one scene."""
    return {step.name: step.sample(scene) for step in STEPS}


SAMPLES: dict[str, Card] = samples_of(ROSA)
"""Step to a sample input in which every list holds something."""

OTHER_SAMPLES: dict[str, Card] = samples_of(MILO)
"""Step to the sample of somebody else at another moment, with what may be empty left empty."""
