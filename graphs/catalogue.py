"""All cognitive steps, a sample input for each, and the templates that a run uses.

`SAMPLES` is Rosa Marin's Monday in the café, `OTHER_SAMPLES` Milo Varga's Saturday; the two differ
in every value, so a text that is the same in both prompts is the same for all agents.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from smolville.graphs import (
    advance_plot,
    answer_interview,
    choose_happening,
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
from smolville.graphs.loop.budget import TrimmedPrompt, too_small
from smolville.graphs.loop.rules import AS_DECLARED, Rules
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.scenes import MILO, ROSA
from smolville.models.chat import Chat
from smolville.models.tokens import estimate_prompt
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.contract import FAULTS
from smolville.prompts.errors import PromptContractError, PromptError, PromptFolderError
from smolville.prompts.examples import ShippedCase, examples_template, examples_text, shipped_cases
from smolville.prompts.facts import TemplateFacts
from smolville.prompts.folder import LANGUAGE, Texts, shipped_texts, strange_name
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
    reflect_questions.STEP,
    reflect_insights.STEP,
    say.STEP,
    answer_interview.STEP,
    *ENTITY,
)
"""All steps: those of a thought in the order of its phases (`graphs.mind` has the phases), then
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
    return Template(facts.version, dict(facts.texts))


SAMPLES: Mapping[str, PromptInput] = {step.name: step.sample(ROSA) for step in STEPS}
"""Sample inputs by step, in which no list is empty."""

OTHER_SAMPLES: Mapping[str, PromptInput] = {step.name: step.sample(MILO) for step in STEPS}
"""Another person's sample inputs at another moment, in which everything is empty that may be."""


CASE = ShippedCase("A case.", {"thought": "An answer."})
"""Example case that is rendered for steps without shipped cases."""

SPARE = 1.2
"""Safety factor for prompts. Samples are ordinary moments and their tokens are estimated; crowded
moments need up to a fifth more."""


def check_templates(texts: Texts) -> TemplateSet:
    """Return templates that can be used. Raises PromptError, with file and line, otherwise.

    Every step must find its template, and each template must fit its input model and render the
    step's samples.
    """
    try:
        check_names([name for name in texts if not name.startswith("_")], shipped_texts())
        templates = TemplateSet(texts)
        used = {name for each in collect_templates(templates).values() for name in each.files}
        check_names(texts, {*shipped_texts(), *used})
        _check_shown(templates)
    except PromptError:
        raise
    except FAULTS as error:
        raise PromptContractError(f"the templates cannot be read: {error}") from error
    return templates


def check_names(names: Iterable[str], known: Collection[str]) -> None:
    """Raise PromptFolderError for the first file that nothing uses."""
    for name in sorted(names):
        wrong = strange_name(name, known)
        if wrong:
            raise PromptFolderError(wrong)


def _check_shown(templates: TemplateSet) -> None:
    for step in STEPS:
        prompt = templates.prompt(step)
        for samples in (SAMPLES, OTHER_SAMPLES):
            prompt.render(samples[step.name])
    check_others(templates)


def check_others(templates: TemplateSet) -> None:
    """Raise PromptContractError if the examples or the repair message cannot be rendered."""
    cases = examples_template(templates.environment)
    for step in STEPS:
        shown = shipped_cases(step.name) or (CASE,)
        examples_text(cases, [(each.case, str(each.answer)) for each in shown])
    for missing in (None, "2, 4"):
        for cut in (False, True):
            templates.repair.text(["A problem."], cut=cut, missing=missing, shortened=cut)


class TokenNeed(NamedTuple):
    """The fewest tokens that a step needs: its prompt without anything that can be left out."""

    step: str
    prompt: int
    """Estimated tokens of its prompt."""
    reply: int
    """Maximum number of tokens of its reply."""

    @property
    def tokens(self) -> int:
        """Tokens of prompt and reply together."""
        return self.prompt + self.reply


def needs(rules: Rules, templates: TemplateSet) -> list[TokenNeed]:
    """Return the minimum number of tokens of each step, judged by its sample."""
    return [
        TokenNeed(
            step.name, prompt, rules.steps.get(step.name, AS_DECLARED).max_tokens or step.max_tokens
        )
        for step, prompt in zip(STEPS, _prompts(templates), strict=True)
    ]


def check_contexts(chats: tuple[Chat, Chat], rules: Rules, templates: TemplateSet) -> None:
    """Raise ContextError when a step does not fit a model that may be asked.

    Steps of the fast tier have to fit both models, since the strong one may be asked for a repair.
    """
    asked = needs(rules, templates)
    fast = [each for step, each in zip(STEPS, asked, strict=True) if rules.tier_of(step) == "fast"]
    for chat, own in zip(chats, (fast, asked), strict=True):
        most = max(own, key=lambda need: need.tokens, default=None)
        room, thinking = chat.num_ctx, chat.thinking_tokens
        if room is not None and most is not None and most.tokens + thinking > room:
            raise too_small(chat.spec, most.step, most.prompt, most.reply + thinking, room)


@lru_cache(maxsize=4)
def _prompts(templates: TemplateSet) -> tuple[int, ...]:
    return tuple(shortest(step, templates) for step in STEPS)


def shortest(step: AnyStep, templates: TemplateSet) -> int:
    """Return the size in tokens of a step's shortest prompt, estimated from its sample."""
    whole = TrimmedPrompt(step=step, prompt=templates.prompt(step), whole=SAMPLES[step.name])
    return math.ceil(SPARE * estimate_prompt(whole.without(len(whole.order)).messages()))
