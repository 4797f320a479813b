"""A card that stays open knows how far the run is by now; what it proposes works in its town."""

from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.viewer.config import AppConfig
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions
from smolville.viewer.taking_part.fate import find_reaction
from smolville.viewer.taking_part.forking import propose_change
from smolville.world import wishes
from smolville.world.town.town import Town, shipped_town
from tests.fixtures.viewing import copied
from tests.viewer.taking_part.test_interview_room import reluctant


def test_a_whisper_in_the_middle_of_a_talk_leads_to_the_thought_after_it(lived_runs: Path) -> None:
    acts = RunActions(AppConfig(runs=lived_runs, minds=reluctant), "town")
    with acts.open_run() as run:
        talk = next(each for each in run.reader.talks() if each.end - each.start > 40)
        middle = (talk.start + talk.end) // 2 // run.folder.spec.tick_seconds
        who = talk.participants[1]
        assert run.reader.thought(who, middle) is None
        after = next(each for each in run.reader.thoughts(who) if each.tick >= middle)
    heard = AcceptedRequest(0, "", "whisper", who, "", middle)
    assert find_reaction(acts, heard).tick == after.tick


def test_a_change_says_that_nobody_has_noticed_it_or_who_did_first_and_leads_to_their_thought(
    lived_runs: Path,
) -> None:
    acts = RunActions(AppConfig(runs=lived_runs, minds=reluctant), "town")
    with acts.open_run() as run:
        memories = [each for name in run.reader.agents() for each in run.reader.memories(name)]
        seen = [each for each in memories if each.kind == "event" and each.object]
        first = min(seen, key=lambda each: each.tick)
        when = run.format_time(first.tick * run.folder.spec.tick_seconds)
    changed = AcceptedRequest(0, "", "object_state", first.subject, first.object, 0)
    found = find_reaction(acts, changed)
    assert found.told == f"{first.agent} noticed it first, {when}."
    assert (found.agent, found.tick) == (first.agent, first.tick)
    unseen = find_reaction(acts, replace(changed, text="upside down"))
    assert (unseen.told, unseen.tick) == ("Nobody has noticed it yet.", None)


def test_the_change_that_a_fork_proposes_is_understood_with_nobody_near() -> None:
    town_map = Town.load(shipped_town()).map
    proposed = propose_change(town_map)
    wish = wishes.object_state(proposed, town_map=town_map)
    assert wish.target in town_map.objects
    assert "stove" in wish.target
    assert wish.text == "on fire"


def test_what_is_near_is_said_where_a_change_names_something_else(
    lived_runs: Path, tmp_path: Path
) -> None:
    acts = RunActions(AppConfig(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")
    with acts.open_run() as run:
        name = run.reader.agents()[0]
    with pytest.raises(RunError, match=rf"has no object .* Near {name}: \w+"):
        acts.change("the flying carpet is torn", name)
