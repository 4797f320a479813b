"""What the command shows of habits, and that a run keeps the fields it began with."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.small_town import edit_text, write_small_town

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

[relationships]"""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A morning in German, in a town where Ada's habits stand as fields."""
    folder = tmp_path_factory.mktemp("habits")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    edit_text(command.town / "personas" / "ada.toml", "\n[relationships]", TABLE)
    said = command.live("deutsch", "--for", "6h", "--seed", "1", "--quiet", "--prompts", "german")
    assert said.code == 0, said.err
    return command


def origins(command: Command, run: str, name: str) -> dict[str, str]:
    shown = command("show", run, name, "--persona", "--json").json
    return {each["name"]: each["source"] for each in shown["fixed_points"]}


def test_a_day_in_german_follows_the_fields(german: Command) -> None:
    blocks = german("show", "deutsch", "ada", "--plan", "--json").json["hours"]
    stand = {each["activity"]: each["start"] for each in blocks if each["source"] == "duty"}
    assert stand == {"Brot backen": "07:00"}
    assert "05:30" in {each["start"] for each in blocks}


def test_a_persona_is_shown_with_what_was_read_and_from_where(german: Command) -> None:
    assert origins(german, "deutsch", "ada") == {
        "wake": "field",
        "bed": "usual",
        "lunch": "field",
        "work": "field",
    }
    assert origins(german, "deutsch", "ben") == {"wake": "usual", "bed": "usual"}
    said = german("show", "deutsch", "ada", "--persona").out
    assert "words in 'de' are not read" in said and "field habits.meals.lunch" in said


def test_a_fork_and_a_run_that_goes_on_keep_the_fields(german: Command) -> None:
    assert german("fork", "deutsch", "zweig").code == 0
    went = german("run", "zweig", "--resume", "--for", "1h", "--model", "standin", "--quiet")
    assert went.code == 0, went.err
    assert origins(german, "zweig", "ada")["wake"] == "field"
    kept = german("show", "zweig", "ada", "--persona", "--json").json["habits"]
    assert (kept["wake"], kept["meals"]["lunch"]["start"]) == ("05:30", "never")
    assert kept["work"][0]["days"] == ["Monday"]


def test_a_town_shows_what_was_read_of_its_people(german: Command) -> None:
    said = german_town(german.town)
    lines = [" ".join(line.split()) for line in said.splitlines()]
    assert "wake 05:30 up field habits.wake" in lines
    assert "work 07:00-11:00 Brot backen (Mon) field habits.work" in lines
    assert any(line.startswith('bed 22:00 to bed words "to bed around 10pm"') for line in lines)
    assert any("Ada Brook: `lifestyle` does not tell" in line for line in lines)


def german_town(folder: Path) -> str:
    """What `smolville town DIR --habits` prints."""
    from typer.testing import CliRunner

    from smolville.cli.app import app

    done = CliRunner().invoke(app, ["town", str(folder), "--habits"])
    assert done.exit_code == 0, done.output
    return done.output
