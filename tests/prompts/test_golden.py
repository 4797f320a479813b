"""Every prompt, rendered with its sample, reads as its reviewed golden text."""

import os
from pathlib import Path

import pytest

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES
from smolville.parsers.reading.faults import CUT_OFF
from smolville.prompts.repair import RepairPrompt

GOLDEN = Path(__file__).parent / "golden"


def text_of(messages):
    return "\n".join(f"[{message.type}]\n{message.text}\n" for message in messages)


def _holds(name, text):
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_a_prompt_reads_as_its_golden_text(step, prompt_of):
    prompt = prompt_of(step)
    full = text_of(prompt.render(SAMPLES[step]))
    bare = text_of(prompt.render(OTHER_SAMPLES[step])[1:])
    _holds(step, f"{full}\n--- somebody else, with little known ---\n\n{bare}")


REPAIRS = {
    "a whole answer": (
        [
            "`subtasks`: got 80 minutes in all. They must add up to exactly 90 minutes.",
            "`minutes` of item 3 of `subtasks`: got 0. Write a whole number from 5 to 60.",
        ],
        False,
        None,
    ),
    "a cut answer": ([CUT_OFF.message], True, None),
    "a list with good items": (["`object` of the item with `task` 2: got 'stove'."], False, "2, 5"),
    "nothing known": ([], False, None),
}


def test_the_repair_message_reads_as_its_golden_text():
    shown = [
        f"--- {name} ---\n\n{RepairPrompt().text(problems, cut=cut, missing=missing)}\n"
        for name, (problems, cut, missing) in REPAIRS.items()
    ]
    _holds("repair", "\n".join(shown))


def test_every_golden_text_belongs_to_a_prompt():
    assert {path.stem for path in GOLDEN.iterdir()} == {*SAMPLES, "repair"}


def test_text_for_people_shows_every_message(prompt_of):
    messages = prompt_of("say").render(SAMPLES["say"])
    text = text_of(messages)
    assert all(message.text in text for message in messages)
