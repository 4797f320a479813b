"""The prompts under test, bound to their sample inputs and to the answers that read the replies."""

import importlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import Environment

from smolville.graphs.catalogue import SAMPLES
from smolville.parsers.answer import Answer
from smolville.parsers.instructions import format_instructions
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.environment import open_environment
from smolville.prompts.folder import FOLDER, read_overlaid_texts
from smolville.prompts.prompt import Prompt

ANSWER = re.compile(r"\{# [^.]+: the answer is read as (\w+)\. #\}")

BoundPrompt = Prompt[PromptInput]
AnswerOf = Callable[[str], type[Answer]]
PromptOf = Callable[[str], BoundPrompt]
Overlay = Callable[[str, str], Environment]


@pytest.fixture(scope="session")
def answer_of() -> AnswerOf:
    """Return the answer type that a step's template names in its first line."""

    def find(step: str) -> type[Answer]:
        first = (FOLDER / f"{step}.jinja").read_text(encoding="utf-8").splitlines()[0]
        named = ANSWER.fullmatch(first)
        assert named, f"{step}.jinja must begin with a comment that names its answer: {first}"
        answer = getattr(importlib.import_module(f"smolville.parsers.{step}"), named[1])
        assert issubclass(answer, Answer)
        return answer

    return find


@pytest.fixture(scope="session")
def prompt_of(answer_of: AnswerOf) -> PromptOf:
    """Return a step's prompt with the real instructions of its answer."""
    return lambda step: Prompt(step, type(SAMPLES[step]), format_instructions(answer_of(step)))


@pytest.fixture
def overlay(tmp_path: Path) -> Overlay:
    """Write an edited template, and return the shipped ones with it laid over them."""

    def write(file: str, text: str) -> Environment:
        (tmp_path / file).write_text(text, encoding="utf-8")
        return open_environment(read_overlaid_texts(tmp_path))

    return write
