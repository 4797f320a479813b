"""The kill test: one life, and what it says where something that runs rely on is taken out."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from benchmarks.kills import SABOTAGE
from tests.fixtures.warm import run_warm

ROOT = Path(__file__).parents[2]
FOUND_AT = {
    "rename": ("start-drafted", "left what cannot be read: run 'amber' has no history"),
    "journal": ("journal-after,random", "replies that were kept are no longer there"),
    "recovery": ("commit-after,chroma-before", "differs in Chroma of"),
}
"""By what is taken out: points at which that shows, and what is then told."""


def kills(*words: str) -> "subprocess.CompletedProcess[str]":
    """Do the kill test in a process of its own, which it forks."""
    return run_warm(["-m", "benchmarks.kills", "--casts", "3", *words], ROOT)


def test_killed_where_it_hurts_a_town_lives_the_life_that_would_have_been() -> None:
    done = kills("--kills", "10", "--seed", str(random.randrange(10_000)))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["kills"] >= 10
    assert found["same"] == found["lives"] > 0
    assert found["faults"] == 0
    assert not {"start-opened", "commit-before"} & set(found["never_hit"])


@pytest.mark.parametrize("sabotage", SABOTAGE)
def test_without_what_it_relies_on_the_kill_test_fails(sabotage: str) -> None:
    points, told = FOUND_AT[sabotage]
    words = ("--points", points, "--sabotage", sabotage)
    done = kills("--kills", "6", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert told in done.stdout
    assert json.loads(done.stdout.splitlines()[-1])["faults"] > 0
