"""Everything there is to see of a run, for people and for programs."""

import pytest

from smolville.agents.places import sector_of
from smolville.cli.show.town import doing
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.reports.present import presences
from smolville.reports.runs import opened_run
from tests.cli.conftest import SEED, Command
from tests.fixtures.odd_answers import SENTENCES, make_odd, unmark_odd
from tests.fixtures.small_town import edit_text


def test_the_town_is_shown_at_the_watermark(morning: Command) -> None:
    said = morning("show", "amber")
    assert said.out.startswith("amber · Smalltown · Monday 6 May, 13:00 · finished, goal 1 13:00")
    for name in ("Ada Brook", "Ben Hollis", "Cora Vance"):
        assert name in said.out
    assert " clean · " in said.out
    plain = morning("show", "amber", "--json").json
    ada = next(each for each in plain["agents"] if each["name"] == "Ada Brook")
    assert plain["time"] == "1 13:00" and ada["action"]["activity"] and ada["tile"]
    tree = morning("show", "amber", "tree", "--json").json
    rooms = {address: room for rooms in tree.values() for address, room in rooms.items()}
    assert ada["name"] in rooms[ada["place"]]["people"]
    assert all(state for room in rooms.values() for state in room["objects"].values())


def test_on_a_walk_somebody_is_where_they_walk_and_it_says_from_where_to_where(
    morning: Command,
) -> None:
    with opened_run(morning.runs, "amber") as run:
        walks = [
            (move, run.town.map.arena_at(move.path[0]), run.town.map.arena_at(move.path[-1]))
            for move in run.reader.moves()
        ]
        walk, start, end = next(
            (move, start, end)
            for move, start, end in walks
            if move.end_tick - move.tick > 4
            and sector_of(start) != sector_of(end)
            and not any(
                other.agent == move.agent and move.tick < other.tick <= move.end_tick
                for other, _, _ in walks
            )
        )
        middle = (walk.tick + walk.end_tick) // 2
        seen = {each.name: each for each in presences(run.reader, run.town.map, middle)}
        arrived = {each.name: each for each in presences(run.reader, run.town.map, walk.end_tick)}
    walker = seen[walk.agent]
    assert walker.tile in walk.path
    assert walker.way == (start, end)
    assert f"on the way from {sector_of(start)} to {sector_of(end)}" in doing(walker)
    assert (arrived[walk.agent].way, arrived[walk.agent].place) == (None, end)


def test_a_card_says_what_somebody_does_and_means_to_do(morning: Command) -> None:
    card = morning("show", "amber", "ada").out
    assert card.startswith("Ada Brook, 34, warm, quick, curious · Monday 6 May, 13:00")
    for row in ("now", "then", "currently", "today", "memory", "steps"):
        assert f"\n{row} " in card
    plain = morning("show", "amber", "Ada Brook", "--json").json
    assert plain["counts"]["steps_taken"] > 0
    assert plain["plan"]


def test_the_plans_of_all_are_shown_hour_by_hour(morning: Command) -> None:
    people = morning("show", "amber", "plan", "--json").json["people"]
    assert [each["name"] for each in people] == ["Ada Brook", "Ben Hollis", "Cora Vance"]
    assert people[0] == morning("show", "amber", "ada", "plan", "--json").json
    page = morning("show", "amber", "plan").out
    assert all(hour["activity"] in page for each in people for hour in each["hours"])
    assert page.count("▸ ") == 3


def test_a_disturbed_hour_is_shown_as_it_was_planned_and_as_it_became(
    smolville: Command,
) -> None:
    # Two hours after a meal Ada is hungry again, and eats in the middle of her work.
    needs = "\n[needs]\nhunger = 40\n\n[relationships]"
    edit_text(smolville.town / "personas" / "ada.toml", "\n[relationships]", needs)
    assert smolville.live("amber", "--for", "11h", "--seed", SEED, "--quiet").code == 0
    for who in ((), ("Ada",)):
        page = smolville("show", "amber", *who, "plan").out
        lines = [line.strip(" ▸") for line in page.splitlines()]
        (became,) = [at for at, line in enumerate(lines) if line.endswith("  having a snack")]
        assert lines[became - 1] == "08:30-12:30  working at the café (duty)"
    people = smolville("show", "amber", "plan", "--json").json["people"]
    (plan,) = [each for each in people if each["changed"]]
    assert plan["name"] == "Ada Brook"
    assert [hour["planned"]["start"] for hour in plan["changed"]] == ["08:30"]


def test_memories_are_listed_with_what_they_weigh_and_rest_on(morning: Command) -> None:
    memories = morning("show", "amber", "cora", "memories", "--json").json
    with RunReader(RunFolder.open(morning.runs, "amber")) as reader:
        assert len(memories) == len(reader.memories("Cora Vance"))
    assert {"event", "thought", "talk"} <= {memory["kind"] for memory in memories}
    text = morning("show", "amber", "cora", "memories").out
    provisional = [memory for memory in memories if memory["provisional"]]
    assert ("~" in text.split("\n", 2)[2]) == bool(provisional)
    based = [memory for memory in memories if memory["evidence"]]
    assert ("because of #" in text) == bool(based)


def test_memories_of_one_kind_are_shown_with_the_texts_that_they_rest_on(morning: Command) -> None:
    words = ("show", "amber", "cora", "memories")
    memories = {each["id"]: each for each in morning(*words, "--json").json}
    one = next(each for each in memories.values() if each["evidence"])
    listed = morning(*words, "--kind", one["kind"]).out
    whole = " ".join(listed.split())
    for each in one["evidence"]:
        number = [*memories].index(each) + 1
        assert f"because of #{number}: {memories[each]['text'][:20]}" in whole


def test_talks_are_shown_in_full(morning: Command) -> None:
    (first, *_) = morning("show", "amber", "cora", "talks", "--json").json
    assert "Cora Vance" in first["participants"]
    assert len(first["lines"]) >= 2
    assert first["ended_by"]
    assert first["lines"][0]["text"][:30] in morning("show", "amber", "cora", "talks").out


def test_thoughts_say_why_and_how_they_ended(morning: Command) -> None:
    thoughts = morning("show", "amber", "ben", "thoughts", "--json").json
    assert "new_day" in thoughts[0]["stimuli"]
    assert "plan_day" in thoughts[0]["nodes"]
    assert set(thoughts[0]["steps"][0]) == {
        *("step", "ordinal", "outcome", "attempts", "problems", "odd", "odd_kinds")
    }
    assert "plan_day clean" in morning("show", "amber", "ben", "thoughts").out


def test_what_is_odd_is_said_of_the_town_of_somebody_and_of_a_thought(lived: Command) -> None:
    unmark_odd(lived.runs / "amber")
    make_odd(lived.runs / "amber", "plan_day", "hours", "repeat", first=3)
    town = " ".join(lived("show", "amber").out.split())
    assert " · 3 odd (3 hours, 3 repeat)" in town
    card = " ".join(lived("show", "amber", "ben").out.split())
    assert "; objected to: 1 hours, 1 repeat" in card
    assert "plan_day clean, odd (hours, repeat)" in lived("show", "amber", "ben", "thoughts").out
    (step,) = [
        step
        for thought in lived("show", "amber", "ben", "thoughts", "--json").json
        for step in thought["steps"]
        if step["odd"]
    ]
    assert (step["odd_kinds"], step["odd"]) == (
        ["hours", "repeat"],
        [SENTENCES["hours"], SENTENCES["repeat"]],
    )
    (row,) = lived("runs", "--json").json
    assert row["odd"] == 3
    numbers = lived("show", "amber", "--json").json["numbers"]["total"]
    assert numbers["odd"] == 3


def test_places_known_are_a_tree(morning: Command) -> None:
    plain = morning("show", "amber", "ada", "place", "--json").json
    addresses = [place["address"] for place in plain["known"]]
    assert "Fern Cottage: bedroom" in addresses
    text = morning("show", "amber", "ada", "place").out
    assert "── Fern Cottage" in text
    assert f"tile {plain['tile'][0]},{plain['tile'][1]}" in text
    assert "Ada Brook" not in plain["near"] and "in sight" in text


def test_a_tile_says_what_is_on_it_and_who_stands_there(morning: Command) -> None:
    bed = morning("show", "amber", "--tile", "1,1", "--json").json
    assert bed["walkable"] is True
    assert bed["place"] == "Fern Cottage: bedroom"
    assert [each["address"] for each in bed["objects"]] == ["Fern Cottage: bedroom: bed"]
    ada = morning("show", "amber", "ada", "--json").json
    here = morning("show", "amber", "--tile", "{},{}".format(*ada["tile"]), "--json").json
    assert "Ada Brook" in [each["name"] for each in here["agents"]]
    assert "blocked" in morning("show", "amber", "--tile", "0,0").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--tile", "99,1"), "columns go from 0 to 33, rows from 0 to 14"),
        (("--tile", "here"), "write column and row"),
        (("talks",), "Name a person"),
        (("ada", "dreams"), "There is no 'dreams' to show: write plan, "),
        (("ada", "--kind", "talk"), "--kind is for memories"),
        (("ada", "memories", "--kind", "smell"), "event, thought, talk, dream"),
        (("ada", "tree"), "tree is not about one person"),
        (("dora",), "Nobody in the run 'amber' is called 'dora'. Did you mean Cora Vance"),
    ],
)
def test_what_cannot_be_shown_is_said(morning: Command, words: tuple[str, ...], told: str) -> None:
    said = morning("show", "amber", *words)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_recall_explains_each_score_as_a_sum(morning: Command) -> None:
    plain = morning("recall", "amber", "ben", "flour", "-n", "3", "--json").json
    assert plain["weights"] == {"recency": 0.5, "importance": 2.0, "relevance": 3.0}
    assert len(plain["found"]) == 3
    for found in plain["found"]:
        terms = (plain["weights"][quality] * found[quality] for quality in plain["weights"])
        assert found["score"] == pytest.approx(sum(terms), abs=1e-3)
    scores = [found["score"] for found in plain["found"]]
    assert scores == sorted(scores, reverse=True)
    text = morning("recall", "amber", "ben", "flour", "--explain").out
    assert "= recency 0.5 x " in text


def test_recall_compares_by_the_channel_asked_for(morning: Command) -> None:
    def relevance(*channel: str) -> list[tuple[float | None, float | None]]:
        said = morning("recall", "amber", "ben", "flour", *channel, "--json")
        return [(found["sentence"], found["keywords"]) for found in said.json["found"]]

    assert all(None not in each for each in relevance())
    only = set(relevance("--channel", "sentence"))
    assert only == {(None, None)}, "one channel is the relevance itself"


def test_keywords_of_a_text_are_one_line_by_rule_or_chosen_by_a_model(morning: Command) -> None:
    text = "Ada Brook met Ben in a long and terrible thunderstorm.\nBen was late."
    ask = ("recall", "amber", "ada", text, "--keywords")
    assert morning(*ask).out == "Ada Brook, met, Ben, long, terrible, thunderstorm, late\n"
    chosen = morning(*ask, "--model", "standin", "--json").json
    assert {"Ada Brook", "Ben", "thunderstorm"} <= set(chosen)
    said = morning(*ask, "--model", "llamacpp:http://127.0.0.1:9")
    assert (said.code != 0, said.out) == (True, "")
    assert "http://127.0.0.1:9" in said.err and "Traceback" not in said.err
    assert "Give a text" in morning("recall", "amber", "ada", " ", "--keywords").err


def test_what_somebody_knows_is_shown_as_a_graph(morning: Command) -> None:
    known = morning("show", "amber", "ada", "knowledge", "--json").json
    told = [(fact["subject"], fact["object"]) for fact in known["facts"]]
    assert known["relations"] > 1 and ("Ada Brook", "Ben Hollis") in told
    assert {fact["time"] for fact in known["facts"]} > {None}
    text = morning("show", "amber", "ada", "knowledge").out
    assert "Ada Brook · knows " in text and "  1 " in text


def test_how_close_somebody_feels_has_its_course(morning: Command) -> None:
    others = morning("show", "amber", "ada", "social", "--json").json["others"]
    talked = [each for each in others if each["talks"]]
    assert talked
    for each in talked:
        assert each["course"][-1][1] == each["closeness"]
        assert len(each["course"]) == each["talks"] + 1
    assert "closeness 0." in morning("show", "amber", "ada", "social").out


def test_what_is_read_of_habits_and_duties_stands_on_the_card(morning: Command) -> None:
    card = morning("show", "amber", "ada", "--json").json
    assert card["habits"].startswith("06:00 up; 06:30 having breakfast; ")
    assert card["duties"] == "08:00-08:30 opening the café; 08:30-17:00 working at the café"
    said = morning("show", "amber", "ada")
    assert "habits" in said.out and "22:00 to bed" in " ".join(said.out.split())


def test_needs_are_shown_by_the_hour(morning: Command) -> None:
    said = morning("show", "amber", "ada", "needs").out
    assert "urgent from 80" in said and "\n12:00 " in said and "\n12:59 " in said
    hours = morning("show", "amber", "ada", "needs", "--json").json["hours"]
    assert [each["time"] for each in hours][:2] == ["1 00:00", "1 01:00"] and len(hours) == 14
    assert hours[0]["hunger"] == 25 and hours[4]["hunger"] == 33
