"""The prompt is held to the context: what is left out, what never is, and who is told."""

import json
import math

import pytest

from smolville.agents.errors import ContextError, SmolvilleError
from smolville.agents.stream import Recollection
from smolville.graphs import (
    heed_inner_voice,
    reflect_insights,
    say,
)
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.loop.budget import TrimmedPrompt
from smolville.models.chat import PromptTokens
from smolville.models.errors import PromptCut
from smolville.models.tokens import estimate_prompt
from smolville.parsers.prompt_inputs import SpokenLine
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, calls_of, context_for, memory
from tests.graphs.replies import bad, good

SAY = say.STEP
MANY = 40


def recollections(count=MANY):
    """Memories whose scores rise and fall, so that the least relevant ones are scattered."""
    return [
        Recollection(
            memory=memory(n, f"Memory {n}: the baker told me of loaf number {n} and its price."),
            score=round(math.sin(n) + 2, 5),
            recency=0.5,
            importance=0.5,
            relevance=0.5,
        )
        for n in range(1, count + 1)
    ]


def long_talk(found, lines=6):
    return SAMPLES["say"].model_copy(
        update={
            "memories": tuple(
                say.TalkMemory(number=n, when="today 07:40", text=each.memory.text)
                for n, each in enumerate(found, 1)
            ),
            "lines": tuple(SpokenLine(speaker="Ida", text=f"Line {n}.") for n in range(lines)),
        }
    )


async def _said(num_ctx, *replies, counter=None, **rules):
    found = recollections()
    model = Scripted(replies={"say": list(replies)}, otherwise=good)
    context = context_for(model, **rules)
    context.client.fast.num_ctx = num_ctx
    context.client.fast.counter = counter
    ended = await ask(SAY, context, long_talk(found), found)
    return ended, model, calls_of(context)


def shown_numbers(call):
    return [each["number"] for each in json.loads(call.inputs)["memories"]]


async def test_a_prompt_that_fits_is_left_alone_and_nobody_counts():
    async def never(messages):
        raise AssertionError("the server was asked for a count")

    _, model, (call,) = await _said(16_384, counter=never)
    assert (call.dropped, len(shown_numbers(call))) == (0, MANY)
    assert len(json.loads(call.recalled)) == MANY
    assert len(model.asked) == 1


async def test_the_least_relevant_memories_go_first_and_keep_their_numbers():
    _, model, (call,) = await _said(1400)
    shown = shown_numbers(call)
    assert 0 < call.dropped == MANY - len(shown) < MANY
    found = recollections()
    best = sorted(found, key=lambda each: -each.score)[: len(shown)]
    assert {found[number - 1] for number in shown} == set(best)
    assert shown == sorted(shown)
    assert all(f"{n}. (today 07:40) Memory {n}:" in model.asked[0].messages[0].text for n in shown)
    assert [row["id"] for row in json.loads(call.recalled)] == [
        found[number - 1].memory.id for number in shown
    ]


async def test_the_servers_own_count_is_believed_and_asked_for_a_few_times_only():
    counts = []

    async def counter(messages):
        counts.append(sum(len(message.text.split()) for message in messages))
        return PromptTokens(counts[-1], is_exact=True)

    _, model, (call,) = await _said(1200, counter=counter)
    words = sum(len(message.text.split()) for message in model.asked[0].messages)
    assert words < 1200 - SAY.max_tokens
    assert 0 < len(counts) <= 7
    assert call.dropped < (await _said(1200))[2][0].dropped


async def test_the_instructions_and_the_last_line_are_never_left_out():
    least = estimate_prompt(_shortest().messages())
    _, model, (call,) = await _said(math.ceil(least * 1.1) + SAY.max_tokens + 1)
    kept = json.loads(call.inputs)
    assert [len(kept["memories"]), [line["text"] for line in kept["lines"]]] == [1, ["Line 5."]]
    whole = SAY.prompt.render(long_talk(recollections()))
    system = model.asked[0].messages[0].text
    rules, _, about = whole[0].text.partition("YOU ALSO REMEMBER")
    assert system.startswith(rules) and system.splitlines()[-1] == about.splitlines()[-1]
    assert model.asked[0].last == whole[-1].text == "Line 5."


def _shortest():
    found = recollections()
    whole = TrimmedPrompt(step=SAY, prompt=SAY.prompt, whole=long_talk(found), found=tuple(found))
    return whole.without(len(whole.order))


async def test_a_context_too_small_for_a_step_is_an_error_that_says_what_to_do():
    with pytest.raises(ContextError) as caught:
        await _said(300)
    told = str(caught.value)
    assert isinstance(caught.value, SmolvilleError) and caught.value.exit_code == 1
    assert "The step `say` needs at least" in told and "context of scripted is 300" in told
    assert caught.value.needed > 300 and caught.value.available == 300
    assert "Give it 2048 or more: --set num_ctx=2048" in told


async def test_a_cut_prompt_is_asked_again_with_less_of_it():
    cut = PromptCut("The server cut it.", needed=9000, available=4096)
    ended, model, (call,) = await _said(None, cut, cut)
    assert ended.outcome == "clean"
    assert (call.cuts, json.loads(call.lost)) == (2, ["The server cut it."] * 2)
    lengths = [sum(len(each.text) for each in asked.messages) for asked in model.asked]
    assert lengths == sorted(lengths, reverse=True) and len(set(lengths)) == 3
    assert call.dropped == 2 * math.ceil((MANY + 5 - 1) / 4)
    assert model.asked[2].told["inputs"] == json.loads(call.inputs)


async def test_a_prompt_that_is_cut_whatever_is_left_out_ends_in_an_error():
    cut = PromptCut("cut", needed=9000, available=700)
    with pytest.raises(ContextError, match=r"needs at least 9000 tokens .* is 700 tokens"):
        await _said(None, *[cut] * 9)


async def test_a_repair_that_has_no_room_asks_the_same_question_again():
    inputs = SAMPLES["heed_inner_voice"]
    step = heed_inner_voice.STEP
    model = Scripted(replies={step.name: [bad(step.name, {}), good(step.name, {})]})
    context = context_for(model)
    needed = estimate_prompt(step.prompt.render(inputs)) * 1.1 + step.max_tokens
    context.client.fast.num_ctx = math.ceil(needed) + 5
    ended = await ask(step, context, inputs)
    assert ended.outcome == "repaired"
    assert [len(asked.messages) for asked in model.asked] == [2, 2]


async def test_an_answer_may_only_rest_on_memories_that_were_shown():
    found = recollections()
    step = reflect_insights.STEP
    inputs = SAMPLES["reflect_insights"].model_copy(update={"memories": long_talk(found).memories})
    by_score = sorted(range(1, MANY + 1), key=lambda number: found[number - 1].score)
    gone, kept = by_score[0], by_score[-1]

    def insight(number):
        text = "Rosa and Milo both bake for the town."
        return {"insights": [{"insight": text, "because": [number], "importance": 4}]}

    model = Scripted(replies={step.name: [insight(gone), insight(kept)]})
    context = context_for(model)
    context.client.fast.num_ctx = 1700
    ended = await ask(step, context, inputs, found)
    assert ended.outcome == "repaired"
    assert [list(each.because) for each in ended.answer.insights] == [[kept]]
