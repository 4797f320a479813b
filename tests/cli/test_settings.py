"""Where settings come from, what is said of them, and what cannot be."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from smolville.agents.errors import SettingError
from smolville.cli.app import app
from smolville.cli.settings.choosing import choose, read_pairs
from smolville.cli.settings.command import example_file
from smolville.cli.settings.values import SettingValues
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.models.request import ModelSettings
from tests.cli.set import write

KEY = "sk-distinctive-0123456789"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment without any setting."""
    import os

    for name in [name for name in os.environ if name.startswith("SMOLVILLE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_flag_comes_before_a_variable_before_dotenv_before_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("seed = 1\ntick = 11\nrepairs = 1\nnum_ctx = 1111\n")
    write("SMOLVILLE_SEED=2\nSMOLVILLE_TICK=12\nSMOLVILLE_REPAIRS=2\n", ".env")
    monkeypatch.setenv("SMOLVILLE_SEED", "3")
    monkeypatch.setenv("SMOLVILLE_TICK", "13")
    chosen = choose({"seed": 4})
    values = chosen.values
    assert (values.seed, values.tick, values.repairs, values.num_ctx) == (4, 13, 2, 1111)
    origins = {name: str(chosen.origin(name)) for name in ("seed", "tick", "repairs", "num_ctx")}
    assert origins == {
        "seed": "--seed",
        "tick": "SMOLVILLE_TICK",
        "repairs": ".env",
        "num_ctx": "smolville.toml",
    }
    assert str(chosen.origin("cast")) == "default"


def test_without_anything_set_everything_is_as_usual() -> None:
    chosen = choose()
    assert chosen.models() == ModelSettings()
    assert chosen.rules(is_real=False) == Rules()
    assert chosen.rules(is_real=True) == Rules(examples=1)
    assert chosen.origins == {}


def test_settings_reach_the_rules_and_the_models() -> None:
    write(
        'history = "full"\nexamples = 3\nconstrain = "schema"\n'
        'template_style = "merged"\nstop = ["</s>", "User:"]\nthinking = true\ntop_p = 0.9\n'
        'min_p = 0.05\nthinking_tokens = 99\nkeep_alive = "-1m"\ntimeout = 5\n'
        '[steps.say]\ntier = "strong"\ntemperature = 0.3\nmax_tokens = 77\n'
    )
    chosen = choose()
    assert chosen.rules(is_real=False) == Rules(
        history="full",
        examples=3,
        steps={"say": StepRule(tier="strong", temperature=0.3, max_tokens=77)},
    )
    assert chosen.models() == ModelSettings(
        timeout=5,
        keep_alive="-1m",
        top_p=0.9,
        min_p=0.05,
        stop=("</s>", "User:"),
        constrain="schema",
        template_style="merged",
        thinking=True,
        thinking_tokens=99,
    )


def test_variables_set_lists_and_single_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    write('[steps.say]\ntier = "strong"\ntemperature = 0.3\n')
    monkeypatch.setenv("SMOLVILLE_STEPS__SAY__TIER", "fast")
    monkeypatch.setenv("SMOLVILLE_STEPS__PLAN_DAY__MAX_TOKENS", "700")
    monkeypatch.setenv("SMOLVILLE_STOP", '["a", "b"]')
    chosen = choose()
    assert chosen.values.stop == ("a", "b")
    assert chosen.rules(is_real=False).steps == {
        "plan_day": StepRule(max_tokens=700),
        "say": StepRule(tier="fast", temperature=0.3),
    }
    assert str(chosen.origin("steps.say.tier")) == "SMOLVILLE_STEPS__SAY__TIER"
    assert str(chosen.origin("steps.say.temperature")) == "smolville.toml"
    monkeypatch.setenv("SMOLVILLE_STOP", "one, as it is")
    assert choose().values.stop == ("one, as it is",)


@pytest.mark.parametrize(
    ("flags", "file", "tiers"),
    [
        ({}, "", (None, None)),
        ({}, 'model = "standin"', ("standin", "standin")),
        ({}, 'model = "standin"\nstrong = "ollama:m"', ("standin", "ollama:m")),
        ({}, 'strong = "ollama:m"', ("ollama:m", "ollama:m")),
        ({"model": "standin"}, 'strong = "ollama:m"', ("standin", "standin")),
        ({"fast": "standin"}, 'model = "ollama:m"', ("standin", "ollama:m")),
        ({"fast": "standin"}, "", ("standin", "standin")),
        ({"model": "standin", "strong": "ollama:m"}, "", ("standin", "ollama:m")),
    ],
)
def test_both_tiers_have_a_model(
    flags: dict[str, str], file: str, tiers: tuple[str | None, str | None]
) -> None:
    write(file)
    values = choose(flags).values
    assert (values.fast, values.strong) == tiers


def test_a_model_may_be_a_list_of_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = ["llamacpp:http://127.0.0.1:1", "llamacpp:http://127.0.0.1:2"]
    write(f"model = {json.dumps(specs)}")
    assert choose().servers == {specs[0]: (specs[1],)}
    assert choose().values.fast == specs[0]
    monkeypatch.setenv("SMOLVILLE_MODEL", json.dumps(specs[::-1]))
    assert choose().servers == {specs[1]: (specs[0],)}


def test_another_file_is_named_by_flag_variable_or_dotenv(monkeypatch: pytest.MonkeyPatch) -> None:
    write("seed = 1\n")
    write("seed = 2\n", "two.toml")
    write("seed = 3\n", "three.toml")
    write("seed = 4\n", "four.toml")
    assert choose().values.seed == 1
    write("SMOLVILLE_SETTINGS=four.toml\n", ".env")
    assert choose().values.seed == 4
    monkeypatch.setenv("SMOLVILLE_SETTINGS", "three.toml")
    assert choose().values.seed == 3
    chosen = choose(file=Path("two.toml"))
    assert chosen.values.seed == 2
    assert str(chosen.origin("seed")) == "two.toml"
    with pytest.raises(SettingError, match=r"no settings file 'gone.toml'.*--example"):
        choose(file=Path("gone.toml"))


def test_the_environment_for_models_has_dotenv_beneath_and_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(f"OLLAMA_HOST=there:1\nSMOLVILLE_API_KEY={KEY}\nOTHER=dotenv\n", ".env")
    monkeypatch.setenv("OTHER", "process")
    around = choose().surroundings
    assert around["OLLAMA_HOST"] == "there:1"
    assert around["OTHER"] == "process"
    assert around["SMOLVILLE_API_KEY"] == KEY


def test_the_example_loads_back_as_the_defaults() -> None:
    write(example_file())
    chosen = choose()
    assert chosen.values == SettingValues()
    set_there = {
        name for name, field in SettingValues.model_fields.items() if field.default is not None
    }
    assert set(chosen.origins) == set_there - {"steps", "profiles"}


def test_everything_in_the_example_can_be_taken_into_use() -> None:
    write(re.sub(r"^# (\S+ = |\[)", r"\1", example_file(), flags=re.MULTILINE))
    chosen = choose()
    assert set(SettingValues.model_fields) - {"steps", "profiles"} <= set(chosen.origins)
    assert {"steps.say.tier", "steps.say.temperature", "steps.say.max_tokens"} <= set(
        chosen.origins
    )
    assert "profiles.ollama:qwen2.5:3b.repairs" in chosen.origins


def test_settings_are_shown_with_where_they_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    write("[steps.say]\ntier = 'strong'\n")
    write(f"SMOLVILLE_API_KEY={KEY}\nSMOLVILLE_SEED=7\n", ".env")
    monkeypatch.setenv("SMOLVILLE_MODEL", "standin")
    shown = CliRunner().invoke(app, ["settings", "--json"])
    told = json.loads(shown.stdout)
    assert told["seed"] == {"value": 7, "from": ".env"}
    assert told["model"] == told["fast"] == {"value": "standin", "from": "SMOLVILLE_MODEL"}
    assert told["api_key"] == {"value": "set", "from": ".env"}
    assert told["steps.say.tier"] == {"value": "strong", "from": "smolville.toml"}
    assert told["tick"] == {"value": 10, "from": "default"}
    table = CliRunner().invoke(app, ["settings"])
    assert re.search(r"seed\s+7\s+\.env", table.stdout)
    assert KEY not in shown.stdout + table.stdout
    monkeypatch.setenv("SMOLVILLE_SEED", "x")
    assert CliRunner().invoke(app, ["settings"]).exit_code == 2


def test_the_runs_folder_may_be_set_in_the_file() -> None:
    write('runs = "elsewhere"\n')
    said = CliRunner().invoke(app, ["compare", "nobody", "--digest"])
    assert said.exit_code == 2
    assert "in elsewhere" in said.stderr
    said = CliRunner().invoke(app, ["compare", "nobody", "--digest", "--runs", "third"])
    assert "in third" in said.stderr
    write('runs = "fourth"\n', "other.toml")
    said = CliRunner().invoke(app, ["compare", "nobody", "--digest", "--settings", "other.toml"])
    assert "in fourth" in said.stderr


def test_components_are_left_out_in_their_own_order() -> None:
    said = choose({"without": ["reflection", "observation"]})
    assert said.rules(is_real=False).without == ("observation", "reflection")
    assert choose({"without": ["habits"]}).rules(is_real=False).without == ("routines",)


def test_what_is_set_at_once_with_flags_may_be_of_a_step() -> None:
    said = read_pairs(["steps.say.tier=strong", "num-ctx=4096", 'stop=["a=b"]', "strict=true"])
    chosen = choose(said)
    assert chosen.rules(is_real=False).steps == {"say": StepRule(tier="strong")}
    assert (chosen.values.num_ctx, chosen.values.stop, chosen.values.strict) == (
        *(4096, ("a=b",), True),
    )
    assert str(chosen.origin("steps.say.tier")) == "--set steps.say.tier"
