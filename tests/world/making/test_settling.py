"""Somebody is added to a town that is there: what else is in its files stays as it was."""

import tomllib
from pathlib import Path

import pytest

from smolville.agents.errors import RunError, TownError
from smolville.world.making.settling import NewResident, find_vacancy, write_texts
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from tests.fixtures.small_town import edit_text, write_small_town
from tests.world.making.made import maker_of, person_made, town_written
from tests.world.making.test_town_maker import assert_bonds_agree


@pytest.fixture
def village(tmp_path: Path) -> Path:
    """A town of three, with a bed to spare."""
    return town_written(tmp_path / "village")


def settled(folder: Path, made: NewResident) -> Town:
    """The town with somebody new in it."""
    write_texts(folder, made.texts)
    assert check_town(folder) == []
    return Town.load(folder)


def test_somebody_new_sleeps_in_the_free_bed_and_is_known_by_others(village: Path) -> None:
    before = Town.load(village)
    made = person_made(village)
    town = settled(village, made)
    new = town.personas[made.person.persona.name]
    assert len(town.personas) == len(before.personas) + 1
    assert new.home not in {each.home for each in before.personas.values()}
    assert set(new.relationships) == set(before.personas) == set(made.told)
    assert len(town.history[new.name]) == 3
    assert_bonds_agree(town)
    assert town.casts[4] == (*(each for each in town.personas if each != new.name), new.name)


def test_the_same_seed_gives_the_same_person(village: Path) -> None:
    one, same = person_made(village).texts, person_made(village).texts
    assert one == same
    assert person_made(village, maker_of(seed=3)).texts != one


def test_what_a_person_has_written_into_a_file_stays(village: Path) -> None:
    path = sorted((village / "personas").iterdir())[0]
    edit_text(path, "[relationships]\n", "# whom they know\n[relationships] # by heart\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("# and nobody else\n\n[weights]\nrecency = 0.5\n")
    old = path.read_text(encoding="utf-8")
    settled(village, person_made(village))
    added = set(path.read_text(encoding="utf-8").splitlines()) - set(old.splitlines())
    assert len(added) == 1
    assert "# whom they know\n[relationships] # by heart\n" in path.read_text(encoding="utf-8")
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    assert told["weights"] == {"recency": 0.5} and len(told["relationships"]) == 3


def test_a_table_written_in_one_line_is_refused_by_a_sentence(village: Path) -> None:
    path = sorted((village / "personas").iterdir())[0]
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    inline = ", ".join(f'"{key}" = "{value}"' for key, value in data["relationships"].items())
    head = path.read_text(encoding="utf-8").partition("\n[habits]")[0]
    path.write_text(f"relationships = {{ {inline} }}\n{head}\n", encoding="utf-8")
    assert check_town(village) == []
    with pytest.raises(TownError, match=r"`relationships` is written in a form that cannot be"):
        person_made(village)


def test_a_name_is_taken_unless_that_person_may_be_replaced(village: Path) -> None:
    first = person_made(village, name="Ola Berg")
    town = settled(village, first)
    with pytest.raises(RunError, match=r"Ola Berg lives in .*personas/ola_berg.toml.*--overwrite"):
        find_vacancy(village, "ola berg", overwrite=False)
    again = person_made(village, name="Ola Berg", overwrite=True)
    assert {name: (village / name).read_text("utf-8") for name in again.texts} == again.texts
    other = person_made(village, maker_of(seed=11), name="Ola Berg", overwrite=True)
    after = settled(village, other)
    assert list(after.personas) == list(town.personas)
    assert after.personas["Ola Berg"] != town.personas["Ola Berg"]
    assert_bonds_agree(after)
    assert (village / "history.csv").read_text("utf-8").count("Ola Berg") == 1


def test_a_house_is_built_where_every_bed_is_taken(village: Path) -> None:
    settled(village, person_made(village))
    before = Town.load(village)
    made = person_made(village)
    after = settled(village, made)
    assert len(after.map.sectors) == len(before.map.sectors) + 1
    new = after.personas[made.person.persona.name]
    assert new.home.split(": ")[0] not in before.map.sectors
    for name, sector in before.map.sectors.items():
        assert after.map.sectors[name] == sector


def test_a_town_drawn_with_other_tiles_says_what_to_do(tmp_path: Path) -> None:
    folder = write_small_town(tmp_path / "small")
    with pytest.raises(TownError, match=r"Every bedroom of Smalltown is taken\. Open .*map\.tmj"):
        person_made(folder)


def test_a_town_without_a_history_gets_one(village: Path) -> None:
    (village / "history.csv").unlink()
    edit_text(village / "town.toml", 'history = "history.csv"\n', "")
    made = person_made(village)
    town = settled(village, made)
    assert list(town.history) == [made.person.persona.name]
