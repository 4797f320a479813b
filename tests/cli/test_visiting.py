"""Announcements, visitors and talks with people, from the command line."""

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox
from smolville.history.reader import RunReader
from smolville.world.town.town import Town
from smolville.world.visiting.wishes import call
from tests.cli.conftest import Command
from tests.fixtures.warm import WarmProcess, warm

ROOT = Path(__file__).parents[2]


def test_an_announcement_and_a_visit_are_taken_in_and_told(lived: Command) -> None:
    said = lived("announce", "amber", "The [bold]fair[/] is on Friday.")
    assert said.out == "Everybody hears it from Monday 6 May, 13:00 on, when the run goes on.\n"
    came = ("visit", "amber", "Rosa Lind", "--about", "a reporter", "--at", "the park")
    assert lived(*came, "--do", "taking notes").code == 0
    assert lived("visit", "amber", "Rosa Lind", "--leave").code == 0
    assert lived("run", "amber", "--resume", "--for", "10m", "-q").code == 0
    story = lived("timeline", "amber").out
    assert "📣 It is announced to everybody: “The \\[bold\\]fair" in story
    assert "Rosa Lind, a reporter, comes to Willow Park." in story
    assert "Rosa Lind leaves the town." in story


def test_a_visitor_in_town_or_on_the_way_does_not_come_twice_in_whatever_letters(
    lived: Command,
) -> None:
    came = lived("visit", "amber", "Ivo Lind", "--at", "the park")
    assert came.code == 0, came.err
    again = lived("visit", "amber", "ivo  lind", "--at", "the park")
    assert (again.code, again.err) == (2, "Ivo Lind is on the way already.\n")
    assert lived("run", "amber", "--resume", "--for", "10m", "-q").code == 0
    again = lived("visit", "amber", "IVO LIND", "--at", "the park")
    assert (again.code, again.err) == (2, "Ivo Lind is in town already.\n")
    assert "lives in this town" in lived("visit", "amber", "ADA", "--at", "the park").err
    # The same words lead to whom the run knows; who is about to leave may come back.
    left = lived("visit", "amber", "ivo lind", "--leave")
    assert left.out.startswith("Ivo Lind does so from")
    assert lived("visit", "amber", "Ivo Lind", "--at", "the park").code == 0
    with Inbox(RunFolder.open(lived.runs, "amber")) as inbox:
        assert {each.target for each in inbox.waiting()} == {"Ivo Lind"}


def test_an_object_is_set_by_a_sentence_and_near_to_somebody(lived: Command) -> None:
    said = lived("set", "amber", "the coffee machine is on fire")
    assert said.out.startswith("Copper Kettle: counter room: coffee machine is 'on fire' from")
    assert "say which house" in lived("set", "amber", "the stove is hot").err
    assert lived("set", "amber", "the stove is hot", "--near", "ada").out.count("stove is 'hot'")
    assert "could be" in lived("set", "amber", "stove", "hot").err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("visit", "amber", "Ada Brook", "--at", "park"), "Ada Brook lives in this town"),
        (("visit", "amber", "Rosa Lind", "--at", "moon"), "no place 'moon'"),
        (("visit", "amber", "Rosa Lind", "--about", "x", "--do", "waving"), "Say with --at"),
        (("visit", "amber", "Rosa Lind"), "The run 'amber' is not running now"),
        (("talk", "amber", "ada", "--as", "<b>"), "cannot be a visitor's name"),
        (("announce", "amber", " "), "an announcement needs some words"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    lived: Command, words: tuple[str, ...], told: str
) -> None:
    said = lived(*words)
    assert said.code != 0
    assert told in said.err


def test_whoever_has_rung_somebody_up_speaks_when_it_is_their_turn(lived: Command) -> None:
    folder = RunFolder.open(lived.runs, "amber")
    wish = call("Nils Berg", "a banker", "Ada Brook", town=Town.load(lived.town))
    words = ("run", "amber", "--resume", "--for", "30m", "-q", "--headless")
    with Inbox(folder) as inbox:
        inbox.put(wish)
    with Inbox(folder) as inbox, started(lived, *words) as living:
        while not inbox.turns():
            assert living.returncode is None
        said = lived("visit", "amber", "Nils Berg", stdin="Good day.\nGoodbye!\n")
        assert (said.code, living.wait()) == (0, 0), said.err
    assert said.out.startswith("Ada Brook: ")
    with RunReader(folder) as reader:
        (held,) = reader.talks("Nils Berg")
    lines = [line.text for line in held.lines if line.speaker == "Nils Berg"]
    assert lines == ["Good day.", "Goodbye!"]


def started(command: Command, *words: str) -> AbstractContextManager[WarmProcess]:
    """A command as a process of its own."""
    return warm(["-m", "smolville.cli.main", *words, "--runs", command.runs], ROOT)
