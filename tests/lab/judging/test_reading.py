"""A reader model: what it makes of a run is told only if it tells labelled answers apart."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.dice import dice_server
from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.judging.judge import JudgeCalls
from smolville.lab.judging.reading import (
    LABELS,
    STEP,
    Item,
    Label,
    ReaderTally,
    labelled_items,
    read_items,
    run_items,
)
from smolville.lab.judging.verdicts import NONE, Verdicts, verdicts_in
from smolville.models.chat import Chat
from smolville.models.errors import ModelError
from smolville.models.open import open_chat
from tests.fixtures.scripted import Scripted, chat_of

Reader = Callable[[Item], object]


@pytest.fixture(scope="module")
def answers(clumsy: Path) -> tuple[Item, ...]:
    """Twenty answers of a run whose model makes mistakes."""
    with RunReader(RunFolder.open(clumsy, "clumsy")) as reader:
        return run_items(reader, 20)


def scripted(items: tuple[Item, ...], reader: Reader) -> Scripted:
    """A model that reads as `reader` says, which is told what the prompt hides: the item."""
    known = {item.inputs.model_dump_json(): item for item in items}

    def reply(step: str, inputs: Mapping[str, Any]) -> object:
        found = reader(known[STEP.inputs.model_validate(inputs).model_dump_json()])
        said = isinstance(found, str) and found in ("sensible", "odd", "senseless")
        return {"reason": "It is so.", "verdict": found} if said else found

    return Scripted(otherwise=reply)


async def read(items: tuple[Item, ...], chat: Chat) -> ReaderTally:
    """What a reader makes of these items."""
    verdicts = Verdicts()
    await read_items(items, verdicts, JudgeCalls(chat=chat))
    return ReaderTally(reader=chat.spec, items=items, verdicts=dict(verdicts.of(chat.spec)))


def some() -> tuple[Item, ...]:
    """A dozen labelled answers of each label."""
    return tuple(item for label in LABELS for item in few(label, 12))


def perfect(item: Item) -> str:
    """Read everything as it is labelled, and calls a run's replies to questions senseless."""
    names = {"good": "sensible", "odd": "odd", "senseless": "senseless", "dice": "senseless"}
    return names.get(item.label or "", "senseless" if item.step == "say" else "sensible")


def test_the_labelled_answers_are_many_and_balanced() -> None:
    items = labelled_items()
    labels = Counter(item.label for item in items)
    assert set(labels) == set(LABELS) and min(labels.values()) >= 30
    assert len({item.key for item in items}) == len(items) >= 120
    for label in LABELS:
        steps = {item.step for item in items if item.label == label}
        assert {"say", "decompose", "react", "conclude_talk", "reflect_insights"} <= steps


def test_no_labelled_answer_is_among_the_examples_of_the_prompt() -> None:
    example = "\n".join(str(each.text) for each in STEP.prompt.render(labelled_items()[0].inputs))
    system = example.partition("PERSON:")[0]
    long = [line for item in labelled_items() for line in item.answer if len(line) > 30]
    assert not any(line.strip() in system for line in long)


async def test_a_perfect_reader_is_asked_once_for_each_answer_and_tells_the_share(
    answers: tuple[Item, ...],
) -> None:
    items = (*some(), *answers)
    model = scripted(items, perfect)
    told = await read(items, chat_of(model))
    assert len(model.asked) == len(items)
    shown = {item.inputs.model_dump_json() for item in items}
    order = [
        list(shown).index(STEP.inputs.model_validate(each.told["inputs"]).model_dump_json())
        for each in model.asked
    ]
    assert order != sorted(order)
    assert len({str(each.messages[0].text) for each in model.asked}) == 1
    hidden = [item for item in items if item.moment]
    texts = "\n".join(each.last for each in model.asked)
    assert hidden and not any(item.moment in texts or item.thought in texts for item in hidden)
    assert told.accuracy[0] == 1 and told.is_trusted
    plain: Any = told.plain()
    said = sum(item.step == "say" for item in answers)
    assert 0 < said < len(answers)
    assert plain["run"]["verdicts"] == {
        "sensible": len(answers) - said,
        "odd": 0,
        "senseless": said,
        NONE: 0,
    }
    assert plain["run"]["dice_sensible"]["count"] == 0
    assert [each["moment"] for each in plain["run"]["senseless"]] == [
        item.moment for item in answers if item.step == "say"
    ]
    assert f"{len(answers) - said} of {len(answers)} (" in told.sentences[1]


async def test_of_a_reader_that_finds_all_sensible_no_share_is_given(
    answers: tuple[Item, ...],
) -> None:
    items = (*some(), *answers)
    told = await read(items, chat_of(scripted(items, lambda _: "sensible")))
    assert not told.is_trusted and told.plain()["run"] is None
    assert told.accuracy[0] < 0.6
    assert told.sentences[1].startswith("That is too little: at least 75 % are needed")


async def test_of_dice_as_a_reader_no_share_is_given(answers: tuple[Item, ...]) -> None:
    with dice_server() as spec:
        chat, _ = open_chat(spec, env={})
        told = await read((*some(), *answers), chat)
        await chat.aclose()
    assert not told.is_trusted and told.accuracy[0] < 0.65
    assert told.plain()["run"] is None


def erring(right: Mapping[bool, int]) -> Reader:
    """A reader that is right about so many good ones (True) and others (False), then wrong."""
    left = dict(right)

    def read_one(item: Item) -> str:
        is_good = item.label == "good"
        left[is_good] -= 1
        is_right = left[is_good] >= 0
        return "sensible" if is_good == is_right else "odd"

    return read_one


def few(label: Label, count: int) -> tuple[Item, ...]:
    """The first labelled answers of a label."""
    return tuple(item for item in labelled_items() if item.label == label)[:count]


@pytest.mark.parametrize(
    ("size", "right", "is_trusted"),
    [
        (40, {True: 30, False: 30}, True),
        (40, {True: 29, False: 30}, False),
        # As accurate, but among so few answers that it could be guessing.
        (8, {True: 6, False: 6}, False),
    ],
)
async def test_a_reader_at_the_threshold_is_heard_if_it_cannot_be_guessing(
    size: int, right: Mapping[bool, int], is_trusted: bool
) -> None:
    items = (*few("good", size), *few("dice", size))
    told = await read(items, chat_of(scripted(items, erring(right))))
    assert told.accuracy[0] == sum(right.values()) / size / 2
    assert told.is_trusted is is_trusted


async def test_what_was_read_is_kept_and_not_asked_again(tmp_path: Path) -> None:
    items, path = labelled_items()[:9], tmp_path / "deep" / "readings.jsonl"
    asked = []

    def leaving(item: Item) -> object:
        asked.append(item)
        return "odd" if len(asked) < 5 else ModelError("it is gone")

    with verdicts_in(path) as verdicts, pytest.raises((ModelError, SmolvilleError)):
        await read_items(items, verdicts, JudgeCalls(chat=chat_of(scripted(items, leaving))))
    with verdicts_in(path) as verdicts:
        before = len(verdicts.of("scripted"))
        model = scripted(items, perfect)
        await read_items(items, verdicts, JudgeCalls(chat=chat_of(model)))
        assert 1 <= before < 9 and len(model.asked) == 9 - before
        assert len(verdicts.of("scripted")) == 9


def test_a_sample_is_drawn_by_hash(clumsy: Path) -> None:
    with RunReader(RunFolder.open(clumsy, "clumsy")) as reader:
        one, again, more = (run_items(reader, count) for count in (5, 5, 10_000))
    assert one == again and {item.moment for item in one} <= {item.moment for item in more}
    assert len({item.step for item in more}) > 5


def test_the_prompt_is_short_for_every_labelled_answer() -> None:
    from smolville.models.tokens import estimate_prompt

    sizes = [estimate_prompt(STEP.prompt.render(item.inputs)) for item in labelled_items()]
    assert max(sizes) < 2000


async def test_a_claim_is_asked_of_each_answer_once_without_a_sign_of_whose_it_is() -> None:
    labelled = few("good", 3)
    items = tuple(replace(item, claim="greets somebody") for item in labelled for _ in range(2))
    model = Scripted(otherwise=lambda step, inputs: {"reason": "So it is.", "verdict": "yes"})
    verdicts = Verdicts()
    await read_items(items, verdicts, JudgeCalls(chat=chat_of(model)))
    given = verdicts.of("scripted")
    assert len(model.asked) == len(given) == 3
    assert {each.prefers for each in given.values()} == {"yes"}
    assert "CLAIM: greets somebody" in model.asked[0].last
    assert not {item.key for item in items} & {item.key for item in labelled}
