"""`smolville prompt render`: the final string, the tokens by section, the shared beginning."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.tiny_gguf import write_tiny_gguf


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The spec of a tiny model's file."""
    pytest.importorskip("xllamacpp")
    path = tmp_path_factory.mktemp("models") / "tiny.gguf"
    write_tiny_gguf(path)
    return f"gguf:{path}"


@pytest.fixture
def moments(clumsy: Command) -> list[str]:
    """The ids of an agent's moments of one step, oldest first."""
    by_use: dict[tuple[str, str], list[str]] = {}
    for each in clumsy("moments", "amber", "--json").json:
        by_use.setdefault((each["step"], each["agent"]), []).append(str(each["id"]))
    return next(ids for ids in by_use.values() if len(ids) > 1)


def test_a_person_sees_the_parts_of_a_prompt_and_their_tokens(smolville: Command) -> None:
    said = smolville("prompt", "render", "say", "--sample").out
    head, _, parts = said.partition("[tokens by section, estimated]\n")
    total = head.partition("about ")[2].partition(" tokens")[0]
    rows = [row.split() for row in parts.splitlines()]
    assert [row[3:] for row in rows][:3] == [
        ["system", "rules"],
        ["system", "format"],
        ["system", "ABOUT", "YOU"],
    ]
    assert rows[-1] == [total, "100", "%", "whole", "prompt"]
    assert sum(int(row[0]) for row in rows[:-1]) == int(total)
    assert "shared with the next" not in said


def test_the_final_string_is_shown_with_the_models_own_tokens(
    smolville: Command, model: str
) -> None:
    said = smolville("prompt", "render", "say", "--sample", "--model", model)
    assert said.code == 0, said.err
    assert "The string is made by the chat template in the file." in said.out
    assert "\n<|im_start|>system\nYou are a person in a small town" in said.out
    assert "<|im_end|>\n<|im_start|>assistant\n" in said.out
    assert "[tokens by section, by the model's own tokenizer]" in said.out
    told = smolville("prompt", "render", "say", "--sample", "--model", model, "--json").json
    assert told["exact"]
    assert told["tokens"] == sum(each["tokens"] for each in told["sections"])
    assert told["text"].startswith("<|im_start|>system\nYou are")
    assert told["shared"] is None


def test_where_the_beginning_shared_with_the_next_moment_ends(
    clumsy: Command, moments: list[str], model: str
) -> None:
    said = clumsy("prompt", "render", "--moment", moments[0])
    assert f"of the same agent, {moments[1]}, begins with the same " in said.out
    told = clumsy("prompt", "render", "--moment", moments[0], "--model", model, "--json").json
    shared = told["shared"]
    assert shared["next"] == moments[1]
    assert 0 < shared["tokens"] < shared["of"] == told["tokens"]
    assert shared["ends_in"] in {each["name"] for each in told["sections"]}
    last = clumsy("prompt", "render", "--moment", moments[-1])
    assert last.code == 0
    assert "shared with the next" not in last.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--model", "standin", "--diff", "shipped"),
            "--model shows one prompt as a string, --diff",
        ),
        (("--model", "gguf:nowhere.gguf"), "nowhere.gguf' does not exist: give the path of a GGUF"),
        (("--model", "llamacpp:http://127.0.0.1:1"), "refuses the connection: is it running?"),
        (("--model", "qwen"), "The model spec 'qwen' cannot be read"),
    ],
)
def test_what_cannot_be_rendered_is_one_sentence(
    smolville: Command, words: tuple[str, ...], sentence: str
) -> None:
    said = smolville("prompt", "render", "say", "--sample", *words)
    assert said.code != 0
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_a_damaged_template_is_one_sentence(smolville: Command, tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    write_tiny_gguf(path, "{% if %}")
    said = smolville("prompt", "render", "say", "--sample", "--model", f"gguf:{path}")
    assert said.code != 0
    assert "odd.gguf' cannot be rendered: line 1: " in said.err
    assert said.err.count("\n") == 1
