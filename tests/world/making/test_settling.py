"""Somebody is added to a town that is there: what else is in its files stays as it was."""

import tomllib
from pathlib import Path

import pytest

from smolville.agents.errors import RunError, TownError
from smolville.world.making.settling import NewResident, find_vacancy
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from tests.fixtures.scripted import Scripted
from tests.fixtures.small_town import edit_text
from tests.world.making.made import maker_of, person_made, write_village


@pytest.fixture
def village(tmp_path: Path) -> Path:
    """A small town whose houses are private."""
    return write_village(tmp_path / "village")


def settled(folder: Path, made: NewResident) -> Town:
    """The town with somebody new in it."""
    for name, text in made.texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert check_town(folder) == []
    return Town.load(folder)


def test_somebody_new_has_a_bed_of_their_own_and_is_known_by_others(village: Path) -> None:
    before = Town.load(village)
    made = person_made(village)
    town = settled(village, made)
    new = town.personas[made.name]
    assert len(town.personas) == len(before.personas) + 1
    assert new.home not in {each.home for each in before.personas.values()}
    assert {**before.map.objects, f"{new.home}: guest bed": None}.keys() == town.map.objects.keys()
    assert set(new.relationships) == set(made.told) <= set(before.personas)
    for other in new.relationships:
        assert new.first_name in town.personas[other].relationships[new.name]
    assert len(town.history[new.name]) == 5 == len(set(town.history[new.name]))
    size = len(town.personas)
    assert town.casts[size] == (*(each for each in town.personas if each != new.name), new.name)


def test_one_after_another_finds_a_bed_until_no_floor_is_free(village: Path) -> None:
    homes = [each.home for each in Town.load(village).personas.values()]
    with pytest.raises(TownError, match=r"Every bedroom of Smalltown is taken\. Open .*map\.tmj"):
        for seed in range(50):
            made = person_made(village, maker_of(seed=seed))
            settled(village, made)
            home = Town.load(village).personas[made.name].home
            assert home not in homes
            homes.append(home)
    assert len(homes) > len(set(homes[:3]))


def test_the_same_seed_gives_the_same_person(village: Path) -> None:
    one, same = person_made(village).texts, person_made(village).texts
    assert one == same
    assert person_made(village, maker_of(seed=3)).texts != one


def test_a_model_that_never_answers_leaves_a_person_of_code(village: Path) -> None:
    maker = maker_of(Scripted(otherwise=lambda step, inputs: "no"), repairs=0)
    settled(village, person_made(village, maker))
    assert maker.outcomes.keys() == {"fallback"}
    assert maker.describe_outcomes().startswith("7 answers: 0 at once, 0 repaired, 7 fallbacks")


def test_what_a_person_has_written_into_a_file_stays(village: Path) -> None:
    path = village / "personas" / "ada.toml"
    edit_text(path, "[relationships]\n", "# whom they know\n[relationships] # by heart\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("# and nobody else\n\n[weights]\nrecency = 0.5\n")
    old = path.read_text(encoding="utf-8")
    settled(village, person_made(village))
    text = path.read_text(encoding="utf-8")
    assert len(set(text.splitlines()) - set(old.splitlines())) == 1
    assert set(old.splitlines()) <= set(text.splitlines())
    assert tomllib.loads(text)["weights"] == {"recency": 0.5}


def test_a_table_written_in_one_line_is_refused_by_a_sentence(village: Path) -> None:
    path = village / "personas" / "ada.toml"
    text = path.read_text(encoding="utf-8")
    told = tomllib.loads(text)["relationships"]
    inline = ", ".join(f'"{key}" = "{value}"' for key, value in told.items())
    path.write_text(
        f"relationships = {{ {inline} }}\n" + text.partition("[relationships]")[0], "utf-8"
    )
    assert check_town(village) == []
    with pytest.raises(TownError, match=r"`relationships` is written in a form that cannot be"):
        person_made(village)


def test_a_name_is_taken_unless_that_person_may_be_replaced(village: Path) -> None:
    town = settled(village, person_made(village, name="Ola Berg"))
    with pytest.raises(RunError, match=r"Ola Berg lives in .*personas/ola_berg.toml.*--overwrite"):
        find_vacancy(village, "ola berg", overwrite=False)
    again = person_made(village, name="Ola Berg", overwrite=True)
    assert {name: (village / name).read_text("utf-8") for name in again.texts} == again.texts
    other = person_made(village, maker_of(seed=11), name="Ola Berg", overwrite=True)
    after = settled(village, other)
    assert list(after.personas) == list(town.personas)
    assert after.personas["Ola Berg"] != town.personas["Ola Berg"]
    for each in after.personas.values():
        assert ("Ola Berg" in each.relationships) == (each.name in other.told)
    assert (village / "history.csv").read_text("utf-8").count("Ola Berg,") == 1


def test_a_town_without_a_history_gets_one(village: Path) -> None:
    (village / "history.csv").unlink()
    edit_text(village / "town.toml", 'history = "history.csv"\n', "")
    made = person_made(village)
    assert list(settled(village, made).history) == [made.name]
