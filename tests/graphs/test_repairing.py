"""What a repair puts behind the prompt: alternating, short, within its share of the context."""

import json

import pytest

from smolville.graphs import heed_inner_voice
from smolville.graphs.loop.repairing import EMPTY, LONGEST, LONGEST_CUT, NOT_SHOWN, SHARE, additions
from smolville.graphs.loop.state import RejectedReply
from smolville.models.tokens import estimate_prompt
from smolville.prompts.repair import RepairPrompt
from tests.fixtures.scripted import Cut, Scripted
from tests.graphs.minds import ask, context_for
from tests.graphs.replies import bad, good

HEED = heed_inner_voice.STEP
GOOD, BAD = good("heed_inner_voice", {}), bad("heed_inner_voice", {})
OTHERS = [GOOD | {"importance": wrong} for wrong in (13, 14)]

PROBLEM = "`importance`: got 12. Write a whole number from 1 to 10."


def wrong(said="{}", problems=(PROBLEM,), cut=False, missing=None):
    return RejectedReply(said=said, problems=tuple(problems), cut=cut, missing=missing)


async def _asked(*replies, **client):
    model = Scripted(replies={HEED.name: list(replies)})
    return await ask(HEED, context_for(model, **client)), model


@pytest.mark.parametrize(("history", "messages"), [("last", [2, 4, 4, 4]), ("full", [2, 4, 6, 8])])
async def test_history_says_how_many_messages_a_repair_has(history, messages):
    _, model = await _asked(BAD, *OTHERS, BAD, history=history)
    assert [len(asked.messages) for asked in model.asked] == messages


async def test_with_full_history_roles_alternate_and_every_wrong_answer_is_told():
    _, model = await _asked(BAD, *OTHERS, GOOD, history="full")
    last = model.asked[3]
    assert last.roles == ["system", "human", "ai", "human", "ai", "human", "ai", "human"]
    assert [json.loads(m.text)["importance"] for m in last.messages[2::2]] == [12, 13, 14]
    assert ["got 12" in last.messages[3].text, "got 14" in last.last] == [True, True]


async def test_an_answer_that_ran_on_is_shown_by_its_beginning_only():
    ran_on = Cut('{"thought": "' + "and then we sing and dance " * 200)
    _, model = await _asked(ran_on, GOOD)
    said = model.asked[1].messages[2].text
    assert len(said) <= LONGEST_CUT and ran_on.text.startswith(said)
    assert said[-1].isalnum() and "…" not in said
    assert "Only the beginning of your answer is shown above." in model.asked[1].last
    assert "begin a new answer" in model.asked[1].last


async def test_what_was_thought_aloud_does_not_go_back():
    aloud = [f"<think>Hm, number {n}.</think>{json.dumps(BAD)}" for n in range(2)]
    _, model = await _asked(*aloud, "<think>Only thoughts", GOOD)
    assert [json.loads(asked.messages[2].text) for asked in model.asked[1:3]] == [BAD, BAD]
    assert model.asked[3].messages[2].text == EMPTY
    assert [asked.told["temperature"] for asked in model.asked] == [0.5, 0.5, 0.75, 0.75]


async def test_the_turns_that_a_model_invents_after_its_own_do_not_go_back():
    invented = f"{json.dumps(BAD)}<|im_end|>\n<|im_start|>assistant\n{GOOD}"
    ended, model = await _asked(invented, GOOD)
    assert ended.outcome == "repaired", "the invented answer is not taken"
    assert json.loads(model.asked[1].messages[2].text) == BAD


@pytest.mark.parametrize("num_ctx", [512, 1024, 4096, None])
@pytest.mark.parametrize("history", ["last", "full"])
@pytest.mark.parametrize("cut", [False, True])
def test_what_a_repair_adds_keeps_to_its_share(num_ctx, history, cut):
    long = json.dumps({"strokes": [f"at {n} o'clock I walk to the bakery" for n in range(200)]})
    found = [f"`strokes.{n}`: got {n}. Write a clock time such as 07:30." for n in range(9)]
    said = [wrong(long, found, cut) for _ in range(4)]
    added = additions(said, history, num_ctx, RepairPrompt())
    assert estimate_prompt(added) <= (num_ctx or 8192) // SHARE
    assert [message.type for message in added] == ["ai", "human"] * (len(added) // 2)
    assert found[0] in added[-1].text
    assert all(len(message.text) <= LONGEST for message in added)


def test_the_oldest_exchange_gives_way_first():
    said = [wrong(f"answer {n} " + "word " * 120) for n in range(4)]
    added = additions(said, "full", 8192, RepairPrompt())
    assert len(added) == 8
    fewer = additions(said, "full", 2048, RepairPrompt())
    assert 0 < len(fewer) < 8
    assert [message.text for message in fewer] == [message.text for message in added[-len(fewer) :]]


def test_where_not_even_a_beginning_has_room_the_answer_is_only_mentioned():
    answer, about = additions([wrong("word " * 900, [PROBLEM * 4])], "last", 500, RepairPrompt())
    assert answer.text == NOT_SHOWN
    assert PROBLEM in about.text
