"""What the command shows of habits, and that a run keeps those it began with."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.small_town import set_habits, write_small_town

TABLE = """
[habits]
wake = "05:30"

[habits.meals]
lunch = "never"

[[habits.work]]
start = "07:00"
end = "11:00"
activity = "Brot backen"
days = ["Monday"]
"""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A morning in German, in a town where Ada's habits stand as fields."""
    folder = tmp_path_factory.mktemp("habits")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    set_habits(command.town, TABLE)
    said = command.live("deutsch", "--for", "6h", "--seed", "1", "--quiet", "--prompts", "german")
    assert said.code == 0, said.err
    return command


def told(command: Command, run: str, name: str) -> set[str]:
    shown = command("show", run, name, "persona", "--json").json
    return {each["name"] for each in shown["fixed_points"] if each["is_told"]}


def test_a_day_in_german_follows_the_fields(german: Command) -> None:
    blocks = german("show", "deutsch", "ada", "plan", "--json").json["hours"]
    stand = {each["activity"]: each["start"] for each in blocks if each["source"] == "duty"}
    assert stand == {"Brot backen": "07:00"}
    assert "05:30" in {each["start"] for each in blocks}


def test_a_persona_is_shown_with_what_is_usual(german: Command) -> None:
    assert told(german, "deutsch", "ada") == {"wake", "lunch", "work"}
    assert told(german, "deutsch", "ben") == {"lunch", "work"}
    shown = " ".join(german("show", "deutsch", "ada", "persona").out.split())
    assert "bed 22:30 to bed usual: no field gives it" in shown


def test_a_fork_and_a_run_that_goes_on_keep_the_fields(german: Command) -> None:
    assert german("fork", "deutsch", "zweig").code == 0
    went = german("run", "zweig", "--resume", "--for", "1h", "--model", "standin", "--quiet")
    assert went.code == 0, went.err
    assert "wake" in told(german, "zweig", "ada")
    kept = german("show", "zweig", "ada", "persona", "--json").json["habits"]
    assert (kept["wake"], kept["meals"]["lunch"]["start"]) == ("05:30", "never")
    assert kept["work"][0]["days"] == ["Monday"]


def test_a_town_shows_the_hours_of_its_people(german: Command) -> None:
    lines = [" ".join(line.split()) for line in german_town(german.town).splitlines()]
    assert "wake 05:30 up" in lines
    assert "work 07:00-11:00 Brot backen (Mon)" in lines
    assert "bed 22:30 to bed usual: no field gives it" in lines
    assert any("Ada Brook: usual hours are taken" in line for line in lines)


def german_town(folder: Path) -> str:
    """What `smolville town DIR --habits` prints."""
    from typer.testing import CliRunner

    from smolville.cli.app import app

    done = CliRunner().invoke(app, ["town", str(folder), "--habits"])
    assert done.exit_code == 0, done.output
    return done.output
