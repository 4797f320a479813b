"""`prompt eval --score`: a function's or a reader's scores, beside the answers of then and dice."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from smolville.cli.prompt.again import ModelOptions
from smolville.lab.judging.reading import CLAIM_STEP, STEP, labelled_items
from smolville.models.chat import Chat
from tests.cli.conftest import Command, Said
from tests.cli.test_prompt_eval import smolville
from tests.fixtures.clumsy import CLUMSY, clumsy
from tests.fixtures.scripted import Scripted, chat_of
from tests.lab.judging.test_reading import perfect

__all__ = ["clumsy", "smolville"]

SPEC = "openai:http://127.0.0.1:9/v1#reader"
SCORER = """
def short(answer, inputs):
    assert inputs["me"]["name"]
    return len(answer["text"].split()) < 12


def share(answer, inputs):
    return 0.25


def wrong(answer, inputs):
    return answer["words"]


def valid(answer, inputs):
    return True


def much(answer, inputs):
    return 7
"""


@pytest.fixture
def scorer(tmp_path: Path) -> Path:
    """A file of scorers."""
    path = tmp_path / "scorers.py"
    path.write_text(SCORER)
    return path


def evaluate(smolville: Command, *words: str) -> Said:
    """What `prompt eval` says of a dozen lines of talks."""
    asked = ("--moments", "clumsy", "--model", CLUMSY, "--limit", "12")
    return smolville("prompt", "eval", "say", *asked, *words)


def test_functions_are_scores_beside_then_and_dice(smolville: Command, scorer: Path) -> None:
    words = [f"--score={scorer}:short", f"--score={scorer}:share"]
    said = evaluate(smolville, *words, "--prompts", "shipped", "--prompts", "german", "--json")
    assert said.code == 0, said.err
    short, share = said.json["scores"]["short"], said.json["scores"]["share"]
    assert list(short) == ["1", "2", "as it was", "dice"]
    assert short["1"] == short["as it was"] and short["1"]["of"] == 12
    assert share["dice"]["count"] == 3.0
    (comparison,) = said.json["comparisons"]
    assert comparison["share"]["verdict"] == "same"
    assert evaluate(smolville, *words).out.count("as it was") == 1
    listed = smolville("prompt", "history").out
    assert "beside 1:" in listed and "share no difference at all" in listed


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--score", "{folder}/none.py:short"), "there is no such file of Python"),
        (("--score", "{folder}/scorers.py:none"), "the file has no function 'none'"),
        (("--score", "{folder}/broken.py:none"), "cannot be loaded: SyntaxError"),
        (("--score", "{folder}/scorers.py:wrong"), "(say): KeyError: 'words'."),
        (("--score", "{folder}/scorers.py:valid"), "there is a measure 'valid' already"),
        (("--score", "{folder}/scorers.py:much"), "is 7; return True, False or a number"),
        (("--score", "mentions a third person"), "name the model that reads, with --reader"),
    ],
)
def test_a_scorer_that_cannot_be_is_one_sentence_before_any_question(
    smolville: Command, scorer: Path, words: tuple[str, ...], told: str
) -> None:
    scorer.with_name("broken.py").write_text("def none(:")
    said = evaluate(smolville, *(word.format(folder=scorer.parent) for word in words))
    assert said.code == 2, said
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert not (smolville.runs / ".evals").exists()


def reading(monkeypatch: pytest.MonkeyPatch, *, is_good: bool) -> Scripted:
    """Let a scripted model be the reader; it hears a claim in lines that ask something."""
    known = {item.inputs.model_dump_json(): item for item in labelled_items()}

    def reply(step: str, inputs: Mapping[str, Any]) -> object:
        if step == CLAIM_STEP.name:
            asks = any("?" in line for line in inputs["told"])
            return {"reason": "So it is.", "verdict": "yes" if asks else "no"}
        item = known[STEP.inputs.model_validate(inputs).model_dump_json()]
        return {"reason": "So it is.", "verdict": perfect(item) if is_good else "sensible"}

    model, others = Scripted(otherwise=reply), ModelOptions.open_chats

    def opened(self: ModelOptions, seed: int) -> list[Chat]:
        return [chat_of(model)] if [*self.models] == [SPEC] else others(self, seed)

    monkeypatch.setattr(ModelOptions, "open_chats", opened)
    return model


def test_a_sentence_is_read_by_a_model_that_is_measured_first(
    smolville: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = reading(monkeypatch, is_good=True)
    words = ("--score", "asks something", "--reader", SPEC, "--json")
    said = evaluate(smolville, *words)
    assert said.code == 0, said.err
    assert "balanced accuracy 100 %" in said.err
    found = said.json["scores"]["asks something"]
    assert found["dice"]["count"] == 0 and found["1"] == found["as it was"]
    assert 0 <= found["1"]["count"] <= found["1"]["of"] == 12
    asked = len(model.asked)
    assert evaluate(smolville, *words).json["scores"] == said.json["scores"]
    assert len(model.asked) == asked


def test_a_reader_that_cannot_tell_gives_no_score(
    smolville: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = reading(monkeypatch, is_good=False)
    said = evaluate(smolville, "--score", "asks something", "--reader", SPEC, "--json")
    assert said.code == 0 and said.json["scores"] == {}
    assert "There is no score by it." in said.err
    assert len(model.asked) == len(labelled_items())
