"""Tracks say exactly what the history says, whole and piece by piece."""

import re
from itertools import pairwise
from typing import Any

import pytest

from smolville.agents.times import Clock
from smolville.history.folder import RunFolder
from smolville.history.moments import tile_at
from smolville.history.reader import RunReader
from smolville.world.town.town import town_of
from tests.viewer.playback.conftest import head, tracks

WAYS = {
    "R": (1, 0), "L": (-1, 0), "U": (0, -1), "D": (0, 1),
    "NE": (1, -1), "SE": (1, 1), "SW": (-1, 1), "NW": (-1, -1),
}  # fmt: skip


@pytest.fixture(scope="module", params=["town_run", "made"])
def run(request: pytest.FixtureRequest) -> RunFolder:
    found: RunFolder = request.getfixturevalue(request.param)
    return found


def path(x: int, y: int, steps: str) -> list[tuple[int, int]]:
    """The tiles of a walk."""
    tiles = [(x, y)]
    assert re.fullmatch(r"((NE|SE|SW|NW|[RLUD])\d+)*", steps)
    for way, times in re.findall(r"([A-Z]+)(\d+)", steps):
        for _ in range(int(times)):
            tiles.append((tiles[-1][0] + WAYS[way][0], tiles[-1][1] + WAYS[way][1]))
    return tiles


def places(found: Any, about: Any, tick: int) -> dict[str, tuple[int, int]]:
    """Where everybody who ever walked stands when a tick begins, from the replay alone."""
    standing = {}
    for n, began, _, x, y, steps in found["moves"]:
        if began <= tick:
            tiles = path(x, y, steps)
            walked = (tick - began) * about["tick"] // about["pace"]
            standing[about["people"][n]["name"]] = tiles[min(walked, len(tiles) - 1)]
    return standing


def test_everybody_stands_where_the_history_has_them(run: RunFolder) -> None:
    about, found = head(run), tracks(run)
    until = found["until"]
    assert len(found["moves"]) > 10
    with RunReader(run) as reader:
        for tick in (0, until // 3, until // 2, until * 2 // 3, until - 7, until):
            begun = [move for move in reader.moves(until=tick) if move.tick <= tick]
            last = {move.agent: move for move in sorted(begun, key=lambda move: move.tick)}
            clock = Clock(run.spec.tick_seconds)
            assert places(found, about, tick) == {
                name: tile_at(move, tick, clock) for name, move in last.items()
            }


def test_everybody_does_what_the_history_says(run: RunFolder) -> None:
    about, found = head(run), tracks(run)
    until = found["until"]
    with RunReader(run) as reader:
        for tick in (0, until // 2, until):
            for n, each in enumerate(about["people"]):
                last = [row for row in found["deeds"] if row[0] == n and row[1] <= tick]
                row = [row for row in last if not row[12] & 2][-1]
                deed = reader.doing(each["name"], tick)
                assert deed is not None
                action = deed.action
                assert row[1:8] == [
                    *(deed.tick, action.kind, action.activity, action.place),
                    *(action.start, action.end, action.emoji),
                ]
                assert row[9:11] == [action.object_state, action.object_emoji]
                assert [about["people"][n]["name"] for n in row[11]] == list(action.partners)
                assert row[12] & 1 == int(action.fallback)


def test_things_are_as_the_history_says(run: RunFolder) -> None:
    about, found = head(run), tracks(run)
    town_map = town_of(run).map
    addresses = list(town_map.objects)
    with RunReader(run) as reader:
        for tick in (found["until"] // 2, found["until"]):
            states = {
                addresses[number]: (state, emoji, about["people"][by]["name"] if by >= 0 else "")
                for number, began, state, emoji, by in found["objects"]
                if began <= tick
            }
            expected = reader.object_states(tick)
            assert states == {
                key: (each.state, each.emoji, each.by) for key, each in expected.items()
            }


def test_talks_are_told_line_by_line(run: RunFolder) -> None:
    names = [each["name"] for each in head(run)["people"]]
    found = tracks(run)["talks"]
    with RunReader(run) as reader:
        talks = reader.talks()
    assert len(talks) == len(found)
    for row, talk in zip(found, talks, strict=True):
        assert row["id"] == talk.id
        assert [names[n] for n in row["who"]] == list(talk.participants)
        assert (row["start"], row["end"], row["place"]) == (talk.start, talk.end, talk.place)
        told = [(names[n], at, text, bool(fallback)) for n, at, text, fallback, *_ in row["lines"]]
        assert told == [(each.speaker, each.at, each.text, each.fallback) for each in talk.lines]
        assert (names[row["ended"]] if row["ended"] >= 0 else "the cap") == talk.ended_by


def test_pieces_put_together_are_the_whole(run: RunFolder) -> None:
    whole = tracks(run)
    until = whole["until"]
    ends = [-1, 0, until // 3, until // 3 + 1, until // 2, until]
    pieces = [tracks(run, since, end) for since, end in pairwise(ends)]
    assert [(each["since"], each["until"]) for each in pieces] == list(pairwise(ends))
    for part in ("moves", "deeds", "objects", "talks", "notes"):
        assert [row for each in pieces for row in each[part]] == whole[part]
    assert tracks(run, until)["deeds"] == tracks(run, until + 10)["deeds"] == []
