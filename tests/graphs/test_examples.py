"""Examples that fit the case: which are shown, where, and what is kept of them."""

import json
import re

import pytest

from graphs import decompose, say
from graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS, collect_templates
from graphs.loop.examples import KEPT, ExamplePool, examples_for
from graphs.loop.ledger import AcceptedAnswer
from graphs.loop.rules import Rules
from graphs.loop.step import plain_case
from models.tokens import estimate_prompt, estimate_tokens
from parsers.problem import KINDS
from prompts.examples import shipped_cases
from prompts.folder import FOLDER
from prompts.prompt import shipped_templates
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, ask, calls_of, context_for
from tests.graphs.replies import bad, good

EACH = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
WITH_CASES = [step for step in STEPS if shipped_cases(step.name)]
EACH_WITH_CASES = pytest.mark.parametrize("step", WITH_CASES, ids=lambda step: step.name)
SPLIT = decompose.STEP
OWN = Rules(examples=3, examples_from_run=True)


async def _asked(step, *replies, around=None, **client):
    model = Scripted(replies={step.name: list(replies)}, otherwise=good)
    context = context_for(model, around, **client)
    return await ask(step, context), model, calls_of(context)


def found(step, inputs, rules=Rules(examples=2), pool=None, tick=0):  # noqa: B008
    return examples_for(step, inputs, rules, pool or ExamplePool(), ADA.name, tick)


def accepted(tick, case, agent=ADA.name, answer="{}", ordinal=0):
    return AcceptedAnswer(
        tick=tick, owner=agent, step="say", ordinal=ordinal, agent=agent, case=case, answer=answer
    )


@EACH_WITH_CASES
def test_shipped_cases_have_answers_that_are_right(step):
    cases = shipped_cases(step.name)
    assert len(cases) >= 3
    for each in cases:
        answer = step.answer.model_validate(each.answer)
        assert step.parser.read(answer.model_dump_json()).mends == ()
        assert each.case == each.case.strip() and "\n\n" not in each.case
        assert estimate_tokens(each.case) + estimate_tokens(answer.model_dump_json()) <= 320
    assert len({each.case for each in cases}) == len(cases)


def test_shipped_days_obey_the_rules_that_their_prompt_gives():
    for each in shipped_cases("plan_hours"):
        told = [text for texts in each.answer.values() for text in texts]
        assert len(told) >= 4 and len(set(told)) == len(told)
        assert all(text.split()[0].endswith("ing") for text in told)


def test_a_shipped_identity_begins_with_what_any_day_holds():
    for each in shipped_cases("revise_identity"):
        usual = each.case.partition("Any day holds: ")[2].splitlines()[0]
        assert each.answer["requirement"].startswith(usual.rstrip("."))


@EACH_WITH_CASES
def test_a_shipped_case_has_the_labels_that_the_step_writes(step):
    label = re.compile(r"^[A-Z][^:.\d]{2,30}(?=[:.]| \d)", re.MULTILINE)
    written = [line.split(":")[0] for line in step.case(SAMPLES[step.name]).splitlines()]
    for each in shipped_cases(step.name):
        assert len(each.case.splitlines()) == len(written)
        for own, line in zip(written, each.case.splitlines(), strict=True):
            first = label.match(own)
            assert first is None or line.startswith(first[0].split()[0])


def test_every_file_of_cases_belongs_to_a_step():
    names = {path.stem for path in (FOLDER / "examples").iterdir()}
    assert names == {step.name for step in WITH_CASES}
    assert shipped_cases("no_such_step") == ()


@EACH
def test_a_case_is_a_few_lines_that_tell_two_moments_apart(step):
    cases = [step.case(samples[step.name]) for samples in (SAMPLES, OTHER_SAMPLES)]
    assert cases[0] != cases[1]
    for case in cases:
        assert 1 <= len(case.splitlines()) <= 4
        assert estimate_tokens(case) < 260


@EACH
async def test_without_examples_not_a_byte_of_any_prompt_changes(step):
    inputs = SAMPLES[step.name]
    _, model, (call,) = await _asked(step, examples=0)
    assert [m.text for m in model.asked[0].messages] == [m.text for m in step.prompt.render(inputs)]
    assert (call.examples, call.template) == ("[]", step.prompt.version)


@EACH_WITH_CASES
async def test_examples_stand_before_the_case_and_behind_all_that_is_stable(step):
    inputs = SAMPLES[step.name]
    _, model, (call,) = await _asked(step, examples=2)
    plain = step.prompt.render(inputs)
    system, human, *turns = (message.text for message in model.asked[0].messages)
    assert [system, *turns] == [plain[0].text, *(message.text for message in plain[2:])]
    assert human.startswith("EXAMPLES of other cases")
    assert human.endswith("END OF EXAMPLES. Now comes YOUR case.\n\n" + plain[1].text)
    rows = json.loads(call.examples)
    assert len(rows) == 2
    for row in rows:
        assert set(row) == {"case", "answer", "likeness", "from"}
        assert row["from"] == "shipped" and -1 <= row["likeness"] <= 1
        assert row["answer"] in human
        assert all(line in human for line in row["case"].splitlines())
    assert rows[0]["likeness"] >= rows[1]["likeness"]


def test_the_examples_of_sleeping_and_of_studying_differ():
    def split(activity):
        return SAMPLES["decompose"].model_copy(update={"activity": activity})

    cases = [
        [each.case for each in found(SPLIT, split(activity))]
        for activity in ("sleeping and resting in bed", "studying for the exam at the library")
    ]
    assert cases[0] != cases[1]
    assert cases[0] == [each.case for each in found(SPLIT, split("sleeping and resting in bed"))]


def test_the_nearest_case_comes_first_and_at_most_so_many():
    inputs = SAMPLES["say"]
    for count in (0, 1, 3, 99):
        chosen = found(say.STEP, inputs, Rules(examples=count))
        assert len(chosen) == min(count, len(shipped_cases("say")))
        likenesses = [each.likeness for each in chosen]
        assert likenesses == sorted(likenesses, reverse=True)


def test_cases_are_compared_by_the_run_s_own_embedder_where_it_is_quick():
    by_words, by_meaning, other = (
        found(say.STEP, SAMPLES["say"], Rules(examples=2), ExamplePool(name))
        for name in ("words", "wordllama", "ollama:nomic-embed-text")
    )
    assert by_words == other
    assert {each.by for each in by_meaning} == {"wordllama"}
    assert [each.likeness for each in by_words] != [each.likeness for each in by_meaning]
    assert set(by_meaning[0].row()) == {*by_words[0].row(), "by"}


def test_a_mind_is_shown_its_own_earlier_answers_only():
    pool, case = ExamplePool(), say.STEP.case(SAMPLES["say"])
    pool.add(
        [
            accepted(5, f"{case} Now.", answer='{"own": 1}'),
            accepted(6, f"{case} Yes.", agent="Ben Hollis"),
            accepted(9, f"{case} Soon."),
        ]
    )
    chosen = found(say.STEP, SAMPLES["say"], OWN, pool, tick=9)
    (own,) = [each for each in chosen if each.source != "shipped"]
    assert (own.source, own.answer) == ("Ada Brook/5/say/0", '{"own": 1}')
    assert chosen[0] == own
    later = found(say.STEP, SAMPLES["say"], OWN, pool, tick=10)
    assert len([each for each in later if each.source != "shipped"]) == 2


def test_answers_of_the_run_are_shown_only_where_they_are_wanted():
    pool = ExamplePool()
    pool.add([accepted(5, say.STEP.case(SAMPLES["say"]) + " Now.")])
    rules = Rules(examples=99, examples_from_run=False)
    assert {each.source for each in found(say.STEP, SAMPLES["say"], rules, pool, 9)} == {"shipped"}


def test_neither_this_very_case_nor_the_same_case_twice_is_shown():
    pool, case = ExamplePool(), say.STEP.case(SAMPLES["say"])
    pool.add([accepted(tick, case) for tick in range(3)])
    pool.add([accepted(tick, case + " Well.", answer=f'{{"n": {tick}}}') for tick in range(3, 6)])
    chosen = found(say.STEP, SAMPLES["say"], Rules(examples=99, examples_from_run=True), pool, 9)
    own = [each for each in chosen if each.source != "shipped"]
    assert [(each.case, each.answer) for each in own] == [(case + " Well.", '{"n": 5}')]


def test_only_the_latest_answers_are_kept_in_whatever_order_they_come():
    many = [accepted(tick, f"case {tick}") for tick in range(KEPT + 30)]
    one, other = ExamplePool(), ExamplePool()
    one.add(many)
    for each in reversed(many):
        other.add([each])
    kept = [each.case for each in one.before(ADA.name, "say", 10_000)]
    assert kept == [each.case for each in other.before(ADA.name, "say", 10_000)]
    assert (len(kept), kept[0]) == (KEPT, f"case {KEPT + 29}")


async def test_a_clean_answer_is_noted_with_the_case_the_model_saw():
    inputs = SAMPLES["say"]
    told = {"examples": 2, "examples_from_run": True}
    ended, *_ = await _asked(say.STEP, around=Around(tick=7), **told)
    noted = ended.finished[0].accepted
    assert (noted.tick, noted.agent, noted.case) == (7, "Ada Brook", say.STEP.case(inputs))
    assert noted.answer == ended.answer.model_dump_json()


async def test_an_answer_that_was_not_clean_is_no_example():
    plain = SAMPLES["say"].model_dump(mode="json")
    told = {"examples": 2, "examples_from_run": True}
    ended, *_ = await _asked(say.STEP, bad("say", plain), **told)
    assert (ended.outcome, ended.finished[0].accepted) == ("repaired", None)
    unasked, *_ = await _asked(say.STEP, examples=2)
    assert (unasked.outcome, unasked.finished[0].accepted) == ("clean", None)


async def test_examples_are_the_first_thing_left_out():
    inputs = SAMPLES["say"]
    model = Scripted(otherwise=good)
    context = context_for(model, examples=3)
    plain = estimate_prompt(say.STEP.prompt.render(inputs))
    context.client.fast.num_ctx = int(plain * 1.1) + say.STEP.max_tokens + 2
    await ask(say.STEP, context)
    (call,) = calls_of(context)
    assert (call.examples, call.dropped, call.template) == ("[]", 0, say.STEP.prompt.version)
    assert json.loads(call.inputs) == inputs.model_dump(mode="json")


async def test_the_least_like_example_goes_first():
    inputs = SAMPLES["say"]
    three = found(say.STEP, inputs, Rules(examples=3))
    context = context_for(Scripted(otherwise=good), examples=3)
    two = say.STEP.prompt.render(inputs, [(each.case, each.answer) for each in three[:2]])
    context.client.fast.num_ctx = int(estimate_prompt(two) * 1.1) + say.STEP.max_tokens + 2
    await ask(say.STEP, context)
    (call,) = calls_of(context)
    assert [row["case"] for row in json.loads(call.examples)] == [e.case for e in three[:2]]


async def test_a_repair_keeps_the_examples_of_the_first_question():
    plain = SAMPLES["say"].model_dump(mode="json")
    _, model, calls = await _asked(say.STEP, bad("say", plain), examples=2)
    assert calls[0].examples == calls[1].examples != "[]"
    assert model.asked[0].messages[1].text == model.asked[1].messages[1].text


@EACH_WITH_CASES
async def test_a_template_has_another_version_where_examples_are_shown(step):
    _, _, (call,) = await _asked(step, examples=1)
    plain = collect_templates(shipped_templates())[step.name]
    with_examples = collect_templates(shipped_templates(), with_examples=True)
    shown = with_examples[step.name]
    assert call.template == shown.version != plain.version
    assert shown.files.keys() - plain.files.keys() == {"_examples.jinja"}
    assert set(with_examples) == {each.name for each in STEPS}


async def test_a_trace_shows_the_prompt_with_its_examples():
    messages = await say.STEP.prompt.ainvoke(SAMPLES["say"], examples=[("A case.", "{}")])
    assert messages == say.STEP.prompt.invoke(SAMPLES["say"], examples=[("A case.", "{}")])
    assert "A case." in messages[1].text


def test_a_case_that_nobody_wrote_out_is_told_by_its_inputs():
    told = plain_case(SAMPLES["say"])
    assert "Rosa Marin, " not in told.splitlines()[0]
    assert any(line.startswith("place: ") for line in told.splitlines())
    assert not any(line.startswith("me: ") for line in told.splitlines())


async def test_what_is_wrong_is_counted_by_its_kind():
    plain = SAMPLES["say"].model_dump(mode="json")
    ended, *_ = await _asked(say.STEP, "no JSON at all", bad("say", plain))
    first, second, third = ended.finished[0].readings
    assert first.kinds == ("no_json",)
    assert len(second.kinds) == len(second.problems) > 0 and set(second.kinds) <= set(KINDS)
    assert (third.accepted, third.kinds) == (True, ())


@EACH
def test_nobody_and_no_place_of_the_shipped_town_is_in_an_example(step):
    town = FOLDER.parent / "towns" / "smolville"
    people = [path.stem.split("_") for path in (town / "personas").glob("*.toml")]
    names = {name.title() for each in people for name in each}
    layers = json.loads((town / "map.tmj").read_text(encoding="utf-8"))["layers"]
    sectors = {
        each["name"] for layer in layers if layer["name"] == "sectors" for each in layer["objects"]
    }
    assert len(names) > 25 and len(sectors) > 9
    texts = [each.case + json.dumps(each.answer) for each in shipped_cases(step.name)]
    told = " ".join([*texts, step.parser.get_format_instructions()])
    assert not names & set(re.findall(r"\w+", told))
    assert not [sector for sector in sectors if sector in told]
