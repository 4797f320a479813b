"""A town, loaded: who lives there, and whom to ask for."""

from datetime import date
from pathlib import Path

import pytest

from smolville.agents.errors import RunError, TownError
from smolville.world.town.town import Town


def test_a_town_has_what_its_files_say(town: Town) -> None:
    assert (town.name, town.start_date) == ("Smalltown", date(2024, 5, 6))
    assert list(town.personas) == ["Ada Brook", "Ben Hollis", "Cora Vance"]
    assert town.personas["Ben Hollis"].weights.relevance == 3.0
    assert list(town.casts) == [1, 2, 3]
    assert town.history["Cora Vance"] == ("My novel has no ending yet", "Walks help me, mostly")
    assert town.notes == ()


def test_a_mended_history_is_said(small_town: Path) -> None:
    path = small_town / "history.csv"
    path.write_text("Name,Whisper\nAda Brook,You bake, daily\n", encoding="utf-8")
    (note,) = Town.load(small_town).notes
    assert "joined with a comma" in note


def test_a_cast_comes_in_the_order_of_the_town_file(town: Town) -> None:
    assert [person.name for person in town.cast(2)] == ["Ada Brook", "Ben Hollis"]
    assert len(town.cast()) == 3
    assert [person.company for person in town.cast(2)] == [("Ben Hollis",), ("Ada Brook",)]
    assert not any(person.company for person in town.cast()), "the whole town lives"


@pytest.mark.parametrize(
    "names", ["Cora, Ada Brook", ["cora vance", "ADA"], " Cora  Vance ,ada,", ("Cora", "Ada")]
)
def test_people_are_asked_for_by_full_or_by_first_names(
    town: Town, names: str | list[str] | tuple[str, ...]
) -> None:
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
