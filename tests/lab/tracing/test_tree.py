"""A thought's tree: everything the history knows, each thing where it belongs."""

import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from smolville.agents.times import moment
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.tracing.span import Span, find_worst_outcome
from smolville.lab.tracing.steps import step_span
from smolville.lab.tracing.tree import hour_span, talk_span, thought_span
from tests.lab.tracing.conftest import everything
from tests.lab.tracing.looking import of_kind, placed

ODD = {"odd_kinds": ["hours"]}
LEAVES_OF_STEPS = {"recall", "render", "attempt"}


SECOND = "llamacpp:http://127.0.0.1:8081"


def test_every_thought_and_talk_is_one_tree(reader: RunReader, trees: list[Span]) -> None:
    assert len(trees) == len(reader.thoughts()) + len(reader.talks())
    for tree in trees:
        assert {each.kind for each in tree.children} <= {"step"}
        for step in tree.children:
            assert {each.kind for each in step.children} <= LEAVES_OF_STEPS
            for attempt in of_kind(step, "attempt"):
                assert [each.kind for each in attempt.children] == ["model", "parse"]


def test_steps_attempts_and_recalls_are_those_of_the_history(
    reader: RunReader, trees: list[Span]
) -> None:
    steps = reader.steps()
    told = [each for tree in trees for each in tree.children]
    assert sorted(each.name for each in told) == sorted(each.step for each in steps)
    attempts = [each for tree in trees for each in of_kind(tree, "attempt")]
    assert len(attempts) == sum(each.attempts for each in steps) > len(steps)
    recalls = [each for tree in trees for each in of_kind(tree, "recall")]
    assert len(recalls) == sum(len(each.recalls) for each in steps) > 0


def test_ids_are_the_same_at_every_reading_and_nowhere_twice(
    reader: RunReader, trees: list[Span]
) -> None:
    ids = [each.id for tree in trees for each in everything(tree)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in ids)
    again = [thought_span(reader, row.agent, row.tick) for row in reader.thoughts()]
    assert again == [each for each in trees if each.kind == "thought"]


def test_a_run_begun_anew_under_its_name_has_other_spans_and_the_same_digits(
    clumsy: RunFolder, repaired: Span
) -> None:
    later = clumsy.spec.model_copy(update={"created": "2001-01-01T00:00:00"})
    told = repaired.metadata
    with RunReader(clumsy) as reader:
        reader.spec = later
        anew = thought_span(reader, told["agent"], told["tick"])
    assert anew is not None
    assert anew.id != repaired.id
    assert anew.metadata == told


def test_what_servers_tell_is_there(reader: RunReader, repaired: Span) -> None:
    place, view = placed(reader, repaired)
    call = replace(
        view.attempts[0].call,
        prompt_tokens=400,
        cached_tokens=300,
        slot=2,
        prompt_ms=5.0,
        server=SECOND,
    )
    attempts = (replace(view.attempts[0], call=call), *view.attempts[1:])
    span = step_span(place, replace(view, attempts=attempts), 0.0)
    model = of_kind(span, "model")[0].metadata
    assert (model["cached_tokens"], model["cached_share"], model["slot"]) == (300, 0.75, 2)
    assert model["server"] == SECOND
    assert span.metadata["cached_tokens"] == 300


def test_a_step_says_how_it_went(trees: list[Span], repaired: Span) -> None:
    step = next(each for each in repaired.children if each.metadata["outcome"] == "repaired")
    refused, *_, accepted = of_kind(step, "parse")
    assert refused.error
    assert refused.error.split("\n") == refused.metadata["problems"]
    assert len(refused.metadata["kinds"]) == len(refused.metadata["problems"])
    assert (accepted.metadata["accepted"], accepted.error) == (True, "")
    assert (
        step.metadata["problems"][: len(refused.metadata["problems"])]
        == (refused.metadata["problems"])
    )
    assert step.outputs["answer"]
    assert step.tags[-2:] == (step.name, "repaired")
    mended = [each for tree in trees for each in tree.children if each.metadata["mends"]]
    assert {each.metadata["outcome"] for each in mended} >= {"mended"}


def test_a_step_and_its_root_tell_what_is_odd(reader: RunReader, repaired: Span) -> None:
    place, view = placed(reader, repaired)
    assert not any(each.metadata["odd_kinds"] for each in (repaired, *repaired.children))
    told = ("`text`: Ada said this before.", "`start`: nobody dines at 04:00.")
    record = replace(view.record, odd=told, odd_kinds=("repeat", "hours"))
    span = step_span(place, replace(view, record=record), 0.0)
    assert (span.metadata["odd"], span.outputs["odd"]) == ([*told], [*told])
    assert span.metadata["odd_kinds"] == ["repeat", "hours"]
    assert {"odd: repeat", "odd: hours"} <= set(span.tags)
    hour = hour_span([repaired, replace(repaired, metadata=repaired.metadata | ODD)])
    assert hour is not None
    assert hour.metadata["odd_kinds"] == ["hours"]


def test_memories_come_with_text_time_and_scores(reader: RunReader, trees: list[Span]) -> None:
    known = {memory.id: memory for agent in reader.agents() for memory in reader.memories(agent)}
    recalls = [each for tree in trees for each in of_kind(tree, "recall")]
    documents = [each for span in recalls for each in span.outputs["documents"]]
    assert documents
    for each in documents:
        told, memory = each["metadata"], known[each["metadata"]["id"]]
        assert (each["page_content"], told["kind"]) == (memory.text, memory.kind)
        assert told["time"] == moment(memory.created)
    scored = [each["metadata"] for each in documents if "score" in each["metadata"]]
    assert scored
    for told in scored:
        assert {"score", "recency", "importance", "relevance"} <= told.keys()


def test_a_steps_inputs_are_what_its_prompt_was_made_of(trees: list[Span]) -> None:
    steps = [each for tree in trees for each in tree.children]
    for step in steps:
        assert step.inputs["me"]["name"] == step.metadata["agent"]
    for name in ("react", "rate_importance", "reflect_questions"):
        one = next(each for each in steps if each.name == name)
        asked = of_kind(one, "model")[0].inputs["messages"][-1]["content"]
        assert one.inputs["memories"]
        assert all(each["text"] in asked for each in one.inputs["memories"])


def test_an_attempt_says_what_a_repair_added_and_what_came_of_it(trees: list[Span]) -> None:
    steps = [each for tree in trees for each in tree.children if each.metadata["attempts"] > 1]
    assert steps
    for step in steps:
        first, second, *_ = of_kind(step, "attempt")
        assert first.inputs.keys() == {"attempt", "tier", "temperature"}
        assert (first.outputs["accepted"], bool(first.outputs["reply"])) == (False, True)
        assert step.metadata["nodes"][:6] == ["gather", "ask", "parse", "repair", "ask", "parse"]
        *wrong, asked = second.inputs["added"]
        assert asked["role"] == "user"
        if not wrong:
            assert "GAPS:" in asked["content"], "only the gaps that are wrong are asked again"
        elif wrong[0]["role"] == "system":
            assert "Say one short, friendly sentence" in asked["content"], "a narrower question"
        else:
            assert wrong[0]["role"] == "assistant"
            assert first.outputs["problems"][0] in asked["content"]


def test_from_the_trace_alone_it_is_clear_why_she_spoke_to_him(trees: list[Span]) -> None:
    talk = next(each for each in trees if each.kind == "talk")
    she, he = talk.inputs["participants"]
    assert talk.outputs["lines"][0].startswith(f"{she}: ")
    assert talk.cause is not None
    thought = next(each for each in trees if each.id == talk.cause.root)
    react = next(each for each in thought.children if each.name == "react")
    assert react.metadata["moment"] == talk.metadata["begun_by"] == talk.cause.moment
    answer = react.outputs["answer"]
    assert (answer["choice"], answer["person"]) == ("talk", he)
    reason = answer["reason"].rstrip(".")
    assert reason in talk.metadata["why"]
    assert reason in thought.metadata["why"]
    assert f"talk to {he}" in thought.outputs["intent"]
    assert any(he in each for each in thought.inputs["newly_seen"])
    assert [each["name"] for each in react.inputs["people"]] == [he]
    (recall,) = of_kind(react, "recall")
    shown = [each["text"] for each in react.inputs["memories"]]
    assert [each["page_content"] for each in recall.outputs["documents"]] == shown
    model = of_kind(react, "model")[-1]
    assert all(text in model.inputs["messages"][-1]["content"] for text in shown)
    assert reason in model.outputs["message"]["content"]


def test_an_act_points_to_what_planned_it(trees: list[Span]) -> None:
    acts = [each for each in trees if "act" in each.metadata.get("nodes", ())]
    roots = {each.id: each for each in trees}
    steps = {each.metadata["moment"]: each for tree in trees for each in tree.children}
    planners = set()
    for act in acts:
        assert act.cause is not None
        planner = steps[act.metadata["planned_by"]]
        assert planner in roots[act.cause.root].children
        assert planner.metadata["agent"] == act.metadata["agent"]
        assert planner.metadata["tick"] <= act.metadata["tick"]
        doing = act.outputs["intent"].rpartition(" @ ")[0]
        answer = planner.outputs["answer"]
        if planner.name == "plan_hours":
            assert doing in [text for texts in answer.values() for text in texts]
        elif planner.name != "plan_day":
            assert doing in [each["activity"] for each in answer["subtasks"]]
        assert f"turned to {doing}: the plan says so since" in act.metadata["why"]
        planners.add(planner.name)
    assert (
        {"plan_day", "decompose"} <= planners <= {"plan_day", "plan_hours", "decompose", "replan"}
    )
    assert any(act.cause and act.cause.root != act.id for act in acts)


def test_who_when_what_and_how_it_ended_are_tags(repaired: Span) -> None:
    told = repaired.metadata
    for span in everything(repaired):
        assert {told["agent"], told["time"]} <= set(span.tags)
        if span.kind not in ("thought", "render", "recall", "step"):
            assert f"attempt {span.metadata['attempt'] + 1}" in span.tags
        if span.kind != "thought":
            assert {span.metadata["step"], span.metadata["outcome"]} <= set(span.tags)


def test_a_moment_stands_at_its_step(reader: RunReader, repaired: Span) -> None:
    from smolville.lab.moments.finding import found_in

    ids = {f"clumsy/{each.digits}" for each in found_in(reader)}
    assert {each.metadata["moment"] for each in repaired.children} <= ids


def test_a_thought_that_asked_nothing_is_a_tree_of_one(trees: list[Span]) -> None:
    silent = next(each for each in trees if not each.children)
    assert silent.metadata["calls"] == 0
    assert silent.metadata["outcome"] == ""
    assert silent.name.endswith(f" · {silent.metadata['nodes'][-1]}")


def test_a_talk_names_its_people_and_each_step_its_speaker(
    reader: RunReader, trees: list[Span]
) -> None:
    talk = next(each for each in trees if each.kind == "talk")
    people = talk.metadata["participants"]
    assert talk.name.startswith(" & ".join(people))
    assert {each.metadata["agent"] for each in talk.children} == set(people)
    assert talk.start == min(each.start for each in talk.children) > 0.0
    assert talk_span(reader, "talk/0/Nobody") is None
    assert thought_span(reader, "Ada Brook", 10**6) is None


def test_an_hour_holds_its_thoughts_by_their_time(trees: list[Span]) -> None:
    some = [each for each in trees if each.children][:4]
    hour = hour_span(list(reversed(some)))
    assert hour is not None
    assert hour.name == f"{some[0].metadata['agent']} · {some[0].metadata['time'][2:4]}:00"
    assert [each.start for each in hour.children] == sorted(each.start for each in some)
    assert hour.metadata["calls"] == sum(each.metadata["calls"] for each in some)
    assert hour.metadata["outcome"] == find_worst_outcome(each.metadata["outcome"] for each in some)
    assert hour.id not in {each.id for each in some}
    assert (hour.start, hour.end) == (hour.children[0].start, max(each.end for each in some))


def test_a_step_whose_calls_are_gone_is_a_span(reader: RunReader, repaired: Span) -> None:
    place, view = placed(reader, repaired)
    span = step_span(place, replace(view, attempts=()), view.record.started)
    assert [each.kind for each in span.children if each.kind != "recall"] == ["render"]
    assert span.metadata["outcome"] == "repaired"


def test_a_failed_thought_is_an_error(clumsy: RunFolder, tmp_path: Path) -> None:
    copy = RunFolder(Path(shutil.copytree(clumsy.path, tmp_path / "clumsy")), clumsy.spec)
    with closing(sqlite3.connect(copy.history_path)) as history, history:
        history.execute(
            "UPDATE thoughts SET failed = 'ValueError: no such place', path = '[]', "
            "milliseconds = 0 WHERE agent = 'Ada Brook' AND tick = 0"
        )
        history.execute("DELETE FROM steps WHERE owner = 'Ada Brook' AND tick = 0")
    with RunReader(copy) as reader:
        span = thought_span(reader, "Ada Brook", 0)
    assert span is not None
    assert (span.error, span.metadata["outcome"]) == ("ValueError: no such place", "failed")
    assert span.start == span.end > 0.0
    assert span.name == "Ada Brook · 00:00 · failed"
    assert span.tags == ("Ada Brook", "1 00:00", "failed")
