"""The page of a received run: nobody can be asked there, so no key goes where only the run says."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.cli.server import MindsOf, own_command
from smolville.lab.moments.finding import moments_from
from smolville.models.errors import KeyRefused
from smolville.prompts.prompt import TemplateSet
from smolville.viewer.config import AppConfig
from smolville.viewer.serving.children import children_of, ended_with
from smolville.viewer.why.try_form import PromptTrial
from tests.fixtures.collector import Collector, serve_collector
from tests.fixtures.viewing import copied, surroundings

KEY = "sk-secret-0123456789abcdef"


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A server that would like to have keys."""
    with serve_collector() as standing:
        yield standing


@pytest.fixture
def config(
    lived_runs: Path, tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> AppConfig:
    """The app over a run whose folder names the collector, started by a user with a key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    runs = copied(lived_runs, tmp_path)
    path = runs / "town" / "run.json"
    asked = json.loads(path.read_text(encoding="utf-8"))
    spec = f"openai:{collector.url}/v1#x"
    asked["models"] = {"fast": spec, "strong": spec, "embedder": spec}
    path.write_text(json.dumps(asked), encoding="utf-8")
    return AppConfig(
        runs=runs,
        minds=MindsOf(None),
        command=own_command(),
        env=surroundings(OPENAI_API_KEY=KEY, XDG_CONFIG_HOME=str(tmp_path / "config")),
    )


async def test_the_button_that_lets_it_go_on_says_why_it_cannot(
    config: AppConfig, collector: Collector
) -> None:
    with ended_with(config):
        child = children_of(config).begin("town", "--resume", "--for", "1h")
        assert await asyncio.to_thread(child.wait, 60) == 2
    assert "would be sent OPENAI_API_KEY" in " ".join(child.said)
    assert collector.requests == 0


def test_a_moment_tried_again_says_why_it_is_not_asked(
    config: AppConfig, collector: Collector
) -> None:
    moment = moments_from("town", config.runs)[0]
    trial = PromptTrial(
        config=config,
        moment=moment,
        templates=TemplateSet(moment.templates),
        name="its own",
        model="",
    )
    trial.ask()
    assert "would be sent OPENAI_API_KEY" in trial.trouble
    assert collector.requests == 0
    trial.model, trial.trouble = f"openai:{collector.url}/v1#x", ""
    trial.ask()
    assert not trial.trouble
    assert collector.got(f"Bearer {KEY}")


def test_an_interview_opens_no_model_there(config: AppConfig, collector: Collector) -> None:
    spec = config.folder("town").spec
    with pytest.raises(KeyRefused, match=r"This run names"), config.minds(spec):
        pass
    assert collector.requests == 0
