"""`smolville doctor --try`: a table to paste, and how it ends."""

from pathlib import Path

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.lab.trial import samples_of
from tests.cli.conftest import Command
from tests.fixtures.fault_injector import ALWAYS, injected
from tests.fixtures.faults import PASSING
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.loopback import free_port

__all__ = ["llamacpp_url", "tiny_gguf"]
MOMENTS = sum(len(list(samples_of(step))) for step in STEPS)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No Ollama of this machine, no settings of this folder."""
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{free_port()}")
    monkeypatch.chdir(tmp_path)


def tried(url: str) -> tuple[str, ...]:
    """The words that try one step on a server."""
    words = ("--set", "repairs=0", "--steps", "say")
    return ("doctor", "--try", "--model", f"llamacpp:{url}", *words)


def test_the_stand_in_is_tried_on_every_step(smolville: Command) -> None:
    said = smolville("doctor", "--try", "--model", "standin:mistakes=0.3")
    assert said.code == 0, said.err
    for step in STEPS:
        assert f"\n| {step.name} | " in said.out
    assert "| **total** |" in said.out
    assert said.out.startswith("**stand-in**")
    assert f"on {MOMENTS} moments" in said.err


def test_fallbacks_are_a_measurement_and_no_failure(smolville: Command) -> None:
    words = ("--model", "standin:mistakes=1", "--set", "repairs=0", "--steps", "say, react")
    said = smolville("doctor", "--try", *words, "--json")
    assert said.code == 0
    assert list(said.json) == [
        *("model", "kind", "parameters", "quantization", "constrained", "repairs", "examples"),
        *("edited", "program", "date", "seconds"),
        *("total", "steps", "failures", "odd"),
    ]
    assert list(said.json["steps"]) == ["say", "react"]
    assert said.json["total"]["outcomes"]["fallback"] == len(said.json["failures"]) > 0
    assert all(each["problems"] for each in said.json["failures"])


def test_a_step_that_does_not_exist_is_named_with_the_nearest(smolville: Command) -> None:
    said = smolville("doctor", "--try", "--model", "standin", "--steps", "say,reakt")
    assert said.code == 2
    assert "There is no step 'reakt' (did you mean `react`?)" in said.err


def test_a_server_that_is_not_there_is_one_sentence(smolville: Command) -> None:
    said = smolville("doctor", "--try", "--model", f"llamacpp:http://127.0.0.1:{free_port()}")
    assert said.code == 1
    assert said.out == ""
    assert "is it running?" in said.err


def test_faults_that_pass_are_waited_for_from_the_opening_on(
    smolville: Command, llamacpp_url: str
) -> None:
    with injected(llamacpp_url) as injector:
        injector.fault, injector.every = PASSING["loading"], 1
        injector.paths = ("/props", "/v1/chat/completions")
        said = smolville(*tried(injector.url))
    assert said.code == 0, said.err
    assert "| say |" in said.out
    assert "Asking again" in said.err


def test_a_fault_that_stays_ends_it_with_a_sentence(
    smolville: Command, llamacpp_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLVILLE_PATIENCE", "1")
    with injected(llamacpp_url) as injector:
        injector.fault, injector.every, injector.times = PASSING["broken"], 1, ALWAYS
        said = smolville(*tried(injector.url))
    assert said.code == 1
    assert "llama runner process has terminated" in said.err
    assert "last commit" not in said.err, "there is none"
