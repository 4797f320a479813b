"""Texts for people: how a message becomes a sentence."""

import pytest

from smolville.agents.wording import as_sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("there is no run 'a'", "There is no run 'a'."),
        ("run.json of run 'a' is damaged", "run.json of run 'a' is damaged."),
        ("Nobody is here.", "Nobody is here."),
        ("is it?", "Is it?"),
        ("gone.", "Gone."),
        ("it says: “No.”", "It says: “No.”"),
    ],
)
def test_a_message_becomes_a_sentence_and_a_file_keeps_its_name(text: str, sentence: str) -> None:
    assert as_sentence(text) == sentence
