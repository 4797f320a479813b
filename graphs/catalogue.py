"""All cognitive steps, a sample input for each, and the templates that a run uses.

`SAMPLES` is Rosa Marin's Monday in the café, `OTHER_SAMPLES` Milo Varga's Saturday; the two differ
in every value, so a text that is the same in both prompts is the same for all agents.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from smolville.graphs import (
    advance_plot,
    answer_interview,
    choose_happening,
    choose_place,
    conclude_talk,
    decompose,
    dream,
    ground_block,
    heed_inner_voice,
    plan_day,
    plan_hours,
    rate_importance,
    react,
    reflect_insights,
    reflect_questions,
    replan,
    revise_goal,
    revise_identity,
    say,
    wander,
)
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.scenes import MILO, ROSA, Scene
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.facts import TemplateFacts
from smolville.prompts.folder import LANGUAGE
from smolville.prompts.prompt import TemplateSet

ENTITY: tuple[AnyStep, ...] = (choose_happening.STEP, advance_plot.STEP)
"""The steps of entities other than people."""
STEPS: tuple[AnyStep, ...] = (
    conclude_talk.STEP,
    heed_inner_voice.STEP,
    rate_importance.STEP,
    dream.STEP,
    revise_goal.STEP,
    wander.STEP,
    revise_identity.STEP,
    plan_day.STEP,
    plan_hours.STEP,
    react.STEP,
    replan.STEP,
    decompose.STEP,
    ground_block.STEP,
    choose_place.STEP,
    reflect_questions.STEP,
    reflect_insights.STEP,
    say.STEP,
    answer_interview.STEP,
    *ENTITY,
)
"""All steps: those of a thought in the order of its phases (`graphs.phases` has the phases), then
those of talks, interviews and entities."""
SENSE = "sense"
"""Name under which a run stores the language of its templates, by which answers are judged."""


class Template(NamedTuple):
    """A template as a run stores it."""

    version: str
    files: dict[str, str]
    """Texts of the template and its partials, by file name."""


def collect_templates(
    templates: TemplateSet, *, with_examples: bool = False
) -> dict[str, Template]:
    """Return the templates of all steps, of the repair message and of the examples, by name.

    If `with_examples` is True, only the steps' templates are returned, and the template of the
    examples counts as a part of each template that shows them, also in its version. The templates'
    language, if it is not English, is returned as `sense`. Raises PromptContractError for a
    template that does not fit its step.
    """
    prompts = {step.name: templates.prompt(step) for step in STEPS}
    if with_examples:
        return {name: _to_stored_template(prompt.with_examples) for name, prompt in prompts.items()}
    found = {name: _to_stored_template(prompt.facts) for name, prompt in prompts.items()}
    found["repair"] = _to_stored_template(templates.repair.facts)
    found["examples"] = _to_stored_template(templates.examples)
    if LANGUAGE in templates.texts:
        language = {LANGUAGE: templates.texts[LANGUAGE]}
        found[SENSE] = _to_stored_template(TemplateFacts(texts=language))
    return found


def _to_stored_template(facts: TemplateFacts) -> Template:
    """Return a template and its partials in the form in which a run stores them."""
    return Template(facts.version, dict(facts.texts))


class Samples(Mapping[str, PromptInput]):
    """One sample input for each step, made from one scene on first use."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._steps = {step.name: step for step in STEPS}
        self._made: dict[str, PromptInput] = {}

    def __getitem__(self, name: str) -> PromptInput:
        """Return the sample of the step with this name."""
        if name not in self._made:
            self._made[name] = self._steps[name].sample(self._scene)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)


SAMPLES = Samples(ROSA)
"""Sample inputs by step, in which no list is empty."""

OTHER_SAMPLES = Samples(MILO)
"""Another person's sample inputs at another moment, in which everything is empty that may be."""
