"""What the tests of an evaluation ask with."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx
from langchain_core.outputs import ChatResult
from pydantic import PrivateAttr

from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.lab.evaluation.asking import ready
from smolville.lab.evaluation.evaluate import EvaluationSpec, Variant
from smolville.lab.evaluation.results import VariantName
from smolville.lab.moments.moment import Moment
from smolville.models.chat import Chat
from smolville.models.standin.model import StandIn
from smolville.prompts.folder import Texts, shipped_texts
from smolville.prompts.prompt import TemplateBook, TemplateSet
from tests.fixtures.clumsy import CLUMSY, SEED
from tests.whole.lives import standin


def client(chat: Chat | None = None, texts: Texts | None = None, **more: Any) -> ModelClient:
    """A desk with one model and one set of templates."""
    chat = chat or standin(SEED, CLUMSY)
    book = TemplateBook(TemplateSet.of(shipped_texts() if texts is None else texts))
    return ModelClient(
        fast=chat, strong=chat, journal=MemoryJournal(), seed=0, templates=book, **more
    )


def variant(
    spec: str = CLUMSY,
    texts: Texts | None = None,
    prompts: str = "shipped",
    chat: Chat | None = None,
) -> Variant:
    """A variant on the stand-in, or on another chat."""
    chat = chat or standin(SEED, spec)
    name = VariantName(prompts=prompts, model=chat.spec)
    return Variant(name=name, chat=chat, templates=TemplateSet(texts))


def question(
    moments: Sequence[Moment], *variants: Variant, turns: int = 1, rules: Rules | None = None
) -> EvaluationSpec:
    """A question to the variants, the clumsy one unless others are given."""
    return EvaluationSpec(
        variants=variants or (variant(),),
        moments=tuple(map(ready, moments)),
        turns=turns,
        rules=rules or Rules(),
    )


def edited(file: str, old: str, new: str) -> Texts:
    """The shipped templates with one of them changed."""
    texts = dict(shipped_texts())
    assert old in texts[file]
    return {**texts, file: texts[file].replace(old, new)}


class Slow(StandIn):
    """A stand-in that takes its time, and counts who asks at the same time."""

    _at_once: int = PrivateAttr(0)
    _most: int = PrivateAttr(0)
    _asked: int = PrivateAttr(0)
    _ends_after: int | None = PrivateAttr(None)

    @property
    def most(self) -> int:
        """The most calls that were in flight together."""
        return self._most

    @property
    def asked(self) -> int:
        """How many calls came."""
        return self._asked

    def end_after(self, calls: int | None) -> None:
        """Go away for good after so many calls."""
        self._asked, self._ends_after = 0, calls

    async def _agenerate(self, *given: Any, **more: Any) -> ChatResult:
        self._asked += 1
        if self._ends_after is not None and self._asked > self._ends_after:
            raise httpx.ConnectError("nobody is there")
        self._at_once += 1
        self._most = max(self._most, self._at_once)
        await asyncio.sleep(0.002)
        self._at_once -= 1
        return await super()._agenerate(*given, **more)


def slow(slots: int = 3) -> tuple[Chat, Slow]:
    """A chat of so many slots with a model that takes its time and makes mistakes."""
    made = standin(SEED, CLUMSY)
    assert isinstance(made.model, StandIn)
    model = Slow(seed=made.model.seed, rates=made.model.rates)
    return replace(made, model=model, slots=slots), model
