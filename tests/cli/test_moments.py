"""`smolville moments`: what can be asked again, for people on narrow screens and for programs."""

from collections import Counter

import pytest

from smolville.graphs.loop.ledger import OUTCOMES
from smolville.lab.moments.finding import find_moment
from tests.cli.conftest import Command
from tests.fixtures.odd_answers import SENTENCES, make_odd, unmark_odd

KEYS = {"id", "step", "agent", "time", "outcome", "attempts"}


def test_json_lists_every_moment(clumsy: Command) -> None:
    told = clumsy("moments", "amber", "--json").json
    assert all(set(each) >= KEYS for each in told)
    health = clumsy("health", "amber", "--json").json["total"]
    ended = Counter(each["outcome"] for each in told)
    assert {outcome: ended[outcome] for outcome in OUTCOMES} == {
        outcome: health[outcome] for outcome in OUTCOMES
    }
    assert sum(each["attempts"] for each in told) == health["attempts"]
    for each in told[::9]:
        moment = find_moment(clumsy.runs, each["id"])
        assert {key: getattr(moment, key) for key in KEYS - {"attempts"}} == {
            key: each[key] for key in KEYS - {"attempts"}
        }
        assert len(moment.attempts) == each["attempts"]


def test_moments_are_chosen_by_step_agent_and_outcome(clumsy: Command) -> None:
    every = clumsy("moments", "amber", "--json").json
    words = ("--step", "ground_block", "--agent", "ada", "--outcome", "mended")
    told = clumsy("moments", "amber", *words, "--json").json
    wanted = ("ground_block", "Ada Brook", "mended")
    assert told == [e for e in every if (e["step"], e["agent"], e["outcome"]) == wanted]
    assert clumsy("moments", "amber", "--limit", "2", "--json").json == every[-2:]


def test_a_line_stands_for_each_with_what_was_wrong_beneath(clumsy: Command) -> None:
    told = clumsy("moments", "amber", "--outcome", "repaired", "--json").json
    said = clumsy("moments", "amber", "--outcome", "repaired").out.splitlines()
    lines = [line for line in said if not line.strip().startswith("Odd: ")]
    assert lines[0].startswith(f"{len(told)} moments: {len(told)} repaired")
    assert lines[2].split() == ["id", "time", "agent", "step", "outcome", "calls"]
    assert len(lines) == 3 + 2 * len(told)
    for each, line, why in zip(told, lines[3::2], lines[4::2], strict=True):
        digits = each["id"].removeprefix("amber/")
        for word in (digits, each["agent"], each["step"], "repaired", str(each["attempts"])):
            assert word in line
        assert why.strip().rstrip("…") in " ".join(each["problems"])


def test_what_is_odd_is_listed_and_chosen_by_its_kind(lived: Command) -> None:
    unmark_odd(lived.runs / "amber")
    make_odd(lived.runs / "amber", "ground_block", "hours", first=2)
    make_odd(lived.runs / "amber", "react", "repeat", "hours")
    every = lived("moments", "amber", "--json").json
    odd = [each for each in every if each["odd"]]
    assert len(odd) == 3
    assert all(each["odd"] for each in odd)
    assert lived("moments", "amber", "--odd", "any", "--json").json == odd
    (react,) = lived("moments", "amber", "--odd", "repeat", "--json").json
    assert react["odd_kinds"] == ["repeat", "hours"]
    words = ("--odd", "hours", "--step", "ground_block")
    lines = lived("moments", "amber", *words).out.splitlines()
    assert lines[0] == "2 moments: 2 clean; 2 objected to."
    assert "clean, odd" in lines[3]
    assert lines[4].strip() == f"Odd: {SENTENCES['hours']}"
    words = ("odd.jsonl", "--format", "jsonl", "--odd", "any", "--json")
    assert lived("export", "amber", *words).json["written"] == 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("amber", "--step", "grund_block"), "There is no step 'grund_block'; did you mean ground"),
        (("amber", "--outcome", "clear"), "No step ends 'clear'; did you mean clean?"),
        (("amber", "--odd", "hour"), "Nothing is odd in the way 'hour'; did you mean hours?"),
    ],
)
def test_what_is_unknown_is_one_sentence(
    clumsy: Command, words: tuple[str, ...], sentence: str
) -> None:
    said = clumsy("moments", *words)
    assert said.code == 2
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert said.out == ""
