"""Let a model choose the keywords of a text.

The step is executed by the same loop as the steps of a mind, but it is not in any list of steps;
its template is beside this file. Code finds the words and keeps the names; the model only chooses,
so that a very small one can do it too.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.agents.errors import RunError
from smolville.agents.keywords import keywords_of
from smolville.graphs.alone import NOBODY, persona_of
from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import Choices, Step
from smolville.graphs.scenes import Scene
from smolville.lab.single_step import PreparedStep, take_alone
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer, read_context_value
from smolville.parsers.problem import one_of, own_problem, reject
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import TemplateSet

NAME = "extract_keywords"
MOST = 6
"""Maximum number of words chosen, besides names."""
MOST_OFFERED = 40
"""Maximum number of words of a text that are offered: the first ones."""


class ExtractKeywordsInput(PromptInput):
    """The inputs that the prompt `extract_keywords` shows."""

    text: str
    words: tuple[str, ...]
    """The words to choose from, in the order of the text."""


class Keywords(Answer):
    """The keywords of a text, as a model chooses them."""

    keywords: Annotated[list[str], Field(min_length=1, max_length=MOST)] = Field(
        description="the keywords, from WORDS, word for word",
        json_schema_extra={"aliases": ["words", "keyword", "topics", "tags"]},
    )

    @field_validator("keywords")
    @classmethod
    def _are_offered(cls, keywords: list[str], info: ValidationInfo) -> list[str]:
        offered = read_context_value(info.context, "words")
        if offered is not None:
            wrong = [each for each in keywords if each not in offered]
            reject(own_problem(each, f". {one_of(each, offered)}", "choice") for each in wrong[:1])
        return keywords

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(keywords=["ferry", "storm", "repair"])


@cache
def keyword_templates() -> TemplateSet:
    """Return the shipped templates together with this step's own."""
    own = files("smolville.lab").joinpath(f"{NAME}.jinja").read_text(encoding="utf-8")
    return TemplateSet({**shipped_texts(), f"{NAME}.jinja": own})


def context(inputs: ExtractKeywordsInput) -> dict[str, Any]:
    """Return the words offered."""
    return {"words": list(inputs.words)}


def choices(inputs: ExtractKeywordsInput) -> Choices:
    """Return the values to which a server may restrict the fields of the answer."""
    return {"keywords[]": list(inputs.words)}


def fallback(inputs: ExtractKeywordsInput) -> Keywords:
    """Return the first words; the caller can see that it is a fallback."""
    return Keywords(keywords=list(inputs.words[:MOST]))


def standin(inputs: ExtractKeywordsInput, dice: Dice) -> RuleAnswer:
    """Return the longest words: a fixed rule, not a judgement."""
    longest = sorted(inputs.words, key=lambda word: (-len(word), word))[: MOST // 2]
    return RuleAnswer({"keywords": longest}, used=tuple(longest))


def sample(scene: Scene) -> ExtractKeywordsInput:
    """Return sample inputs for the prompt, made from a scene."""
    return _inputs(scene.me.learned, keywords_of(scene.me.learned, [scene.me.name]))


STEP = Step(
    name=NAME,
    about="which words of a text are its keywords",
    inputs=ExtractKeywordsInput,
    answer=Keywords,
    gather=take_given,
    apply=keep_answer,
    fallback=fallback,
    sample=sample,
    standin=standin,
    seen=StepState,
    context=context,
    choices=choices,
    temperature=0.0,
    max_tokens=120,
    templates=keyword_templates,
)


class ChosenKeywords(NamedTuple):
    """The keywords of a text."""

    keywords: tuple[str, ...]
    """Names and chosen words, in the order of the text."""
    is_by_rule: bool = False
    """True if the model gave no usable answer; the keywords are then all words found by rule."""


async def choose_keywords(text: str, names: Iterable[str], client: ModelClient) -> ChosenKeywords:
    """Return the names in a text, and those of its other words that a model chooses.

    `names` are names known from elsewhere. No model is asked if there is no choice. Raises RunError
    for a text that is too long for the model.
    """
    found = keywords_of(text, names)
    inputs = _inputs(text, found)
    if len(inputs.words) < 2:
        return ChosenKeywords(found)
    use = PreparedStep(
        step=STEP, inputs=inputs, persona=persona_of(NOBODY), owner="keywords", tick=0
    )
    ending = await take_alone(client, use)
    if ending.outcome is None:
        raise RunError(f"The text is too long for this model. {' '.join(ending.problems)}")
    if ending.outcome == "fallback" or not isinstance(ending.answer, Keywords):
        return ChosenKeywords(found, is_by_rule=True)
    chosen = {*ending.answer.keywords}
    return ChosenKeywords(tuple(each for each in found if _is_name(each) or each in chosen))


def _inputs(text: str, found: Sequence[str]) -> ExtractKeywordsInput:
    """Return the prompt's inputs: the text, and those of its keywords that are not names."""
    words = [each for each in found if not _is_name(each)]
    return ExtractKeywordsInput(text=text, words=tuple(words[:MOST_OFFERED]))


def _is_name(keyword: str) -> bool:
    """Return whether a keyword is a name: only names keep their capitals."""
    return keyword != keyword.casefold()
