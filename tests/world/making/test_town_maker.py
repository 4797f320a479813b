"""A whole town is made: every bed, bond and name is right, whatever the model answers."""

import errno
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from smolville.agents.errors import RunError, TownError
from smolville.agents.persona import Persona
from smolville.models.standin.model import StandIn, build
from smolville.world.making import town_maker
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from tests.fixtures.hostile import HOSTILE
from tests.fixtures.scripted import Scripted
from tests.world.making.made import maker_of, texts_of, town_made, town_written


def assert_bonds_agree(town: Town) -> None:
    """Whoever knows somebody is known by them, as the same and with the same fact."""
    for one in town.personas.values():
        for name, told in one.relationships.items():
            other = town.personas[name].relationships[one.name]
            assert one.first_name in told and one.first_name in other
            assert told.split(". ", 1)[1] == other.split(". ", 1)[1]


def assert_lives_well(town: Town, people: int, memories: int) -> None:
    """Everybody differs, sleeps in a bed of their own, and remembers different things."""
    assert len(town.personas) == people
    for part in ("name", "first_name", "home"):
        assert len({getattr(each, part) for each in town.personas.values()}) == people
    for name in town.personas:
        told = town.history[name]
        assert len(told) == memories == len(set(told))
    staffed = Counter(each.work for each in town.personas.values() if each.work)
    assert all(place in town.map.arenas for place in staffed)
    assert_bonds_agree(town)


@pytest.mark.parametrize(("people", "seed"), [(1, 0), (2, 1), (5, 2), (12, 3), (25, 4)])
def test_a_town_of_any_size_is_in_order(tmp_path: Path, people: int, seed: int) -> None:
    folder = town_written(tmp_path / "made", maker_of(seed=seed), people=people)
    assert check_town(folder) == []
    town = Town.load(folder)
    assert_lives_well(town, people, 4)
    assert max(town.casts) == people and len(town.casts[people]) == people


def test_the_same_seed_gives_the_same_files_and_another_one_others(tmp_path: Path) -> None:
    one, same, other = (town_made(maker_of(seed=seed)).files for seed in (5, 5, 6))
    assert one == same != other
    assert sorted(one) == sorted({**one})
    folder = town_written(tmp_path / "made", maker_of(seed=5))
    assert texts_of(folder) == one


def test_what_was_asked_for_shapes_the_town() -> None:
    told: list[tuple[str, str]] = []
    maker = maker_of()
    maker.tell = lambda what, text: told.append((what, text))
    made = town_made(maker, about="a village of fishers with a library")
    kinds = [text.rpartition("(")[2].rstrip(")") for what, text in told if what == "place"]
    assert {"fish market", "library"} <= set(kinds)
    assert "a village of fishers with a library" in made.files["town.toml"].decode()
    assert [what for what, _ in told][:2] == ["town", "square"]
    assert maker.describe_outcomes() == "17 answers: 17 at once, 0 repaired, 0 fallbacks."


def test_mistakes_are_repaired_and_the_town_is_the_same() -> None:
    clumsy = maker_of(build({"mistakes": "0.5"}, 7), seed=7, repairs=6)
    made = town_made(clumsy)
    assert clumsy.outcomes["repaired"] > 0 and not clumsy.outcomes["fallback"]
    assert made.files == town_made(maker_of(seed=7)).files


def test_a_model_that_never_answers_leaves_a_town_of_code(tmp_path: Path) -> None:
    maker = maker_of(Scripted(otherwise=lambda step, inputs: "I would rather not."), repairs=1)
    folder = town_written(tmp_path / "made", maker, people=4)
    assert set(maker.outcomes) == {"fallback"}
    assert maker.describe_outcomes().startswith(f"{maker.outcomes.total()} answers: 0 at once")
    assert check_town(folder) == []
    assert_lives_well(Town.load(folder), 4, 4)


class Hostile(StandIn):
    """The stand-in, with a hostile text in everything that it writes."""

    def _reply(self, messages: Any, kwargs: Any) -> AIMessage:
        message = super()._reply(messages, kwargs)
        message.content = json.dumps(_spoilt(json.loads(str(message.content))))
        return message


def _spoilt(value: Any) -> Any:
    """Return an answer in which every text but a choice has control characters in it."""
    if isinstance(value, dict):
        kept = ("kind", "work", "place", "bond")
        return {key: each if key in kept else _spoilt(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_spoilt(each) for each in value]
    return f"{value[:9]}/../{HOSTILE}; {value[9:]}" if isinstance(value, str) else value


def test_hostile_words_steer_no_file_and_no_path(tmp_path: Path) -> None:
    folder = town_written(tmp_path / "made", maker_of(Hostile()))
    assert check_town(folder) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made"]
    for name, text in texts_of(folder).items():
        assert name.isprintable() and ".." not in name
        if not name.endswith(".png"):
            assert all(each == "\n" or each.isprintable() for each in text.decode())
    assert all(len(told) == 4 for told in Town.load(folder).history.values())


def test_a_name_that_is_taken_is_refused_unless_it_may_be_replaced(tmp_path: Path) -> None:
    folder = town_written(tmp_path / "made")
    before = texts_of(folder)
    other = town_made(maker_of(seed=9))
    with pytest.raises(RunError, match="add --overwrite to replace it"):
        town_maker.write_town(other, folder, overwrite=False)
    assert texts_of(folder) == before
    town_maker.write_town(other, folder, overwrite=True)
    assert texts_of(folder) == other.files
    full = tmp_path / "papers"
    full.mkdir()
    (full / "letter.txt").write_text("dear")
    with pytest.raises(RunError, match="exists and is no town"):
        town_maker.write_town(other, full, overwrite=True)
    assert [path.name for path in full.iterdir()] == ["letter.txt"]


def test_a_failure_while_writing_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = town_made(maker_of())

    def interrupted(folder: Path) -> list[str]:
        assert (folder / "town.toml").is_file()
        raise KeyboardInterrupt

    monkeypatch.setattr(town_maker, "check_town", interrupted)
    with pytest.raises(KeyboardInterrupt):
        town_maker.write_town(made, tmp_path / "made", overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = town_made(maker_of())

    def full(path: Path, contents: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(TownError, match=r"made' cannot be written: No space left on device\."):
        town_maker.write_town(made, tmp_path / "made", overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_a_persona_file_reads_back_as_the_same_person(tmp_path: Path) -> None:
    town = Town.load(town_written(tmp_path / "made"))
    for each in town.personas.values():
        assert isinstance(each, Persona)
        assert each.habits.wake is not None and each.habits.work
        assert each.name in each.lifestyle and each.first_name in each.daily_requirement
