"""`smolville doctor`: what is printed, what is written, and how it ends."""

import json
import tomllib
from pathlib import Path

import pytest

from smolville.cli.doctor import doctor_page
from smolville.cli.screen import show_view
from smolville.cli.settings.choosing import choose
from smolville.history.folder import RunFolder
from smolville.lab.doctor.findings import Advice, Findings
from tests.cli.conftest import Command, Said
from tests.fixtures.faulty_server import serve_faults
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.loopback import free_port
from tests.lab.conftest import short_url

__all__ = ["llamacpp_url", "short_url", "tiny_gguf"]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No Ollama of this machine, no settings of this folder."""
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{free_port()}")
    monkeypatch.setenv("SMOLVILLE_PATIENCE", "1")
    monkeypatch.setattr("smolville.lab.doctor.examine.AT_ONCE", (1, 2))
    monkeypatch.setattr("smolville.lab.doctor.examine.SPEED_TOKENS", 8)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def nobody() -> str:
    """The spec of a server that does not run."""
    return f"llamacpp:http://127.0.0.1:{free_port()}"


def is_narrow(said: Said) -> bool:
    """True when no line of what is told is longer than the usual hundred columns."""
    return max(len(line.rstrip()) for line in said.out.splitlines()) <= 100


def test_nothing_answers_and_there_is_advice(smolville: Command) -> None:
    said = smolville("doctor", "--model", nobody())
    assert said.code == 1
    assert "is it running?" in said.out
    assert "ollama pull qwen2.5:3b" in said.out
    assert "\nNext" in said.out
    assert "model =" not in said.out, "no settings are recommended"
    assert is_narrow(said)
    assert "looking for Ollama" in said.err


def test_what_is_printed_to_be_copied_is_whole_on_a_narrow_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("smolville.cli.screen.WIDTH", 60)
    command = f"llama-server -m {'a-long-name-' * 6}.gguf --jinja"
    advice = Advice(text="word " * 20, command=command)
    found = Findings(asked=None, usable=False, advice=(advice,))
    show_view(doctor_page(found), as_json=False)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert f"     {command}" in lines
    told = [number for number, line in enumerate(lines) if line.startswith(" - word")]
    assert lines[told[0] + 1].startswith("   word"), "it stands beneath the first line's words"


def test_json_is_all_that_is_printed(smolville: Command) -> None:
    said = smolville("doctor", "--model", nobody(), "--json")
    assert said.code == 1
    assert said.json["usable"] is False
    assert [server["answers"] for server in said.json["servers"]] == [False, False]
    assert said.json["settings"] == ""


def test_the_settings_are_written_and_obeyed(smolville: Command, tmp_path: Path) -> None:
    said = smolville("doctor", "--model", "standin", "--write", "smolville.toml")
    assert said.code == 0
    assert "Written to smolville.toml." in said.out
    values = tomllib.loads((tmp_path / "smolville.toml").read_text())
    assert values["model"] == "standin"
    shown = smolville("settings", "--json")
    assert shown.code == 0, shown.err
    assert "standin" in json.dumps(shown.json)


@pytest.mark.parametrize("way", ["loading", "locked"])
def test_nothing_is_written_where_no_model_can_be_used(
    smolville: Command, tmp_path: Path, way: str
) -> None:
    with serve_faults() as url:
        said = smolville("doctor", "--model", f"llamacpp:{url}/{way}", "--write", "new.toml")
    assert said.code == 1
    assert not (tmp_path / "new.toml").exists()
    assert "standin" not in said.out.partition("\nNext")[0]
    assert ("Asking again" in said.err) == (way == "loading")


@pytest.mark.parametrize(
    ("file", "told"), [("mine.toml", "exists"), ("nowhere/mine.toml", "is in no folder")]
)
def test_only_a_new_file_is_written(
    smolville: Command, tmp_path: Path, file: str, told: str
) -> None:
    (tmp_path / "mine.toml").write_text("seed = 3\n")
    said = smolville("doctor", "--model", "standin", "--write", file)
    assert (said.code, said.out) == (2, ""), "nothing was examined in vain"
    assert f"'{file}' {told}" in said.err
    assert (tmp_path / "mine.toml").read_text() == "seed = 3\n"
    assert not Path("nowhere").exists()


def test_the_settings_can_be_printed_to_be_copied(smolville: Command) -> None:
    said = smolville("doctor", "--model", "standin", "--write", "-")
    assert tomllib.loads(said.out)["model"] == "standin"
    assert not Path("-").exists()


def test_a_spec_that_cannot_be_read_is_a_wrong_use(smolville: Command) -> None:
    said = smolville("doctor", "--model", "olama:mistral")
    assert said.code == 2
    assert "ollama:mistral" in said.err


def test_a_model_is_told_in_sentences_and_its_profile_is_written_and_holds(
    smolville: Command, short_url: str
) -> None:
    spec = f"llamacpp:{short_url}"
    said = smolville("doctor", "--model", spec, "--write", "smolville.toml")
    assert said.code == 0, said.err
    for probe in ("model", "context", "schema", "thinking", "speed", "repairs", "memories"):
        assert f"\n{probe}" in f"\n{said.out}"
    assert "settings    thinking false, examples 0, constrain auto, repairs 1" in said.out
    assert f"smolville doctor --model {spec} --try" in said.out
    text = Path("smolville.toml").read_text()
    profile = tomllib.loads(text)["profiles"][spec]
    assert profile == {
        "examples": 0,
        "constrain": "auto",
        "repairs": 1,
    }
    assert "# a model of 0.1M parameters copies what is shown\nexamples = 0\n" in text
    assert {"repairs", "examples", "constrain"}.isdisjoint(tomllib.loads(text))
    assert str(choose().origin("repairs")) == f"profile of {spec}"
    ran = smolville("run", "amber", "--town", str(smolville.town), "--for", "10m", "--cast", "1")
    assert ran.code == 0, ran.err
    used = RunFolder.open(smolville.runs, "amber").spec
    assert used.models.fast == spec
    held = {name: used.settings[name] for name in ("thinking", *profile)}
    assert held == {"thinking": False, **profile}
