"""In a talk comes to mind: what answers the last line, one's own day, and news for the other."""

from dataclasses import replace

import numpy as np
import pytest

from smolville.agents.action import TalkLine
from smolville.agents.keywords import keywords_of
from smolville.agents.memory import IN_CONFIDENCE, quote
from smolville.agents.mind import Appointment, Impression
from smolville.agents.plan import Block, splice
from smolville.agents.stream import MemoryStream, WordVectors
from smolville.graphs import say
from smolville.graphs.context import MindContext
from smolville.graphs.meeting import Meeting
from smolville.graphs.recall import is_passing
from smolville.graphs.state import TalkState
from smolville.graphs.talk_memories import SHOWN, find_news, impressions_after
from smolville.models.embedding.embedder import open_embedder
from smolville.parsers.prompt_inputs import SpokenLine
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    BEN,
    HOURS,
    body,
    day_plan,
    desk_of,
    doing,
    memory,
    mind_of,
    person,
)
from tests.graphs.minds import thinker as thinker_of
from tests.graphs.traced import traced

NOON = 12 * 3600
PLACE = "Copper Kettle: counter room"
NOTICE = (
    "A notice at the Copper Kettle says: Edda Lorne, granddaughter of the ferry keeper, seeks "
    "anybody who knows which lock a small brass key fits."
)
CHOIR = "Ada Brook is asking Ottoline whether the choir would sing under the lanterns tonight"
THINGS = ("cup", "bun", "lantern", "chair", "letter", "map", "ladder", "novel", "spoon", "lamp")
LINES = (
    "I am holding it. Who hung that notice on your wall?",
    "Ada! Does the choir sing tonight? And did your father say a word about my party?",
)


def _day():
    """A hundred memories of an ordinary day, and the two that are asked about among the first."""
    deeds = [
        memory(
            n,
            f"{('Ada Brook', 'Ben Hollis')[n % 2]} is carrying {thing} number {n} to the café",
            at=600 * n // 2,
            subject=("Ada Brook", "Ben Hollis")[n % 2],
            importance=3,
        )
        for n, thing in enumerate(THINGS * 6, 10)
    ]
    thoughts = [
        memory(n, f"Ada hopes that Ben likes {thing} number {n}.", 300 * n, kind="thought")
        for n, thing in enumerate(THINGS * 4, 80)
    ]
    return [
        memory(1, NOTICE, at=9 * 3600, subject="notice", predicate="says"),
        memory(2, CHOIR, at=7 * 3600, subject=ADA.name),
        *(replace(each, importance=each.importance or 6) for each in thoughts),
        *deeds,
    ]


async def _asked(line, memories, *, spec="words", mind=None, own=None, **meeting):
    """The inputs of Ada's answer to a line of Ben's."""
    embedder = open_embedder(spec)
    stream = MemoryStream(ADA.name, embedder.dimension, WordVectors(embedder.embed))
    for each in memories:
        known = keywords_of(each.text, (ADA.name, BEN.name))
        stream.add(replace(each, keywords=known), embedder.embed([each.text])[0])

    async def embed(texts):
        return list(np.asarray(embedder.embed(list(texts)), np.float32))

    me = replace(
        thinker_of(Around(tick=NOON // 10, **(own or {})), mind=mind or mind_of(day_plan())),
        stream=stream,
        embed=embed,
    )
    met = Meeting(
        speakers=(BEN.name, ADA.name),
        doing={BEN.name: "buying bread", ADA.name: "wiping the counter"},
        place=PLACE,
        **meeting,
    )
    context = MindContext(
        owner="talk/1", tick=NOON // 10, thinkers={ADA.name: me}, client=desk_of(Scripted())
    )
    said = (TalkLine(speaker=BEN.name, text=line, at=NOON),) if line else ()
    return await say.gather(TalkState(agent=ADA.name, meeting=met, lines=said), context)


@pytest.mark.parametrize("spec", ["words", "wordllama"])
@pytest.mark.parametrize(("line", "answer"), list(zip(LINES, (NOTICE, CHOIR), strict=True)))
async def test_the_memory_that_answers_a_question_is_shown(spec, line, answer):
    got = await _asked(line, _day(), spec=spec)
    shown = [each.text for each in got.inputs.memories]
    past = answer.replace("Ada Brook is", "Ada Brook was")
    assert past in [each.text for each in got.inputs.memories if each.of_line]
    assert len(shown) == SHOWN and all(each.of_line for each in got.inputs.memories)
    assert got.recall is not None and got.recall.record is not None
    assert got.recall.record.is_filtered


async def test_a_trace_shows_the_line_that_is_being_answered():
    async def work(_):
        await _asked(LINES[0], _day())

    trace = await traced(work)
    assert LINES[0] in trace.queries[0].replace("\n", " ")


async def test_everyday_sights_come_to_mind_only_at_a_line_that_speaks_of_them():
    sights = [memory(n, f"Ben Hollis is sweeping yard {n}", importance=3) for n in range(9)]
    sights.append(memory(10, "Ben Hollis is talking with Ada Brook", importance=4))
    silent = await _asked("The weather is fine, Ada.", sights)
    assert silent.inputs.memories == ()
    asked = await _asked("Did you see me when I swept the yard?", sights)
    assert len(asked.inputs.memories) == SHOWN
    assert all("yard" in each.text for each in asked.inputs.memories)


async def test_a_speaker_knows_the_own_day_who_is_here_and_who_is_named():
    met = Block(start=780, minutes=60, activity="meeting Cora Vance", source="promise")
    plan = day_plan(blocks=splice(day_plan().blocks, 780, 840, [met]))
    known = {"Dora Lind": Impression(relationship="Your sister.")}
    deeds = [
        memory(n, f"Ada Brook is baking loaf {n}", at=NOON - 3600 + n, subject=ADA.name)
        for n in range(6)
    ]
    deeds = [replace(each, id=each.id.replace("/past/", "/act/")) for each in deeds]
    own = {
        "own": body(doing()),
        "seen": (person(), person("Cora Vance", "reading at a table")),
    }
    mind = mind_of(plan, impressions=known)
    got = await _asked("How is Dora? And Emil?", deeds, mind=mind, own=own)
    inputs = got.inputs
    assert inputs.here == ("Cora Vance (reading at a table)",)
    assert inputs.named == ("Dora Lind: Your sister.",), "nobody knows an Emil"
    assert [each.activity for each in inputs.deeds] == [f"baking loaf {n}" for n in (3, 4, 5)]
    assert [each.activity for each in inputs.plan] == [
        "having lunch",
        "meeting Cora Vance",
        "baking cakes for tomorrow",
        *[each.activity for each in HOURS if 1020 <= each.start < 1320],
    ], "the whole rest of the day"
    assert not {each.text for each in deeds[3:]} & {each.text for each in inputs.memories}


PROMISED = "I'll look in the stockroom. You bring the cake."
AGREED = (
    "For Ada Brook's plans: looking through the lanterns on Monday 6 May at 12:30, agreed with Ben "
    f'Hollis on Monday 6 May. Ben Hollis said: "{PROMISED}"'
)


async def test_one_quote_is_shown_once_and_none_that_the_agreement_shows():
    kept = memory(1, quote("Monday 6 May at 08:40", BEN.name, PROMISED), kind="thought")
    plan = memory(2, AGREED, kind="thought", importance=6)
    got = await _asked("What about the stockroom and the cake?", [kept, plan])
    assert len(got.inputs.memories) == 1 and PROMISED in got.inputs.memories[0].text
    made = Appointment(
        day=1,
        start=750,
        partners=(BEN.name,),
        place="",
        what="looking through the lanterns",
        who=(ADA.name,),
        speaker=BEN.name,
        said=PROMISED,
        at=NOON - 3600,
        heard=(ADA.name, BEN.name),
    )
    mind = mind_of(day_plan(), appointments=(made,))
    got = await _asked("What about the stockroom and the cake?", [kept, plan], mind=mind)
    assert PROMISED in got.inputs.agreed[0] and got.inputs.memories == ()


async def test_what_few_memories_have_counts_more_than_what_all_have():
    parties = [
        memory(n, f"Ada talked with Cora Vance: the party on Tuesday has {thing}", kind="talk")
        for n, thing in enumerate(THINGS * 3)
    ]
    key = memory(99, "Ada thinks that the key on the wall is old", kind="thought", importance=3)
    got = await _asked("Will you bring the key to the party on Tuesday?", [*parties, key])
    assert "the key on the wall" in " ".join(each.text for each in got.inputs.memories)


async def test_people_who_talk_or_walk_do_not_come_to_mind():
    seen = [
        memory(1, "Ada Brook is carrying a vase", subject=ADA.name, importance=3),
        memory(2, "Cora Vance is on the way to the lantern shop", subject="Cora Vance"),
        memory(4, "Cora Vance is talking with Dora Lind", predicate="talks with"),
    ]
    assert all(is_passing(each) for each in seen[1:]) and not is_passing(seen[0])
    got = await _asked("Did you see Cora pass with Dora and a lantern, talking?", seen)
    assert got.inputs.memories == ()


MILL = "The old mill on the river burnt down last night"
TALK = "Ada Brook talked with Cora Vance: Cora is selling her boat to the ferry keeper"


def _news(*memories, told=(), said=(), name=BEN.name):
    mind = mind_of(impressions={name: Impression(relationship="A friend.", told=told)})
    me = thinker_of(Around(tick=NOON // 10), memories=memories, mind=mind)
    found = find_news(me, mind, (name,), said)
    return found.text if found else ""


def test_news_is_what_happened_or_was_said_without_the_other():
    fire = memory(1, MILL, subject="mill", importance=7)
    talk = memory(2, TALK, kind="talk", importance=8)
    assert _news(fire) == MILL
    assert _news(fire, talk) == TALK
    assert _news(talk, name="Cora Vance") == "", "she said it"
    assert _news(memory(3, NOTICE, subject="notice", predicate="says")) == NOTICE


@pytest.mark.parametrize("kind", ["letter", "notice"])
def test_what_was_read_is_told_first_until_it_was_told(kind):
    read = memory(3, NOTICE, subject=kind, predicate="says")
    talk = memory(2, TALK, kind="talk", importance=8)
    assert _news(read, talk) == NOTICE
    assert _news(read, talk, said=("Who owns that small brass key of the notice?",)) == TALK
    assert _news(read, talk, told=(NOTICE,)) == TALK


def test_a_talk_is_told_by_a_sentence_that_names_whom_it_was_with_and_more_of_it():
    text = (
        "Ada Brook talked with Cora Vance: Ada invited Cora to the party tomorrow, and Cora will "
        "tell Idris at three to hang lanterns."
    )
    talk = memory(2, text, kind="talk", importance=8, object="Cora Vance")
    for line in ("Cora's in for tomorrow and gets Papa to hang them.", "Cora comes to the party."):
        assert _news(talk, said=(line,)) == ""
    earlier = "Ada Brook talked with Cora Vance: Cora drops a bottle of ink on her party dress."
    assert _news(talk, told=(earlier,)) == text, "another talk with her"
    for line in ("Is Cora well?", "The party is tomorrow."):
        assert _news(talk, said=(line,)) == text


@pytest.mark.parametrize(
    "no_news",
    [
        memory(1, MILL, subject="mill", importance=3),
        memory(1, MILL, kind="thought", importance=9),
        memory(1, "Ada Brook dreamt: the mill burnt", kind="dream", importance=9),
        memory(1, "Ada Brook is putting out a fire", subject=ADA.name, importance=9),
        memory(1, TALK, kind="talk", importance=9, predicate=IN_CONFIDENCE),
        memory(1, "Ada Brook talked with Cora Vance.", kind="talk", importance=9),
        memory(1, "Ben's mill burnt down", subject="mill", importance=9),
    ],
    ids=["everyday", "thought", "dream", "own deed", "secret", "bare fact", "theirs"],
)
def test_thoughts_secrets_and_what_is_theirs_are_no_news(no_news):
    assert _news(no_news) == ""


def test_what_was_told_is_no_news_again():
    fire = memory(1, MILL, subject="mill", importance=7)
    boat = memory(2, "Cora is selling her old boat", subject="Cora", importance=7)
    line = "Imagine, the old mill at the river burnt down."
    assert _news(fire, said=(line,)) == "" != _news(fire, said=("The old river is deep.",))
    me = thinker_of(Around(tick=NOON // 10), memories=[fire, boat])
    made = impressions_after(
        me,
        mind_of(),
        (BEN.name,),
        feeling="glad",
        summary="the mill",
        lines=(SpokenLine(speaker=ADA.name, text=line), SpokenLine(speaker=BEN.name, text=TALK)),
        promised=False,
    )
    assert set(made[BEN.name].told) == {MILL, boat.text}, "whoever of the two told it"
    assert _news(fire, told=made[BEN.name].told) == ""


async def test_a_talk_in_which_something_was_told_in_confidence_is_no_news():
    talk = memory(1, TALK, kind="talk", importance=6)
    line = quote("Monday 6 May at 08:40", "Cora Vance", "I am selling my boat.", is_secret=True)
    secret = memory(2, line, kind="thought", predicate=IN_CONFIDENCE, evidence=(talk.id,))
    assert (await _asked("", [talk])).inputs.news == TALK
    assert (await _asked("", [talk, secret])).inputs.news == ""
