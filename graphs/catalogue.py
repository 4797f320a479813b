"""Every cognitive step there is, and the templates a run asks with."""

from typing import NamedTuple

from graphs import answer_interview, say
from graphs.loop.step import AnyStep
from graphs.phases import PHASES
from prompts.contract import Facts
from prompts.folder import JUDGING
from prompts.prompt import TemplateSet

TALK: tuple[AnyStep, ...] = (say.STEP,)
"""Those of a talk."""
INTERVIEW: tuple[AnyStep, ...] = (answer_interview.STEP,)
"""Those of an interview, one after another."""
STEPS: tuple[AnyStep, ...] = (
    *(step for phase in PHASES for step in phase.steps),
    *TALK,
    *INTERVIEW,
)
"""All of them: those of a thought in its phases' order, of a talk, of an interview."""
SENSE = "sense"
"""Names, among the templates that a run keeps, the files that answers are judged by."""


class Template(NamedTuple):
    """A template as a run keeps it."""

    version: str
    files: dict[str, str]
    """File name to text: the template and its partials."""


def kept(templates: TemplateSet, *, with_examples: bool = False) -> dict[str, Template]:
    """Return every step's template by the step's name, the repair message's, and the examples'.

    What shows examples is part of a template that shows them, and of its version: `with_examples`
    gives those. A prompt without examples has the version it would have if there were none. What
    answers are judged by, where a folder says so, is kept as `sense`.
    Raises PromptContractError when one does not fit its step.
    """
    prompts = {step.name: templates.prompt(step) for step in STEPS}
    if with_examples:
        return {name: _kept(prompt.with_examples) for name, prompt in prompts.items()}
    found = {name: _kept(prompt.facts) for name, prompt in prompts.items()}
    found["repair"] = _kept(templates.repair.facts)
    found["examples"] = _kept(templates.examples)
    judging = {name: templates.texts[name] for name in JUDGING if name in templates.texts}
    if judging:
        found[SENSE] = _kept(Facts(texts=judging))
    return found


def _kept(facts: Facts) -> Template:
    """Return a template and its partials as a run keeps them."""
    return Template(facts.version, dict(facts.texts))
