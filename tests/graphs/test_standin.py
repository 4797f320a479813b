"""The stand-in's rules and mistakes: clean answers to what the messages show, and no more."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from smolville.graphs.activities.kinds import split
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES
from smolville.graphs.standin.news import news_in
from smolville.models.chat import RepairMessage
from smolville.models.standin.mistakes import KINDS, MISTAKES
from smolville.models.standin.model import StandIn, StandInError, build
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput
from smolville.parsers.reader import ParseResult
from smolville.prompts.repair import RepairPrompt
from tests.fixtures.standin_call import BY_NAME, standin_call

PARTY = "lantern party at the Copper Kettle on Tuesday 7 May at 5pm"
NOW = "Monday 6 May, 09:20"
DATES = ("Monday 6 May", "Tuesday 7 May", "Wednesday 8 May")
ROSA = PersonaInput(
    name="Rosa Marin",
    first_name="Rosa",
    age=46,
    innate="warm",
    learned="Rosa Marin runs the Copper Kettle cafe on the square.",
    currently=f"Rosa Marin is giving a {PARTY} and wants everybody to come.",
    lifestyle="Rosa goes to bed around 10pm and wakes up around 6am.",
    home="Oak Cottage: bedroom",
    work="Copper Kettle: counter room",
)
TOM = ROSA.model_copy(
    update={
        "name": "Tom Reed",
        "first_name": "Tom",
        "learned": "Tom Reed bakes bread in the town's bakery.",
        "currently": "Tom Reed has a secret crush. Tom Reed is looking for a bigger oven.",
        "home": "Mill House: attic",
        "work": "Reed Bakery: bakehouse",
    }
)
IDA = ROSA.model_copy(update={"name": "Ida Lund", "first_name": "Ida", "currently": "Ida reads."})
SAMPLED = [(step, samples[step]) for samples in (SAMPLES, OTHER_SAMPLES) for step in samples]
SAMPLED = [
    (step, inputs)
    for step, inputs in SAMPLED
    if getattr(inputs, "memories", True) or step not in ("rate_importance", "reflect_insights")
]


@dataclass(frozen=True)
class Answered:
    """A reply, and what the step's own reader made of it."""

    message: AIMessage
    reading: ParseResult[Any]

    @property
    def text(self) -> str:
        return str(self.message.text)

    @property
    def mistake(self) -> str:
        kind: str = self.message.response_metadata["mistake"]
        return kind

    @property
    def answer(self) -> dict[str, Any]:
        """The answer as written, which must have been read without a mend."""
        assert self.reading.value is not None, (self.text, self.reading.problems)
        assert self.reading.mends == (), (self.text, self.reading.mends)
        answer: dict[str, Any] = json.loads(self.text)
        return answer


def ask(
    step: str,
    inputs: PromptInput,
    model: StandIn | None = None,
    seed: int = 1,
    more: Sequence[BaseMessage] = (),
) -> Answered:
    """Ask with the shipped prompt, and read the reply with the shipped parser."""
    known = BY_NAME[step]
    message = (model or build({}, seed)).invoke(
        [*known.prompt.invoke(inputs), *more],
        **standin_call(step, inputs),
        max_tokens=known.max_tokens,
    )
    context = {**known.context(inputs), "choices": known.choices(inputs)}
    cut = message.response_metadata["finish_reason"] == "length"
    return Answered(message, known.parser.read(message.content, context, cut=cut))


def inputs_of(step: str, **fields: Any) -> PromptInput:
    """The step's sample inputs with other values."""
    inputs: PromptInput = type(SAMPLES[step])(**{**dict(SAMPLES[step]), **fields})
    return inputs


def remembered(*texts: str) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"number": number, "when": "yesterday 10:00", "text": text}
        for number, text in enumerate(texts, 1)
    )


@pytest.mark.parametrize(("step", "inputs"), SAMPLED)
def test_every_sample_reads_clean_and_the_same_question_has_the_same_answer(step, inputs):
    found = ask(step, inputs)
    assert found.answer and ask(step, inputs).text == found.text


@pytest.mark.parametrize("step", sorted(set(SAMPLES) - {"react", "say"}))
def test_an_emptied_template_is_an_error(step):
    empty = [SystemMessage(content="Answer with JSON."), HumanMessage(content="What do you do?")]
    with pytest.raises(StandInError, match="do not show"):
        build({}, 1).invoke(empty, **standin_call(step, SAMPLES[step]))


def hold(one, other, known, seed=1):
    """The lines of a talk; `known` is what each remembers, by first name."""
    lines: list[dict[str, Any]] = []
    while len(lines) < 16:
        me, them = (one, other) if len(lines) % 2 == 0 else (other, one)
        inputs = inputs_of(
            "say",
            me=me,
            now=NOW,
            others=(them.name,),
            relationship="strangers",
            memories=remembered(*known.get(me.first_name, ())),
            news="",
            named=(),
            lines=tuple(lines),
            turns_left=16 - len(lines),
        )
        answer = ask("say", inputs, seed=seed).answer
        lines.append({"speaker": me.name, "text": answer["text"]})
        if answer["ends"]:
            break
    return lines


def conclude(me, other, lines):
    inputs = inputs_of(
        "conclude_talk",
        me=me,
        now=NOW,
        others=(other.name,),
        lines=lines,
        dates=DATES,
        places=("Copper Kettle: counter room",),
    )
    return ask("conclude_talk", inputs).answer


def test_news_goes_from_one_to_another_by_word_and_some_agree_to_come():
    agreed = []
    for seed in range(12):
        lines = hold(ROSA, TOM, {}, seed)
        kept = conclude(TOM, ROSA, lines)
        heard = [f'Rosa Marin said: "{lines[number - 1]["text"]}"' for number in kept["keep"]]
        assert any(PARTY in news_in(each) for each in heard)
        passed_on = hold(TOM, IDA, {"Tom": heard}, seed)
        assert any(PARTY in line["text"] for line in passed_on)
        agreed += kept["agreements"]
    assert 3 <= len(agreed) <= 11
    assert {(each["day"], each["time"], each["place"]) for each in agreed} == {
        ("tomorrow", "17:00", "Copper Kettle: counter room")
    }
    assert {(*each["who"], each["what"]) for each in agreed} == {
        ("Tom Reed", "going to the lantern party")
    }


def test_a_talk_ends_politely_repeats_nothing_and_gives_no_secret_away():
    for seed in range(12):
        texts = [line["text"] for line in hold(TOM, ROSA, {}, seed)]
        assert 4 <= len(texts) <= 16 and len(set(texts)) == len(texts)
        assert any(word in texts[-1].lower() for word in ("goodbye", "see you", "next time"))
        assert not any("crush" in text for text in texts)


def reaction(seed, *events, **person):
    card = {"name": TOM.name, "doing": "walking", "relationship": "Tom is a neighbour."}
    card |= {"last_talk": "never", "can_talk": True, "until": "10:00", **person}
    fields = {"me": ROSA, "now": NOW, "doing": "walking", "events": events, "need": None}
    return ask("react", inputs_of("react", people=(card,), **fields), seed=seed).answer


def test_people_mostly_talk_unless_they_cannot_or_just_have():
    found = {
        name: sum(reaction(seed, **card)["choice"] == "talk" for seed in range(60))
        for name, card in {
            "free": {},
            "busy": {"can_talk": False},
            "asleep": {"doing": "sleeping"},
            "again": {"last_talk": "today 09:00, about bread"},
        }.items()
    }
    assert 45 <= found["free"] < 60 and found["again"] <= 15
    assert found["busy"] == found["asleep"] == 0


@given(st.integers(1, 720), st.integers(1, 12), st.integers(0, 10**6))
def test_lengths_always_sum_to_the_whole(minutes, count, seed):
    count = min(count, max(1, minutes // 5))
    lengths = split(minutes, count, Dice(seed))
    assert (sum(lengths), len(lengths)) == (minutes, count)


@pytest.mark.parametrize("minutes", [3, 7, 33, 90, 125, 240, 600])
def test_subtasks_of_any_block_read_clean(minutes):
    for activity in ("baking bread", "sleeping", "mulling over the xylophone"):
        more = {"minutes": minutes, "activity": activity}
        tasks = ask("decompose", inputs_of("decompose", me=TOM, **more)).answer["subtasks"]
        assert sum(task["minutes"] for task in tasks) == minutes
    left = ({"time": "09:15", "activity": "shaping rolls"},)
    tasks = ask("replan", inputs_of("replan", me=TOM, tasks=left, minutes=20)).answer["subtasks"]
    assert [task["activity"] for task in tasks] == ["shaping rolls"]


def test_home_things_are_done_at_home_and_nothing_where_nothing_fits():
    rooms = (("Oak Cottage", "bathroom", "shower"), ("Copper Kettle", "counter room", "counter"))
    places = tuple(
        {"number": number, "sector": sector, "room": room, "things": (thing,)}
        for number, (sector, room, thing) in enumerate(rooms, 1)
    )
    wanted = ("taking a shower", "working at the counter", "mulling over the xylophone")
    tasks = tuple(
        {"letter": letter, "time": "09:00", "activity": activity, "part_of": activity}
        for letter, activity in zip("ABC", wanted, strict=True)
    )
    inputs = inputs_of("ground_block", me=ROSA, places=places, tasks=tasks)
    assert ask("ground_block", inputs).answer == {"A": 1, "B": 2, "C": 0}
    barred = ({**places[0], "barred": ("A",), "rule": "No showers."}, places[1])
    inputs = inputs_of("ground_block", me=ROSA, places=barred, tasks=tasks[:1])
    first = ask("ground_block", inputs)
    assert json.loads(first.text) == {"A": 1}, "a rule is overlooked until a repair names it"
    more = [AIMessage(content=first.text), RepairMessage(content="`A`: not allowed.")]
    assert ask("ground_block", inputs, more=more).answer == {"A": 0}


def test_mistakes_come_at_their_rate_and_of_every_kind_that_can_occur():
    model, found = build({"mistakes": "0.5"}, 1), []
    for number in range(300):
        activity = f"working at the counter, part {number}"
        found.append(ask("decompose", inputs_of("decompose", activity=activity), model).mistake)
    assert 120 <= sum(kind != "" for kind in found) <= 180
    assert set(found) == {"", *MISTAKES} - {"wrong_choice"}


BLIND = "Your answer could not be read. Try again, please."


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_a_mistake_returns_until_the_repair_message_names_it(step):
    inputs, right = SAMPLES[step], ask(step, SAMPLES[step], seed=3)
    made = set()
    for kind in KINDS:
        model = build({kind: "1"}, 3)
        reply = ask(step, inputs, model)
        if not reply.mistake:
            continue
        made.add(kind)
        said = AIMessage(content=reply.text)
        blind = ask(step, inputs, model, more=[said, RepairMessage(content=BLIND)])
        assert (blind.mistake, blind.text) == (kind, reply.text)
        if reply.reading.value is not None:
            assert reply.reading.mends or kind in ("copied", "forgotten"), kind
            assert kind not in ("missing", "truncation")
            assert reply.reading.value == right.reading.value or kind not in MISTAKES[:5]
            continue
        problems = [str(problem) for problem in reply.reading.problems]
        cut = reply.message.response_metadata["finish_reason"] == "length"
        repair = RepairPrompt().text(problems, cut=cut, missing=None)
        mended = ask(step, inputs, model, more=[said, RepairMessage(content=repair)])
        assert (mended.mistake, mended.text) == ("", right.text), kind
    assert made >= {"missing", "truncation", "copied", "fences", "chatter", "wrapper"}


def test_a_reminder_among_the_rules_heals_what_it_names_and_nothing_else():
    inputs, model = SAMPLES["decompose"], build({"missing": "1"}, 3)

    def mistake(reminder: str) -> str:
        (system, human) = BY_NAME["decompose"].prompt.invoke(inputs)
        rules = SystemMessage(content=f"{system.text}\n{reminder}")
        said = model.invoke([rules, human], **standin_call("decompose", inputs))
        return str(said.response_metadata["mistake"])

    assert mistake("Check: every item has `nothing_of_the_kind`.") == "missing"
    assert mistake("Check: every item has `activity` and `minutes`.") == ""


def test_only_the_items_asked_for_again_are_answered():
    inputs = SAMPLES["rate_importance"]
    repair = "The rest of it is good and is kept. Answer again, with only these: 2, 3."
    said = AIMessage(content=ask("rate_importance", inputs).text)
    again = ask("rate_importance", inputs, more=[said, RepairMessage(content=repair)])
    assert [item["number"] for item in json.loads(again.text)["ratings"]] == [2, 3]
