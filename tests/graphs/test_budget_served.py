"""The budget against the real llama.cpp server, which refuses what does not fit its slot."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs import say
from smolville.graphs.loop.ledger import Call
from smolville.models.open import open_chat
from tests.fixtures.llamacpp import serve_gguf, tiny_gguf
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, calls_of, context_for
from tests.graphs.test_budget import long_talk, recollections

__all__ = ["tiny_gguf"]

CONTEXT = 8192


@pytest.fixture(scope="module")
def small_server(tiny_gguf: Path) -> Iterator[str]:
    """A server with one slot, whose tokens are small: each prompt has far more than estimated."""
    with serve_gguf(tiny_gguf, slots=1, context=CONTEXT) as url:
        yield url


async def _call(url: str, *, counts: bool) -> Call:
    chat, _ = open_chat(f"llamacpp:{url}", env={})
    if not counts:
        chat = replace(chat, counter=None)
    context = context_for(Scripted(), repairs=0)
    context.client.fast = context.client.strong = chat
    found = recollections(400)
    try:
        await ask(say.STEP, context, long_talk(found), found)
    finally:
        await chat.aclose()
    (call,) = calls_of(context)
    return call


async def test_the_servers_own_count_leaves_no_prompt_to_be_refused(small_server):
    call = await _call(small_server, counts=True)
    assert (call.cuts, call.lost) == (0, "[]")
    assert call.dropped == 400 - len(json.loads(call.inputs)["memories"]) > 0
    assert call.prompt_tokens is not None
    room = CONTEXT - call.max_tokens
    assert 0.9 * room < call.prompt_tokens < room


async def test_where_only_an_estimate_is_had_a_refused_prompt_is_shortened(small_server):
    call = await _call(small_server, counts=False)
    assert call.cuts == len(json.loads(call.lost)) > 0
    assert call.prompt_tokens is not None and call.prompt_tokens < CONTEXT
