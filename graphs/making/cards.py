"""Values shown by the prompts about a new town and its people."""

from smolville.graphs.prompt_inputs import PromptInput


class TownCard(PromptInput):
    """A town as a prompt shows it."""

    name: str
    description: str


class KindCard(PromptInput):
    """A kind of place, as a prompt shows it."""

    name: str
    about: str


class SketchCard(PromptInput):
    """The facts known so far about a new person."""

    name: str
    first_name: str
    age: int
    traits: str
    job: str
    work: str
    """The place where they work, or `none`."""


class BeginningCard(PromptInput):
    """The beginning of a memory."""

    number: int
    text: str


HOLLIN = TownCard(
    name="Hollin Ridge",
    description="Hollin Ridge is a slate village on a windy hill, far from any railway.",
)
"""A town for samples."""
