"""`smolville doctor --write` and `--measure`: the model's profile in the settings file."""

import os
import signal
import tomllib
from pathlib import Path

import pytest

from smolville.cli.settings.choosing import choose
from tests.cli.conftest import Command
from tests.cli.set import write
from tests.cli.test_interrupt import HOUSE, MAIN
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.loopback import free_port
from tests.fixtures.waiting import until
from tests.fixtures.warm import warm
from tests.lab.conftest import short_url

__all__ = ["llamacpp_url", "short_url", "tiny_gguf"]

MINE = """\
# by hand
model = "ollama:mine"   # the good one
repairs = 5

# slow
[profiles."ollama:mine"]
repairs = 2
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No Ollama of this machine, and no files of this user."""
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{free_port()}")
    monkeypatch.setenv("SMOLVILLE_PATIENCE", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_the_profile_is_written_with_reasons_and_holds(smolville: Command, short_url: str) -> None:
    spec = f"llamacpp:{short_url}"
    said = smolville("doctor", "--model", spec, "--write", "smolville.toml")
    assert said.code == 0, said.err
    text = Path("smolville.toml").read_text()
    profile = tomllib.loads(text)["profiles"][spec]
    assert profile == {
        "anchors": "on",
        "examples": 0,
        "constrain": "auto",
        "repairs": 1,
    }
    assert "# doctor: 0. a model of 0.1M parameters copies what is shown\nexamples = 0\n" in text
    assert {"repairs", "examples", "constrain"}.isdisjoint(tomllib.loads(text))
    chosen = choose()
    assert (chosen.values.repairs, chosen.values.examples) == (1, 0)
    assert str(chosen.origin("repairs")) == f"profile of {spec}"


def test_into_a_file_that_exists_only_the_profile_is_written(
    smolville: Command, short_url: str
) -> None:
    write(MINE)
    spec = f"llamacpp:{short_url}"
    said = smolville("doctor", "--model", spec, "--write", "smolville.toml")
    assert said.code == 0, said.err
    text = Path("smolville.toml").read_text()
    assert text.startswith(MINE)
    assert tomllib.loads(text)["profiles"][spec]["repairs"] == 1
    plain = " ".join(said.out.split())
    assert f"The profile of {spec} is written to smolville.toml; everything else" in plain
    assert "repairs is also set for all models in smolville.toml" in plain
    again = smolville("doctor", "--model", spec, "--write", "smolville.toml", "--overwrite")
    assert again.code == 0, again.err
    values = tomllib.loads(Path("smolville.toml").read_text())
    assert values["model"] == spec
    assert "repairs" not in values
    assert values["profiles"]["ollama:mine"] == {"repairs": 2}
    assert "# slow" in Path("smolville.toml").read_text()


def test_a_damaged_file_is_left_as_it_is(smolville: Command) -> None:
    write("repairs = \n", "other.toml")
    model = f"llamacpp:http://127.0.0.1:{free_port()}"
    said = smolville("doctor", "--model", model, "--write", "other.toml")
    assert said.code == 2
    assert "'other.toml' cannot be added to: it is no valid TOML" in said.err
    assert said.out == "", "nothing was examined in vain"
    assert Path("other.toml").read_text() == "repairs = \n"


def test_a_measurement_is_announced_told_and_written(smolville: Command) -> None:
    said = smolville("doctor", "--model", "standin", "--measure", "--write", "smolville.toml")
    assert said.code == 0, said.err
    told = " ".join(said.out.split())
    assert "Measuring: 12 days planned in 3 ways, up to 72 questions" in said.err
    assert "anchors, 12 days planned with each: objected to with on: " in told
    assert "p < 0.001: on is better." in told
    assert "undecided, so 1 stays." in told
    text = Path("smolville.toml").read_text()
    assert tomllib.loads(text)["profiles"]["standin"]["anchors"] == "on"
    assert "# doctor: on. objected to with on: " in text
    assert not list(Path("config").rglob("replies.sqlite")), "all is known, and nothing kept"


def test_json_of_a_measurement_is_all_that_is_printed(smolville: Command) -> None:
    said = smolville("doctor", "--model", "standin", "--measure", "--json")
    assert said.code == 0, said.err
    measured = said.json["measured"]
    assert (measured["asked"], measured["total"]) == (36, 36)
    anchors, examples = measured["comparisons"]
    assert (anchors["setting"], anchors["verdict"], anchors["chosen"]) == ("anchors", "worse", "on")
    assert (examples["setting"], examples["usual"]["value"], examples["chosen"]) == (
        "examples",
        1,
        1,
    )
    assert 'anchors = "on"' in said.json["settings"]


def test_ctrl_c_keeps_what_is_known_and_the_same_command_goes_on(
    smolville: Command, llamacpp_url: str, tmp_path: Path
) -> None:
    words = ["doctor", "--model", f"llamacpp:{llamacpp_url}", "--measure", "--write", "s.toml"]
    env = {**os.environ, "PYTHONPATH": str(HOUSE / "src")}
    with warm(["-c", MAIN, *words], tmp_path, env) as process:
        kept = tmp_path / "config"
        until(lambda: [*kept.rglob("replies.sqlite-wal")] or process.returncode, "a first reply")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130, process.stderr
        err, out = process.stderr, process.stdout
    assert "Traceback" not in err
    assert "and their replies are kept: the same command goes on." in " ".join(err.split())
    assert "measured" in out
    assert tomllib.loads(Path("s.toml").read_text())["profiles"], "what was examined is written"
    assert [*kept.rglob("replies.sqlite")]
