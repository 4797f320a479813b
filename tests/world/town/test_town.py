"""A town, loaded: who lives there, and whom to ask for."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smolville.agents.errors import RunError, TownError
from smolville.world.town.town import Town
from smolville.world.town.townfiles import read_history


def test_a_town_has_what_its_files_say(town: Town) -> None:
    assert (town.name, town.start_date) == ("Smalltown", date(2024, 5, 6))
    assert list(town.personas) == ["Ada Brook", "Ben Hollis", "Cora Vance"]
    assert town.personas["Ben Hollis"].weights.relevance == 3.0
    assert list(town.casts) == [1, 2, 3]
    assert town.history["Cora Vance"] == ("My novel has no ending yet", "Walks help me, mostly")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text() | st.binary())
def test_nothing_whatever_in_a_history_raises(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "history.csv"
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    path.write_bytes(data)
    whispers, faults = read_history(path, ("Ada Brook",))
    assert faults or not whispers


def test_whispers_are_parted_by_semicolons_in_any_columns(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    path.write_text('name, whisper\nAda Brook,"You bake, daily; You sing;"\nAda Brook,a; b,c\n')
    told = ("You bake, daily", "You sing", "a", "b, c")
    assert read_history(path, ("Ada Brook",)) == ({"Ada Brook": told}, [])


def test_a_cast_comes_in_the_order_of_the_town_file(town: Town) -> None:
    assert [person.name for person in town.cast(2)] == ["Ada Brook", "Ben Hollis"]
    assert len(town.cast()) == 3
    assert [person.company for person in town.cast(2)] == [("Ben Hollis",), ("Ada Brook",)]
    assert not any(person.company for person in town.cast()), "the whole town lives"


@pytest.mark.parametrize("names", ["Cora, Ada Brook", " Cora  Vance ,ada,"])
def test_people_are_asked_for_by_full_or_by_first_names(town: Town, names: str) -> None:
    assert [person.name for person in town.cast(names=names)] == ["Cora Vance", "Ada Brook"]


def test_an_unknown_name_gets_the_nearest_ones(town: Town) -> None:
    with pytest.raises(RunError, match=r"called 'Coral'\. Did you mean Cora Vance\?"):
        town.cast(names="Ada,Coral")
    with pytest.raises(RunError, match="There are: Ada Brook, Ben Hollis, Cora Vance"):
        town.cast(names="Xaver Quux")


@pytest.mark.parametrize(
    ("size", "names", "sentence"),
    [
        (2, "Ada", "not for both"),
        (None, "Ada, Ada Brook", "Ada Brook is named twice"),
        (None, " , ", "No name is given"),
    ],
)
def test_a_muddled_wish_is_refused(town: Town, size: int | None, names: str, sentence: str) -> None:
    with pytest.raises(TownError, match=sentence):
        town.cast(size, names)
