"""The rules and the plot of a town are read from their files."""

from pathlib import Path

import pytest

from smolville.agents.entities import Act, Plot
from smolville.agents.norms import Hours, RuleScope, TownRule
from smolville.world.town.norms import RULES_FILE
from smolville.world.town.town import Town
from smolville.world.town.townfiles import PLOT_FILE

CAFE = "Copper Kettle: counter room"


def _rule(folder: Path, *lines: str) -> TownRule:
    text = "\n".join(("[[rules]]", "rule = 'Closed'", *lines))
    (folder / RULES_FILE).write_text(text, encoding="utf-8")
    (rule,) = Town.load(folder).norms
    return rule


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            f"where = ['{CAFE}: counter', 'Corner Shop']",
            {"where": (f"{CAFE}: counter", "Corner Shop")},
        ),
        ("who = {names = ['Ada Brook']}", {"who": RuleScope(names=("Ada Brook",))}),
        (
            "everybody_but = {work = 'Copper Kettle'}",
            {"who": RuleScope(work="Copper Kettle", is_others=True)},
        ),
        (
            "who = {home = 'Fern Cottage', over = 30}",
            {"who": RuleScope(home="Fern Cottage", over=30)},
        ),
        ("what = ['cook', 'having a picnic']", {"what": ("cook", "having a picnic")}),
        (
            "when = ['Sunday', '20:00-24:00', '18:00-06:00']",
            {
                "when": (
                    Hours(start=0, end=1440, day=6),
                    Hours(start=1200, end=1440),
                    Hours(start=1080, end=360),
                )
            },
        ),
        (
            "open = ['saturday 9:30 - 12:00']",
            {"when": (Hours(start=570, end=720, day=5),), "is_outside": True},
        ),
    ],
)
def test_a_rule_says_who_what_where_and_when(
    line: str, expected: dict[str, object], small_town: Path
) -> None:
    where = [] if "where" in expected else ["where = ['Willow Park']"]
    fields = {"text": "Closed.", "where": ("Willow Park",)} | expected
    assert _rule(small_town, *where, line) == TownRule(**fields)  # type: ignore[arg-type]


def test_a_plot_is_read_whole_and_a_change_is_seen(small_town: Path) -> None:
    assert Town.load(small_town).plot is None
    text = "title = 'A key'\n[[acts]]\nact = 'Somebody looks for a key.'\npeople = ['Ada Brook']\n"
    (small_town / PLOT_FILE).write_text(text, encoding="utf-8")
    act = Act(summary="Somebody looks for a key.", people=("Ada Brook",))
    assert Town.load(small_town).plot == Plot(title="A key", acts=(act,))
    (small_town / PLOT_FILE).write_text(text.replace("A key", "A lock"), encoding="utf-8")
    again = Town.load(small_town).plot
    assert again is not None and again.title == "A lock"
