"""Which settings a run is begun with, and which of them hold when it is gone on with."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from smolville.cli.run.prepare import means_now
from smolville.cli.run.settings import (
    RunOptions,
    asking_now,
    contradiction,
    describe_ignored_settings,
    tiers_now,
)
from smolville.cli.settings.choosing import choose
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.spec import ModelSpecs, RunSpec
from smolville.models.keys import forbid_all
from smolville.models.request import ModelSettings
from tests.cli.conftest import SEED, Command

FLAGS = (
    *("--set", "history=full", "--set", "examples=2", "--set", "constrain=none"),
    *("--set", "template_style=merged", "--set", "num_ctx=4096", "--set", "thinking=true"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def spec(**settings: Any) -> RunSpec:
    return RunSpec(
        name="amber",
        town="",
        town_name="Smalltown",
        town_hash="",
        cast=("Ada Brook", "Ben Hollis"),
        seed=0,
        models=ModelSpecs(fast="standin", strong="standin", embedder="words"),
        settings=settings,
    )


def test_flags_are_written_into_the_run(smolville: Command) -> None:
    said = smolville.live("amber", "--for", "10m", "--quiet", *FLAGS)
    assert said.code == 0, said.err
    settings = RunFolder.open(smolville.runs, "amber").spec.settings
    told = {"history": "full", "examples": 2, "constrain": "none"}
    told |= {"template_style": "merged", "num_ctx": 4096, "thinking": True, "repairs": 3}
    assert {name: settings[name] for name in told} == told


def test_a_run_is_begun_with_what_the_file_says(smolville: Command, file: Path) -> None:
    file.write_text(
        'model = "standin"\nseed = 5\ntick = 20\ncast = 1\nrepairs = 1\npatience = 1\n'
        "[steps.say]\nmax_tokens = 77\n"
    )
    town = ("--town", str(smolville.town), "--settings", str(file), "--for", "10m", "-q")
    assert smolville("run", "amber", *town).code == 0
    begun = RunFolder.open(smolville.runs, "amber").spec
    assert (begun.seed, begun.tick_seconds, len(begun.cast)) == (5, 20, 1)
    assert begun.models.fast == "standin"
    assert begun.settings["repairs"] == 1
    assert begun.settings["steps.say.max_tokens"] == 77
    assert "patience" not in begun.settings
    both = smolville("run", "birch", *town, "--agents", "Ada,Ben")
    assert both.code == 0, both.err
    assert len(RunFolder.open(smolville.runs, "birch").spec.cast) == 2


def test_a_run_goes_on_as_it_was_begun_and_says_so_once(lived: Command, file: Path) -> None:
    file.write_text('seed = 7\nnum_ctx = 4096\nmodel = "standin:mistakes=0.2"\npatience = 9\n')
    said = lived("run", "amber", "--resume", "--for", "10m", "--settings", str(file))
    assert said.code == 0, said.err
    assert said.err.count("This run was begun otherwise and goes on so:") == 1
    assert f"seed {SEED}, not 7 ({file})" in said.err
    assert f"num_ctx 8192, not 4096 ({file})" in said.err
    assert f"model standin, not standin:mistakes=0.2 ({file})" in said.err
    assert "patience" not in said.err
    assert said.err.count("not standin:mistakes") == 1
    assert "model  standin: chosen by you." in said.err
    with RunReader(RunFolder.open(lived.runs, "amber")) as reader:
        models = {row[0] for row in reader.connection.execute("SELECT DISTINCT model FROM calls")}
    assert models == {"standin"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"history": "full"}, "begun with --set history=last and goes on so: leave it out"),
        ({"examples": "3"}, "begun with --set examples=0 and goes on so"),
        ({"strict": True}, "begun with --set strict=false and goes on so: leave it out"),
        ({"examples": "auto"}, ""),
        ({"examples": "0"}, ""),
        ({"history": "last", "repairs": 3, "seed": 0}, ""),
        ({"constrain": "none", "num_ctx": 1024, "thinking": True, "patience": 1.0}, ""),
        ({"embedder": "minilm"}, "smolville reembed amber --embedder minilm --runs "),
    ],
)
def test_what_contradicts_how_a_run_was_begun(
    said: dict[str, Any], told: str, tmp_path: Path
) -> None:
    sentence = contradiction(RunOptions(), choose(said), spec(), tmp_path)
    assert told in sentence
    assert bool(sentence) == bool(told)


def test_a_flag_changes_how_models_are_asked_and_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("smolville.toml").write_text(
        'num_ctx = 1024\nconstrain = "none"\ntop_p = 0.5\ntimeout = 9\nstrong = "ollama:m"\n'
        "[steps.say]\nmax_tokens = 5\n"
    )
    run = spec(num_ctx=2048, keep_alive="1h", timeout=700.0)
    chosen = choose({"constrain": "schema", "fast": "standin:mistakes=0.1"})
    assert asking_now(chosen, run) == ModelSettings(
        num_ctx=2048, keep_alive="1h", timeout=9, constrain="schema"
    )
    assert tiers_now(chosen, run) == ("standin:mistakes=0.1", "standin")
    note = describe_ignored_settings(chosen, run)
    assert "num_ctx 2048, not 1024 (smolville.toml)" in note
    assert "top_p unset, not 0.5" in note
    assert "strong standin, not ollama:m" in note
    assert "steps.say.max_tokens unset, not 5 (smolville.toml)" in note
    assert "constrain" not in note
    assert "timeout" not in note


def test_patience_and_keys_are_those_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SMOLVILLE_API_KEY", "a key of now")
    Path("smolville.toml").write_text("patience = 9\n")
    with ExitStack() as open_until:
        means = means_now(choose({}), ModelSettings(), open_until, forbid_all)
    assert means.backoff.patience_seconds == 9
    assert means.env is not None
    assert means.env["SMOLVILLE_API_KEY"] == "a key of now"
    assert "a key of now" not in repr(means)


def test_a_second_run_like_the_first_is_served_from_the_cache(
    smolville: Command, tmp_path: Path
) -> None:
    words = ("--for", "8h", "--quiet", "--cache", str(tmp_path / "kept"))
    assert smolville.live("amber", *words).code == 0
    said = smolville.live("birch", *words)
    assert said.code == 0, said.err
    sources = []
    for name in ("amber", "birch"):
        with RunReader(RunFolder.open(smolville.runs, name)) as reader:
            query = "SELECT source, COUNT(*) FROM calls GROUP BY source"
            sources.append(dict(reader.connection.execute(query).fetchall()))
    assert sources[0].keys() == {"model"}
    assert sources[1] == {"cache": sources[0]["model"]}
    assert smolville.digest("amber") == smolville.digest("birch")
