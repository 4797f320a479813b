"""`smolville prompt render`: the tokens by section, and the final string."""

import pytest

from tests.cli.conftest import Command
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf

__all__ = ["llamacpp_url", "tiny_gguf"]


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


def test_the_final_string_is_what_the_server_makes(
    smolville: Command,
    llamacpp_url: str,
) -> None:
    words = ("prompt", "render", "say", "--sample", "--model", f"llamacpp:{llamacpp_url}")
    said = smolville(*words)
    assert said.code == 0, said.err
    assert "You are a person in a small town" in said.out
    told = smolville(*words, "--json").json
    assert told["tokens"] > 100 and told["text"].splitlines()[-1] in said.out
    assert f"{told['tokens']:,} tokens" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--model", "standin", "--diff", "shipped"), "shows one prompt as a string, --diff"),
        (("--model", "ollama:qwen"), "applies a chat template that it shows nobody"),
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
