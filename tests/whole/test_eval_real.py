"""An evaluation on the real llama.cpp server: its slots are used, and its absence is survived."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.cli.conftest import Command, Said
from tests.fixtures.clumsy import clumsy
from tests.fixtures.fault_injector import ALWAYS, injected
from tests.fixtures.faults import away
from tests.fixtures.llamacpp import SLOTS
from tests.fixtures.loopback import serve
from tests.fixtures.witness import Witness

__all__ = ["clumsy"]

FEW = ("--limit", "8", "--set", "repairs=1", "--set", "patience=0.2")


@dataclass
class Counting(Witness):
    """A witness that counts who asks at the same time."""

    at_once: int = 0
    most: int = 0

    async def answer(self, request: Request) -> Response:
        """Pass a request on, and count it while it is under way."""
        is_chat = request.url.path.endswith("/chat/completions")
        self.at_once += is_chat
        self.most = max(self.most, self.at_once)
        try:
            return await super().answer(request)
        finally:
            self.at_once -= is_chat


@pytest.fixture
def witness(llamacpp_url: str) -> Iterator[Counting]:
    """What stands in front of the real server and counts."""
    standing = Counting(llamacpp_url)
    with serve(standing.app()) as url:
        standing.url = url
        yield standing


@pytest.fixture
def smolville(clumsy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command on the run with mistakes; what it writes goes to a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return Command(clumsy, tmp_path)


def evaluate(smolville: Command, url: str, *words: str) -> Said:
    """What `prompt eval` says of a few moments on a server."""
    model = ("--moments", "clumsy", "--model", f"llamacpp:{url}")
    return smolville("prompt", "eval", *model, *FEW, "--out", "report.jsonl", *words)


def results(path: str = "report.jsonl") -> list[dict[str, Any]]:
    """The results in a file."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()[1:]]


def test_two_variants_use_all_slots_and_no_more(smolville: Command, witness: Counting) -> None:
    Path("mine").mkdir()
    from smolville.prompts.folder import shipped_texts

    for partial in ("_who.jinja", "_setting.jinja"):
        text = shipped_texts()[partial]
        Path("mine", partial).write_text(f"Nothing but JSON.\n{text}")
    said = evaluate(smolville, witness.url, "--prompts", "shipped", "--prompts", "mine", "--json")
    assert said.code == 0, said.err
    assert witness.most == SLOTS
    found = results()
    assert len(found) == 16
    assert len(witness.bodies) == sum(each["attempts"] for each in found)
    one, other = said.json["variants"]
    assert (one["prompts"], other["prompts"]) == ("shipped", "mine")
    asked = [json.dumps(body["messages"]) for body in witness.bodies]
    assert sum("Nothing but JSON." in each for each in asked) == sum(
        each["attempts"] for each in found if each["variant"] == 1
    )
    for each in found:
        assert each["prompt_tokens"] > 100
        assert each["milliseconds"] > 0


def test_a_server_that_goes_away_leaves_what_is_done_and_is_gone_on_with(
    smolville: Command, witness: Counting
) -> None:
    with injected(witness.url) as injector:
        # One answer more than there are slots: a moment is done, whatever the order.
        injector.fault, injector.times, injector.every = away, ALWAYS, 1
        injector.first = SLOTS + 6
        said = evaluate(smolville, injector.url)
        assert said.code == 1
        assert said.out == ""
        before = results()
        assert 0 < len(before) < 8
        told = f"{len(before)} of 8 answers are kept in report.jsonl; the same words go on"
        assert told in said.err
        injector.mend()
        answered = len(witness.bodies)
        said = evaluate(smolville, injector.url, "--json")
    assert said.code == 0, said.err
    after = results()
    assert after[: len(before)] == before
    assert len(after) == 8 == len({each["moment"] for each in after})
    assert len(witness.bodies) - answered == sum(each["attempts"] for each in after[len(before) :])
    assert said.json["missing"] == 0
