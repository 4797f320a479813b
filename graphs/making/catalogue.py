"""All steps that make towns and people, and the check of templates for them."""

from smolville.graphs.loop.step import AnyStep
from smolville.graphs.making import (
    choose_habits,
    invent_person,
    invent_town,
    name_places,
    tell_bond,
    tell_memories,
    tell_story,
)
from smolville.graphs.scenes import ROSA
from smolville.prompts.contract import FAULTS
from smolville.prompts.errors import PromptContractError, PromptError
from smolville.prompts.folder import Texts
from smolville.prompts.prompt import TemplateSet

MAKING: tuple[AnyStep, ...] = (
    invent_town.STEP,
    name_places.STEP,
    invent_person.STEP,
    tell_story.STEP,
    choose_habits.STEP,
    tell_memories.STEP,
    tell_bond.STEP,
)
"""The steps, in the order in which they are run."""


def check_making_templates(texts: Texts) -> TemplateSet:
    """Return templates that can be used. Raises PromptError, with file and line, otherwise.

    Every step must find its template, and each template must fit its input model and render the
    step's sample.
    """
    try:
        templates = TemplateSet(texts)
        for step in MAKING:
            templates.prompt(step).render(step.sample(ROSA))
        templates.repair.text(["A problem."], cut=False, missing=None, shortened=False)
    except PromptError:
        raise
    except FAULTS as error:
        raise PromptContractError(f"the templates cannot be read: {error}") from error
    return templates
