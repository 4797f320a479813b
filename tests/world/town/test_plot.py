"""The plot of a town is read from a file, each fault with its line."""

from pathlib import Path

import pytest

from smolville.agents.entities import Act, Plot
from smolville.agents.errors import TownError
from smolville.world.town.check import check_town
from smolville.world.town.plot import LONGEST_ACT, PLOT_FILE, describe_plot
from smolville.world.town.town import Town, shipped_town

GOOD = "title: A key\nacts:\n  - act: Somebody looks for a key.\n    people: [Ada Brook]\n"


def _write(folder: Path, text: str) -> Path:
    (folder / PLOT_FILE).write_text(text, encoding="utf-8")
    return folder


def test_a_plot_is_read_whole_and_a_change_is_seen(small_town: Path) -> None:
    plot = Town.load(_write(small_town, GOOD)).plot
    act = Act(summary="Somebody looks for a key.", people=("Ada Brook",))
    assert plot == Plot(title="A key", acts=(act,))
    assert describe_plot(plot) == "A key (1 act)"
    again = Town.load(_write(small_town, GOOD.replace("A key", "A lock"))).plot
    assert again is not None and again.title == "A lock"


def test_the_shipped_town_has_a_plot() -> None:
    plot = Town.load(shipped_town()).plot
    assert plot is not None and len(plot.acts) == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title: A key\n", "plot.yaml, line 1: `acts` is missing."),
        ("title: A key\nacts: []\n", "plot.yaml, line 2: `acts`: list 1 to 12 acts."),
        ("title: A\nacts:\n  - people: []\n", "plot.yaml, line 3: `acts.act` is missing."),
        (
            f"title: A\nacts:\n  - act: {'x' * (LONGEST_ACT + 1)}\n",
            "plot.yaml, line 3: `acts.act` is 'xxx",
        ),
        ("- a\n", "plot.yaml, line 1: the file: it should be a table of fields."),
        (GOOD + "akts: 1\n", "plot.yaml, line 5: `akts` is no field here. Did you mean"),
        (
            GOOD.replace("Ada Brook", "Ada Brok"),
            "plot.yaml, line 4: `acts.people` is 'Ada Brok': nobody in the town is called so. Did",
        ),
        (GOOD + "title: A lock\n", "plot.yaml, line 5: `title` is there twice."),
        ("title: [\n", "plot.yaml, line 2:"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, told: str, small_town: Path) -> None:
    _write(small_town, text)
    faults = check_town(small_town)
    assert faults[0].startswith(told)
    with pytest.raises(TownError):
        Town.load(small_town)


def test_a_file_that_is_no_text_is_told(small_town: Path) -> None:
    (small_town / PLOT_FILE).write_bytes(b"\xff\xfe\x00")
    assert check_town(small_town) == [
        "plot.yaml cannot be read: line 1 is not UTF-8 text; save the file as UTF-8."
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 3000, "plot.yaml cannot be read: it is nested too deep."),
        (f"# {'x' * 1_000_000}", "plot.yaml cannot be read: it is larger than 1 MB."),
    ],
)
def test_a_file_of_no_use_is_told(text: str, told: str, small_town: Path) -> None:
    _write(small_town, text)
    assert check_town(small_town)[0].startswith(told)
