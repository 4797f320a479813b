"""Profiles of models in the settings file: when they hold, and what is refused."""

from pathlib import Path

import pytest

from smolville.agents.errors import SettingError
from smolville.cli.run.settings import describe_ignored_settings
from smolville.cli.settings.choosing import choose
from smolville.graphs.loop.rules import Rules
from smolville.history.folder import RunFolder
from smolville.history.spec import rules_in
from tests.cli.conftest import Command
from tests.cli.set import refused, write

PROFILE = """
[profiles."ollama:small"]
anchors = "off"
examples = 0
constrain = "none"
repairs = 1
"""
STANDINS = """
model = "standin"
[profiles.standin]
anchors = "soft"
repairs = 2
"""


def test_the_profile_of_the_model_that_answers_holds() -> None:
    write(f'model = "ollama:small"\n{PROFILE}')
    chosen = choose()
    rules = chosen.rules(is_real=True)
    assert (rules.anchors, rules.examples, rules.repairs) == ("off", 0, 1)
    assert chosen.models().constrain == "none"
    assert str(chosen.origin("repairs")) == "profile of ollama:small"
    other = choose({"model": "ollama:large"})
    assert other.rules(is_real=True) == Rules(examples=1)
    assert other.models().constrain == "auto"


@pytest.mark.parametrize(
    ("spec", "is_its"),
    [
        ("ollama:small:latest", True),
        ("ollama:small?num_ctx=4096", True),
        ("ollama:small:1b", False),
        ("llamacpp:http://127.0.0.1:1", False),
    ],
)
def test_a_profile_is_found_however_its_model_is_spelt(spec: str, is_its: bool) -> None:
    write(PROFILE)
    assert (choose({"model": spec}).values.repairs == 1) is is_its


def test_the_profile_of_the_very_spec_comes_first() -> None:
    write(f'{PROFILE}[profiles."ollama:small?num_ctx=4096"]\nrepairs = 2\n')
    assert choose({"model": "ollama:small?num_ctx=4096"}).values.repairs == 2
    assert choose({"model": "ollama:small?num_ctx=2048"}).values.repairs == 1


def test_whatever_else_is_set_comes_before_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    write(f'model = "ollama:small"\nconstrain = "auto"\n{PROFILE}')
    Path(".env").write_text("SMOLVILLE_EXAMPLES=4\n")
    monkeypatch.setenv("SMOLVILLE_REPAIRS", "7")
    chosen = choose({"anchors": "soft"})
    found = chosen.values
    assert (found.anchors, found.repairs, found.examples) == ("soft", 7, 4)
    assert found.constrain == "auto"
    assert str(chosen.origin("constrain")) == "smolville.toml"
    assert str(chosen.origin("repairs")) == "SMOLVILLE_REPAIRS"


def test_with_two_models_the_strong_ones_profile_holds() -> None:
    write(f'fast = "ollama:large"\nstrong = "ollama:small"\n{PROFILE}')
    assert choose().rules(is_real=True).repairs == 1
    write(f'fast = "ollama:small"\nstrong = "ollama:large"\n{PROFILE}')
    assert choose().rules(is_real=True) == Rules(examples=1)


def test_the_settings_show_what_a_profile_sets(smolville: Command) -> None:
    write(f'model = "ollama:small"\n{PROFILE}')
    shown = smolville("settings", "--json").json
    assert shown["anchors"] == {"value": "off", "from": "profile of ollama:small"}
    assert "profile of" in smolville("settings").out


def test_a_run_keeps_what_its_models_profile_said(smolville: Command) -> None:
    write(STANDINS)
    said = smolville("run", "amber", "--town", str(smolville.town), "--for", "1h", "--cast", "1")
    assert said.code == 0, said.err
    assert "how    anchors soft, repairs 2 (profile of standin)" in said.err
    spec = RunFolder.open(smolville.runs, "amber").spec
    assert (spec.settings["anchors"], spec.settings["repairs"]) == ("soft", 2)
    write(STANDINS.replace("soft", "off"))
    again = smolville("run", "amber", "--resume", "--for", "1h", "--quiet")
    assert again.code == 0, again.err
    after = RunFolder.open(smolville.runs, "amber").spec
    assert rules_in(after.settings) == rules_in(spec.settings)
    chosen = choose()
    assert "anchors soft, not off (profile of standin)" in describe_ignored_settings(chosen, after)
    other = choose({"model": "ollama:large"})
    assert "not off" in describe_ignored_settings(other, after), "judged by the run's own model"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '[profiles."ollama:small"]\nanchor = "off"\n',
            "The profile of 'ollama:small' has no setting 'anchor' (smolville.toml): did "
            "you mean anchors?",
        ),
        (
            '[profiles."ollama:small"]\nanchors = "maybe"\n',
            "anchors in the profile of ollama:small (smolville.toml) cannot be 'maybe': "
            "write on, soft or off.",
        ),
        (
            '[profiles]\n"ollama:small" = 3\n',
            "the profile of ollama:small (smolville.toml) cannot be 3: write a table of "
            "anchors, examples, constrain, repairs.",
        ),
        (
            '[profiles."olama:small"]\nrepairs = 1\n',
            "Did you mean ollama:small? It names a profile (smolville.toml).",
        ),
    ],
)
def test_what_no_profile_can_hold_is_refused(text: str, told: str) -> None:
    write(text)
    assert told in refused()


def test_profiles_stand_in_the_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLVILLE_PROFILES", '{"ollama:small": {"repairs": 1}}')
    with pytest.raises(SettingError, match="SMOLVILLE_PROFILES cannot be set: profiles stand in"):
        choose()
