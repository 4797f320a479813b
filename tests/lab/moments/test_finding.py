"""Moments are found: all of a kind, or the one that an id names."""

import os
from pathlib import Path

import orjson
import pytest

from smolville.agents.errors import RunError, SettingError
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import StepView
from smolville.lab.moments.finding import find_moment, moments_from, moments_of, moments_of_all
from smolville.lab.moments.moment import Moment
from tests.fixtures.viewing import copied


def test_every_step_of_thoughts_and_talks_is_a_moment(
    reader: RunReader, moments: list[Moment]
) -> None:
    told = [(each.owner, each.tick, each.step, each.ordinal) for each in reader.steps()]
    keys = [(m.record.owner, m.record.tick, m.step, m.record.ordinal) for m in moments]
    assert sorted(keys) == sorted(told)
    assert any(moment.record.owner != moment.agent for moment in moments), "none is of a talk"
    assert len({moment.id for moment in moments}) == len(moments)


def test_a_moment_is_its_step_as_thoughts_and_talks_show_it(
    reader: RunReader, moments: list[Moment]
) -> None:
    views: dict[tuple[str, int], tuple[StepView, ...]] = {}
    for moment in moments:
        owner, tick = moment.record.owner, moment.record.tick
        if (owner, tick) not in views:
            seen = reader.thought(owner, tick) or reader.talk(owner)
            assert seen is not None
            views[owner, tick] = seen.steps
        assert StepView(record=moment.record, attempts=moment.attempts) in views[owner, tick]
        assert len(moment.attempts) == moment.record.attempts


def test_a_moment_brings_what_was_recalled_and_its_templates(
    reader: RunReader, moments: list[Moment]
) -> None:
    texts = {m.id: m.text for agent in reader.agents() for m in reader.memories(agent)}
    for moment in moments:
        recalled = {each["id"] for each in orjson.loads(moment.attempts[0].call.recalled)}
        assert recalled <= set(moment.memories)
        assert all(texts[id_] == text for id_, text in moment.memories.items())
        assert moment.templates == reader.templates_at(moment.record.tick)
    assert any(moment.memories for moment in moments)


def test_the_questions_that_a_fork_shares_with_its_run_are_found_once(
    clumsy: Path, moments: list[Moment], tmp_path: Path
) -> None:
    runs = copied(clumsy, tmp_path)
    fork(runs, "clumsy", "what-if", 9 * 360)
    assert len(moments_from("what-if", runs)) > 0
    assert [each.id for each in moments_of_all(("clumsy", "what-if"), runs)] == [
        each.id for each in moments
    ]


def test_moments_are_told_apart_by_step_agent_and_outcome(
    reader: RunReader, moments: list[Moment]
) -> None:
    for outcome in OUTCOMES:
        found = list(moments_of(reader, outcome=outcome))
        assert found == [moment for moment in moments if moment.outcome == outcome]
    ada = list(moments_of(reader, agent="ada", step="ground_block"))
    assert ada == [m for m in moments if (m.agent, m.step) == ("Ada Brook", "ground_block")]
    assert ada


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"step": "plan_days"}, "There is no step 'plan_days'; did you mean plan_day?"),
        ({"agent": "Adda"}, "Nobody in the run 'clumsy' is called 'Adda'. Did you mean Ada Brook?"),
        ({"outcome": "repair"}, "No step ends 'repair'; did you mean repaired?"),
    ],
)
def test_what_is_unknown_is_told_with_the_nearest(
    reader: RunReader, wanted: dict[str, str], sentence: str
) -> None:
    with pytest.raises((RunError, SettingError)) as error:
        moments_of(reader, **wanted)
    assert str(error.value).startswith(sentence)
    assert error.value.exit_code == 2


def test_a_step_that_the_run_never_used_has_no_moments(reader: RunReader) -> None:
    assert list(moments_of(reader, step="answer_interview")) == []


def test_an_id_or_its_first_digits_name_a_moment(clumsy: Path, moments: list[Moment]) -> None:
    digits = [moment.id.split("/")[1] for moment in moments]
    for moment in moments[::7]:
        own = moment.id.split("/")[1]
        short = next(own[:n] for n in range(4, 9) if sum(d.startswith(own[:n]) for d in digits) < 2)
        for text in (moment.id, f"clumsy/{own.upper()}", f"clumsy/{short}"):
            assert find_moment(clumsy, text) == moment


def test_digits_alone_are_of_the_latest_run_that_has_them(
    clumsy: Path, moments: list[Moment], tmp_path: Path
) -> None:
    for name in ("later", "earlier"):
        (tmp_path / name).mkdir()
        for file in ("run.json", "town.sqlite"):
            (tmp_path / name / file).write_bytes((clumsy / "clumsy" / file).read_bytes())
    os.utime(tmp_path / "earlier" / "run.json", (1, 1))
    digits = moments[0].id.split("/")[1]
    assert find_moment(tmp_path, digits).id == f"later/{digits}"
    RunFolder.open(tmp_path, "later").history_path.unlink()
    assert find_moment(tmp_path, digits).id == f"earlier/{digits}"
    (tmp_path / "later" / "run.json").write_text("{}", "utf-8")
    assert find_moment(tmp_path, digits).id == f"earlier/{digits}"


def test_digits_that_several_moments_begin_with_are_refused(
    clumsy: Path, moments: list[Moment], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "smolville.lab.moments.finding.moment_digits", lambda *key: f"3f9a{key[1]:04x}"[:8]
    )
    with pytest.raises(RunError, match=r"could be 3f9a0000 or 3f9a"):
        find_moment(clumsy, "3f9a")


def test_an_unknown_moment_is_told(clumsy: Path) -> None:
    for text in ("ffffffff", "clumsy/ffffffff"):
        with pytest.raises(RunError, match=r"no moment 'ffffffff' in .*moments RUN` lists"):
            find_moment(clumsy, text)


@pytest.mark.parametrize("text", ["", "abc", "clumsy/", "noon", "clumsy/xyzxyzxy", "123456789"])
def test_what_cannot_be_an_id_is_refused(clumsy: Path, text: str) -> None:
    with pytest.raises(RunError, match="names no moment: write RUN/3f9a1c2e"):
        find_moment(clumsy, text)


def test_a_moment_of_an_unknown_run_names_the_runs(clumsy: Path) -> None:
    with pytest.raises(RunError, match=r"there is no run 'clumsi' in .*; there: [cs]"):
        find_moment(clumsy, "clumsi/3f9a1c2e")
