"""The prompts of a morning find their beginnings in a real server's cache."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.prefix_cache import calls_of_a_day, replay
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings


def test_prompts_of_a_night_share_their_beginnings(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    pytest.importorskip("gguf", reason="gguf is not installed: no model can be written")
    from tests.fixtures.tiny_gguf import write_tiny_gguf

    path = tmp_path / "tiny.gguf"
    write_tiny_gguf(path)
    day = calls_of_a_day(1, 15, 0)
    chat, _ = open_chat(
        f"gguf:{path}?num_ctx=8192,slots=2,threads=1", settings=ModelSettings(constrain="none")
    )
    shares = asyncio.run(replay(chat, day, "ours"))
    split = shares.steps["decompose"]
    assert sum(len(tick) for tick in day) > 3
    assert sum(part.untold for part in shares.steps.values()) == 0
    assert split.share > 0.5, "the blocks of one person differ at the end only"
