"""One believable sample input per step, for two people: for golden texts, the lab and first tries.

`SAMPLES` is Rosa Marin's Monday in the café, `OTHER_SAMPLES` Milo Varga's Saturday; the two differ
in every value, so that whatever is the same in both prompts is shared by all agents.
"""

from graphs.catalogue import STEPS
from graphs.prompt_inputs import PromptInput
from graphs.scenes import MILO, ROSA, Scene


def samples_of(scene: Scene) -> dict[str, PromptInput]:
    """Return one input per step, made from one scene."""
    return {step.name: step.sample(scene) for step in STEPS}


SAMPLES: dict[str, PromptInput] = samples_of(ROSA)
"""Step to a sample input in which no list is empty."""

OTHER_SAMPLES: dict[str, PromptInput] = samples_of(MILO)
"""Step to another person's sample at another moment, with everything empty that may be empty."""
