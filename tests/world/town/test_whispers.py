"""History files, read tolerantly."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smolville.agents.errors import TownError
from smolville.world.town.whispers import load_history, read_history

NAMES = ("Ada Brook", "Ben Hollis", "Cora Vance")
THE_VILLE = Path(os.environ.get("SMOLVILLE_THE_VILLE", "")) / "agent_history_init_n3.csv"


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "history.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_whispers_are_parted_by_semicolons_and_a_last_one_adds_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, 'Name,Whisper\nAda Brook,"You bake, daily; You sing;"\n')
    assert load_history(path, NAMES) == ({"Ada Brook": ("You bake, daily", "You sing")}, [])


def test_surplus_columns_are_joined_and_that_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "Name,Whisper\nAda Brook,You bake; For planning, you rise early\n")
    whispers, notes = load_history(path, NAMES)
    assert whispers == {"Ada Brook": ("You bake", "For planning, you rise early")}
    (note,) = notes
    assert note.startswith("history.csv, line 2: 1 surplus column(s) joined with a comma")


def test_a_name_that_is_there_twice_gets_the_whispers_of_both_rows(tmp_path: Path) -> None:
    path = written(tmp_path, "name, whisper\nAda Brook,One\nBen Hollis,Two\nAda Brook,Three; One\n")
    whispers, _ = load_history(path, NAMES)
    assert whispers == {"Ada Brook": ("One", "Three", "One"), "Ben Hollis": ("Two",)}


def test_an_unknown_name_is_an_error_with_file_and_line(tmp_path: Path) -> None:
    path = written(tmp_path, 'Name,Whisper\nAda Brook,"a\nb"\nBenn Hollis,c\nDora Lee,d\n')
    with pytest.raises(TownError) as caught:
        load_history(path, NAMES)
    assert str(caught.value) == (
        "history.csv, line 4: nobody here is called 'Benn Hollis'. Did you mean Ben Hollis? "
        "(and 1 more)"
    )


def test_a_file_of_another_encoding_is_refused(tmp_path: Path) -> None:
    history = read_history(written(tmp_path, "Name,Whisper\nAda Brook,café\n", "latin-1"), NAMES)
    assert history.faults == [
        "history.csv cannot be read: line 2 is not UTF-8 text; save the file as UTF-8."
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text() | st.binary())
def test_nothing_whatever_in_the_file_raises(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "history.csv"
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    path.write_bytes(data)
    history = read_history(path, NAMES)
    assert history.faults or not history.whispers
