"""Wrap a graph for Studio: take a form, open the model, and return the graph's result."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import ValidationError

from smolville.agents.errors import SmolvilleError, StoppedError
from smolville.graphs.loop.graph import Graph, compile_graph
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.studio.form import Form, FormError, WhoAnswered, in_words, read_form
from smolville.models.chat import Chat
from smolville.models.errors import ModelError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.prompts.errors import PromptError
from smolville.prompts.folder import OVERLAYS, read_overlaid_texts, shipped_overlays
from smolville.prompts.prompt import TemplateBook, TemplateSet

PATIENCE_SECONDS = 20.0
"""Seconds after which an absent server is given up; fewer than in a run, since a person is
waiting."""
MODEL_VARIABLE = "SMOLVILLE_MODEL"


@dataclass(frozen=True, kw_only=True)
class GraphResources:
    """The resources of one run of a graph."""

    client: ModelClient
    journal: MemoryJournal = field(repr=False)
    why: str
    """Which model answers, and why it was chosen."""


@asynccontextmanager
async def open_form(form: Form) -> AsyncIterator[GraphResources]:
    """Open the model and the templates that a form names; close the model at the end.

    Files and servers are accessed in a thread, because LangGraph's server refuses calls that block
    its event loop.
    """
    chat, why, templates = await asyncio.to_thread(_open, form)
    journal = MemoryJournal()
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=journal,
        seed=form.seed,
        backoff=Backoff(patience_seconds=PATIENCE_SECONDS),
        templates=TemplateBook(templates),
    )
    try:
        yield GraphResources(client=client, journal=journal, why=why)
    finally:
        await chat.aclose()


def _open(form: Form) -> tuple[Chat, str, TemplateSet]:
    """Return the model, why it was chosen, and the templates."""
    templates = TemplateSet(read_overlaid_texts(_folder(form.prompts)))
    spec = form.model.strip() or os.environ.get(MODEL_VARIABLE, "").strip()
    chat, why = open_chat(UserSpec(spec) if spec else None, seed=form.seed)
    return chat, why, templates


def _folder(name: str) -> Path | None:
    """Return the folder of templates with that name; None for the shipped templates alone."""
    name = name.strip()
    if name in ("", "shipped"):
        return None
    return OVERLAYS / name if name in shipped_overlays() else Path(name).expanduser()


@contextmanager
def explain_errors() -> Iterator[None]:
    """Turn every error that an operator can fix into a FormError of one sentence."""
    try:
        yield
    except FormError:
        raise
    except ValidationError as error:
        raise FormError(in_words(error)) from None
    except StoppedError as error:
        # The sentences about commits in a run's error messages do not apply here.
        cause = error.__cause__
        raise FormError(str(cause if isinstance(cause, ModelError) else error)) from error
    except (SmolvilleError, ModelError, PromptError) as error:
        raise FormError(str(error)) from error


StudioGraph = CompiledStateGraph[Any, Any, Any, Any]
F = TypeVar("F", bound=Form)


def studio_graph(
    name: str,
    form: type[F],
    told: type[WhoAnswered],
    live: Callable[[F, GraphResources], Awaitable[WhoAnswered]],
    inner: Graph,
) -> StudioGraph:
    """Return a graph of a single node that takes a form and runs `inner` with its values.

    Its state is plain data, so any checkpointer of the platform can store it. The inner graph has
    its own state, which is stored nowhere. It is drawn, and streamed while it runs.
    """

    async def run(state: dict[str, Any]) -> dict[str, Any]:
        with explain_errors():
            filled = read_form(form, state)
            async with open_form(filled) as means:
                done = await live(filled, means)
        return done.model_dump(mode="json")

    fields = dict.fromkeys([*form.model_fields, *told.model_fields], Any)
    state = cast(Any, TypedDict)(f"{name}_state", fields, total=False)
    graph = StateGraph(state, input_schema=form, output_schema=told)
    graph.add_node(name, cast(Any, run), input_schema=state)
    graph.add_edge(START, name)
    graph.add_edge(name, END)
    made: StudioGraph = compile_graph(graph, name, None, **{name: inner})
    return made
