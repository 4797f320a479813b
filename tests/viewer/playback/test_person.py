"""A person's page says what the history and the minds say, at every tick."""

import shutil
from pathlib import Path

from smolville.agents.mind import goals_line
from smolville.agents.plan import DayPlan
from smolville.history.folder import RunFolder
from smolville.history.moments import needs_of
from smolville.history.reader import RunReader
from smolville.reports.happenings import happenings
from smolville.reports.present import mind_of
from smolville.reports.story import write_story
from smolville.viewer.playback.reader import ReplayReader
from tests.fixtures.odd_answers import SENTENCES, make_odd, unmark_odd
from tests.viewer.playback.conftest import TOWNS, tracks


def lives(folder: RunFolder) -> list[dict]:  # type: ignore[type-arg]
    """Everybody's page."""
    with ReplayReader(folder, TOWNS) as reader:
        return [reader.person(n) for n in range(len(folder.spec.cast))]


def as_of(rows: list[list], tick: int) -> list | None:  # type: ignore[type-arg]
    """The last row that holds at a tick."""
    return next((row for row in reversed(rows) if row[0] <= tick), None)


def test_memories_are_as_they_were_at_every_tick(town_run: RunFolder) -> None:
    seconds = town_run.spec.tick_seconds
    rated = met = looked = 0
    with RunReader(town_run) as reader:
        for n, name in enumerate(town_run.spec.cast):
            with ReplayReader(town_run, TOWNS) as replay:
                page = replay.person(n)
            by_id = {each["id"]: each for each in page["memories"]}
            assert [each["tick"] for each in page["memories"]] == sorted(
                each["tick"] for each in page["memories"]
            )
            for tick in (0, page["until"] // 2, page["until"]):
                expected = reader.memories(name, tick)
                assert {each.id for each in expected} == {
                    each["id"] for each in page["memories"] if each["tick"] <= tick
                }
                for memory in expected:
                    told = by_id[memory.id]
                    rating = as_of(told["importance"], tick)
                    assert (rating and rating[1]) == memory.importance
                    strength = as_of(told["strength"], tick)
                    assert strength is not None and strength[1] == memory.strength
                    looks = [each for each in told["accessed"] if each <= tick]
                    touched = [*looks, *(each for each, _ in told["strength"] if each <= tick)]
                    assert max(each * seconds for each in touched) == memory.accessed
                    assert (told["text"], told["kind"], told["at"], told["depth"]) == (
                        *(memory.text, memory.kind, memory.created, memory.depth),
                    )
                    assert told["evidence"] == list(memory.evidence)
                    assert told["expires"] == memory.expires
                    rated += rating is not None
                    met += memory.strength > 1
                    looked += len(looks)
    assert min(rated, met, looked) > 0


def test_plans_and_bonds_are_those_of_the_mind(town_run: RunFolder) -> None:
    with RunReader(town_run) as reader:
        for page, name in zip(lives(town_run), town_run.spec.cast, strict=True):
            assert len(page["plans"]) > 3 and page["bonds"]
            for tick in (0, page["until"] // 3, page["until"] // 2, page["until"]):
                mind = mind_of(reader, name, tick)
                assert mind is not None
                plan = as_of(page["plans"], tick)
                assert (plan is None) == (mind.plan is None)
                if plan is not None and mind.plan is not None:
                    assert_same(plan[1], mind.plan)
                bonds = {
                    other: (relationship, feeling)
                    for began, other, relationship, feeling in page["bonds"]
                    if began <= tick
                }
                assert bonds == {
                    other: (each.relationship, each.feeling)
                    for other, each in mind.impressions.items()
                }
                currently = as_of(page["currently"], tick)
                assert currently is not None and currently[1] == mind.currently
                goal = as_of(page["goals"], tick)
                assert goal is not None and goal[1] == goals_line(mind.goals)
                assert page["goals"][0][1] != ""


def assert_same(told: dict, plan: DayPlan) -> None:  # type: ignore[type-arg]
    """The plan on a page is the mind's, with its parts under their hours."""
    assert (told["day"], told["wake"]) == (plan.day, plan.wake)
    assert [tuple(each) for each in told["strokes"]] == list(plan.strokes)
    parts = []
    for block in told["blocks"]:
        tasks = block["tasks"] or [block]
        assert (tasks[0]["start"], tasks[-1]["end"]) == (block["start"], block["end"])
        parts += [(task["start"], task["end"], task["activity"], task["place"]) for task in tasks]
    assert parts == [
        (each.start, each.end, each.activity, each.spot.place if each.spot else "")
        for each in plan.blocks
    ]
    for block in told["blocks"]:
        hours = {each.part_of for each in plan.blocks if each.start == block["start"]}
        assert hours == ({block["activity"]} if block["tasks"] else {""})


def test_thoughts_have_their_steps_and_worst_outcome(town_run: RunFolder) -> None:
    with RunReader(town_run) as reader:
        for page, name in zip(lives(town_run), town_run.spec.cast, strict=True):
            rows = reader.thoughts(name)
            assert len(rows) == len(page["thoughts"]) > 0
            for told, row in zip(page["thoughts"], rows, strict=True):
                assert told[:5] == [
                    *(row.tick, row.at, list(row.stimuli), list(row.path), row.intent)
                ]
            told = max(page["thoughts"], key=lambda row: row[7])
            thought = reader.thought(name, told[0])
            assert thought is not None
            assert told[5] in ("clean", "mended") and told[7] == len(thought.steps) > 1
            assert told[8] == sum(len(step.attempts) for step in thought.steps)
            silent = next(row for row in page["thoughts"] if row[7] == 0)
            assert silent[5] == ""
            odd = {each.tick for each in reader.steps() if each.odd and each.owner == name}
            assert {row[0] for row in page["thoughts"] if row[10]} == odd


def test_a_check_says_its_sentence_where_the_deed_and_the_line_stand(
    town_run: RunFolder, tmp_path: Path
) -> None:
    shutil.copytree(town_run.path, tmp_path / "town")
    unmark_odd(tmp_path / "town")
    for step in ("ground_block", "say"):
        make_odd(tmp_path / "town", step, "repeat")
    spoilt = RunFolder.open(tmp_path, "town")
    with RunReader(spoilt) as reader:
        odd = {each.step: each for each in reader.steps() if each.odd}
        events = happenings(reader, reader.watermark() or 0)
        story = write_story(reader, None)
    shown = tracks(spoilt)
    sentence = [SENTENCES["repeat"]]
    [doing] = [each for each in events if each.odd]
    assert (doing.who, list(doing.odd)) == ((odd["ground_block"].agent,), sentence)
    lines = [
        (each.record.id, n) for each in events for n, some in enumerate(each.odd_lines) if some
    ]
    assert lines == [(odd["say"].owner, 0)]
    assert story.count(" (odd)") == 2
    assert [deed[1] for deed in shown["deeds"] if deed[14:] == [sentence]] == [
        odd["ground_block"].tick
    ]
    talks = {talk["id"]: talk["lines"] for talk in shown["talks"]}
    said = [(talk, n) for talk, lines in talks.items() for n, line in enumerate(lines) if line[4:]]
    assert said == [(odd["say"].owner, 0)]
    assert talks[odd["say"].owner][0][4:] == [sentence]


def test_needs_are_as_the_history_has_them_and_nothing_where_it_has_none(
    town_run: RunFolder, made: RunFolder
) -> None:
    with RunReader(town_run) as reader:
        for page in lives(town_run):
            rows = needs_of(reader.connection, page["persona"]["name"])
            assert page["needs"]["rows"] == [[each.at, each.levels] for each in rows] != []
            assert all(each.levels.keys() <= page["needs"]["bounds"].keys() for each in rows)
    assert {str(page["needs"]) for page in lives(made)} == {"None"}
