"""A run as a story, and as one number."""

from pathlib import Path

import pytest

from smolville.agents.action import Action
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import Deed, Move
from smolville.reports.story import plain
from smolville.reports.stretches import stretches
from tests.cli.conftest import Command


def test_a_story_has_days_parts_plans_and_talks(morning: Command) -> None:
    story = morning("timeline", "amber").out
    assert story.startswith("# Smalltown: amber\n")
    for heading in ("## Monday 6 May (day 1)", "### Morning"):
        assert f"\n{heading}\n" in story
    assert "- **Ada Brook** means to spend the day " in story
    assert "> - **Ben:** " in story
    assert "ends it at " in story
    assert "\n\n\n" not in story
    assert story.count(" asleep. 😴") == 1
    own = morning("timeline", "amber", "--agent", "ada").out
    assert "*Ada Brook, from the first midnight to Monday 6 May, 13:00.*" in own
    assert "** Ada Brook" in own and "** Cora Vance is " not in own


def test_a_story_tells_everything_that_was_said(morning: Command) -> None:
    story = morning("timeline", "amber").out
    with RunReader(RunFolder.open(morning.runs, "amber")) as reader:
        talks = reader.talks()
    assert sum(len(talk.lines) for talk in talks) == story.count("> - **")
    for talk in talks:
        for line in talk.lines:
            assert plain(line.text) in story


def test_a_story_can_be_written_into_a_file(morning: Command, tmp_path: Path) -> None:
    file = tmp_path / "day.md"
    said = morning("timeline", "amber", "-o", str(file))
    assert said.code == 0
    assert file.read_text(encoding="utf-8") == morning("timeline", "amber").out
    said = morning("timeline", "amber", "-o", str(tmp_path / "nowhere" / "day.md"))
    assert (said.code, (tmp_path / "nowhere" / "day.md").is_file()) == (0, True)
    said = morning("timeline", "amber", "-o", str(file / "day.md"))
    assert (said.code, "cannot be written" in said.err) == (2, True)


def test_fallbacks_are_marked(smolville: Command) -> None:
    town = ("--town", str(smolville.town), "--cast", "1")
    model = ("--model", "standin:truncation=0.9", "--set", "repairs=0")
    said = smolville("run", "amber", *town, *model, "--for", "10h", "--seed", "1", "--quiet")
    assert said.code == 0, said.err
    assert "(fallback)" in smolville("timeline", "amber").out
    assert smolville("runs", "--json").json[0]["fallbacks"] > 0
    assert "(fallback)" in smolville("show", "amber", "ada", "plan").out


def deed(start: int, activity: str, place: str = "Home: room", **more: object) -> Deed:
    action = Action(
        kind=more.get("kind", "do"),  # type: ignore[arg-type]
        activity=activity,
        place=place,
        start=start,
        end=start + 600,
        fallback=bool(more.get("fallback", False)),
    )
    return Deed(agent="Ada Brook", tick=start // 10, action=action)


def test_small_things_in_one_place_are_one_stretch() -> None:
    deeds = [
        deed(0, "kneading dough", "Home: room: table"),
        deed(600, "baking", "Home: room: stove"),
        deed(1200, "kneading dough", "Home: room: table"),
        deed(1800, "shopping", "Shop: floor"),
        deed(2400, "baking", "Home: room"),
    ]
    found = [(stretch.place, stretch.activities) for stretch in stretches(deeds)]
    assert found == [
        ("Home: room", ["kneading dough", "baking"]),
        ("Shop: floor", ["shopping"]),
        ("Home: room", ["baking"]),
    ]


def _walk(tick: int, ticks: int) -> Move:
    return Move(agent="Ada Brook", tick=tick, end_tick=tick + ticks, path=((tick, 1), (9, 9)))


def test_whoever_walks_to_a_deed_is_told_as_doing_it_from_their_arrival() -> None:
    deeds = [deed(0, "baking", "Home: room"), deed(600, "shopping", "Shop: floor")]
    (_, there) = stretches(deeds, [_walk(60, 12)])
    assert there.start == 720 and there.describe().startswith("Ada Brook is shopping")


def test_whoever_never_arrives_or_not_yet_is_told_as_on_the_way() -> None:
    deeds = [
        deed(0, "baking", "Home: room"),
        deed(600, "shopping", "Shop: floor"),
        deed(660, "chasing the dog", "Park: lawn"),
    ]
    moves = [_walk(60, 12), _walk(66, 9)]
    _, shop, park = stretches(deeds, moves)
    assert (shop.start, shop.describe()) == (
        600,
        "Ada Brook is on the way to Shop.",
    )
    assert park.start == 750 and park.describe().startswith("Ada Brook is chasing the dog")
    _, _, park = stretches(deeds, moves, until=70)
    assert park.describe().startswith("Ada Brook is on the way to Park")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a *b* [c](d) <e>", "a \\*b\\* \\[c\\](d) \\<e\\>"),
        ("# not\na heading", "\\# not a heading"),
        ("bell \x07 and \x1b[31mcolour", "bell \\\\x07 and \\\\x1b\\[31mcolour"),
    ],
)
def test_no_text_is_markdown(text: str, shown: str) -> None:
    assert plain(text) == shown
