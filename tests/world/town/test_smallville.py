"""A folder of the original Smallville is no town, and that is said in one sentence."""

import json
import os
from pathlib import Path

import pytest

from smolville.agents.errors import TownError
from smolville.world.town.check import check_town
from smolville.world.town.smallville import refuse_smallville
from smolville.world.town.town import Town
from tests.fixtures.small_town import write_small_town

DATA = os.environ.get("SMOLVILLE_THE_VILLE", "")


def write(path: Path, data: object) -> None:
    """Write a JSON file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def simulation(storage: Path) -> Path:
    """A saved simulation, as small as it can be."""
    folder = storage / "base"
    write(folder / "reverie" / "meta.json", {"persona_names": ["A B", "C D", "E F", "G H", "I J"]})
    write(folder / "personas" / "A B" / "bootstrap_memory" / "scratch.json", {})
    return folder


def told(folder: Path) -> str:
    """The one sentence that a folder is answered with."""
    (fault,) = check_town(folder)
    with pytest.raises(TownError) as raised:
        Town.load(folder)
    assert str(raised.value) == fault
    assert "a town is a folder with town.toml" in fault
    return fault


def test_a_simulation_its_storage_and_a_person_are_recognised(tmp_path: Path) -> None:
    folder = simulation(tmp_path / "storage")
    assert "is a saved simulation (A B, C D, E F and 2 more) of the original" in told(folder)
    assert "is a folder of saved simulations of the original" in told(tmp_path / "storage")
    assert "is a person of the original" in told(folder / "personas" / "A B")


def test_a_simulation_whose_facts_are_damaged_is_still_one(tmp_path: Path) -> None:
    folder = simulation(tmp_path)
    for text in ("{", "[]", '{"persona_names": 3}'):
        (folder / "reverie" / "meta.json").write_text(text)
        assert "is a saved simulation of the original" in told(folder)


def test_the_map_and_a_compressed_simulation_are_recognised(tmp_path: Path) -> None:
    write(tmp_path / "the_ville" / "matrix" / "maze_meta_info.json", {})
    assert "is the map of the original" in told(tmp_path / "the_ville")
    assert "is the map of the original" in told(tmp_path / "the_ville" / "matrix")
    write(tmp_path / "demo" / "master_movement.json", {})
    write(tmp_path / "demo" / "meta.json", {"persona_names": ["A B"]})
    assert "is a compressed simulation (A B) of the original" in told(tmp_path / "demo")


def test_other_folders_are_towns_or_have_their_own_faults(tmp_path: Path) -> None:
    town = write_small_town(tmp_path / "town")
    write(town / "reverie" / "meta.json", {})
    assert check_town(town) == []
    (tmp_path / "empty").mkdir()
    refuse_smallville(tmp_path / "empty")
    assert "Smallville" not in " ".join(check_town(tmp_path / "empty"))


@pytest.mark.skipif(not DATA, reason="set SMOLVILLE_THE_VILLE to a folder of Smallville's own data")
def test_the_originals_own_folders_are_recognised() -> None:
    base = Path(DATA) / "base_the_ville_isabella_maria_klaus"
    assert "is a saved simulation (Isabella Rodriguez, Maria Lopez, Klaus Mueller)" in told(base)
    assert "is the map of the original" in told(Path(DATA))
    assert "is the map of the original" in told(Path(DATA) / "matrix")
