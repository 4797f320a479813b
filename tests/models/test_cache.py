"""The response cache: what is kept, for whom, and what it refuses."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.models.cache import FILE, ReplyCache
from smolville.models.errors import CacheError
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings
from tests.fixtures.waiting import HANGING

ROOT = Path(__file__).parents[2]
REPLY = Reply(
    text='{"say": "Good morning, Ada 🍞"}\x00',
    finish="length",
    prompt_tokens=812,
    completion_tokens=64,
    thinking_tokens=12,
    cached_tokens=700,
    milliseconds=1234.5,
    prompt_ms=200.0,
    reply_ms=1000.0,
    thinking="Let me see.",
)


def opened(folder: Path, **settings: object) -> ReplyCache:
    return ReplyCache(folder, replace(ModelSettings(), **settings))


def test_a_reply_comes_back_as_it_was_and_took_no_time(tmp_path: Path) -> None:
    cache = opened(tmp_path / "deep" / "cache")
    assert cache.find_stored("k") is None
    cache.store("k", REPLY)
    assert cache.find_stored("other") is None
    cache.close()
    again = opened(tmp_path / "deep" / "cache")
    assert again.find_stored("k") == replace(REPLY, milliseconds=0.0, prompt_ms=None, reply_ms=None)
    again.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_ctx", 4096),
        ("thinking", True),
    ],
)
def test_replies_to_other_settings_are_not_given(tmp_path: Path, name: str, value: object) -> None:
    first, second = opened(tmp_path), opened(tmp_path, **{name: value})
    first.store("k", REPLY)
    assert first.find_stored("k") is not None
    assert second.find_stored("k") is None
    first.close()
    second.close()


@pytest.mark.parametrize(
    "spoilt", [b"no database at all" * 400, b"SQLite format 3\x00" + b"\xff" * 4080]
)
def test_a_damaged_file_is_told_in_one_sentence(tmp_path: Path, spoilt: bytes) -> None:
    (tmp_path / FILE).write_bytes(spoilt)
    with pytest.raises(CacheError, match=rf"{FILE} (is damaged|cannot be used)") as caught:
        opened(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_damaged_row_is_told(tmp_path: Path) -> None:
    import sqlite3

    cache = opened(tmp_path)
    cache.store("k", REPLY)
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("UPDATE replies SET reply = '{\"text\": '")
    other.close()
    with pytest.raises(CacheError, match="is damaged: remove that file"):
        cache.find_stored("k")
    cache.close()


CHILD = """
import sys
from pathlib import Path
from smolville.models.cache import ReplyCache
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings
folder, name = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.read()
for number in range(10):
    ReplyCache(folder / f"begun {number}", ModelSettings()).close()
cache = ReplyCache(folder, ModelSettings())
for number in range(40):
    cache.store(f"shared {number}", Reply(text=name))
    cache.store(f"{name} {number}", Reply(text=name))
    assert cache.find_stored(f"shared {number}") is not None
cache.close()
"""


def test_several_processes_begin_and_fill_one_cache_at_the_same_time(tmp_path: Path) -> None:
    names = ["ada", "ben", "cora"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", CHILD, str(tmp_path)]
    children = [subprocess.Popen([*command, name], cwd=ROOT, **pipes) for name in names]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.close()
        child.stdin = None
    assert [child.communicate(timeout=HANGING)[1] for child in children] == [b""] * 3
    assert [child.returncode for child in children] == [0] * 3
    cache = opened(tmp_path)
    for name in names:
        assert all(cache.find_stored(f"{name} {number}") for number in range(40))
    found = [cache.find_stored(f"shared {number}") for number in range(40)]
    assert all(reply is not None and reply.text in names for reply in found)
    cache.close()
