"""`smolville doctor --write`: the model's profile in the settings file."""

import tomllib
from pathlib import Path

import pytest

from smolville.cli.settings.choosing import choose
from tests.cli.conftest import Command
from tests.cli.set import write
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.loopback import free_port
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
    assert f"The profile of {spec} is in smolville.toml; everything else" in plain


def test_a_damaged_file_is_left_as_it_is(smolville: Command) -> None:
    write("repairs = \n", "other.toml")
    model = f"llamacpp:http://127.0.0.1:{free_port()}"
    said = smolville("doctor", "--model", model, "--write", "other.toml")
    assert said.code == 2
    assert "'other.toml' cannot be added to: it is no valid TOML" in said.err
    assert said.out == "", "nothing was examined in vain"
    assert Path("other.toml").read_text() == "repairs = \n"
