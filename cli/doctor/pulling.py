"""Let Ollama download a model, and show the progress."""

from collections.abc import Mapping

from agents.wording import visible
from cli.screen import complain, console, say
from models.errors import ModelError
from models.open import SUGGESTED
from models.servers.ollama import OllamaServer
from models.spec import parse_spec


def pull_model(spec: str | None, env: Mapping[str, str]) -> None:
    """Download the model of an `ollama:` spec, or the suggested one; print why if that fails."""
    name = SUGGESTED
    if spec is not None:
        asked = parse_spec(spec)
        if asked.kind != "ollama":
            complain(f"Only Ollama can download a model by its name, so {spec} is not pulled.")
            return
        name = asked.target
    server = OllamaServer.of(env)
    try:
        if server.find(name) is not None:
            say(f"{server.name} has {name} already.", on_stderr=True)
            return
        _downloaded(server, name)
    except ModelError as error:
        complain(f"{name} could not be pulled: {error}")


def _downloaded(server: OllamaServer, name: str) -> None:
    """Download a model, with a progress bar for the part being downloaded."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console(on_stderr=True)) as bar:
        task = bar.add_task(visible(f"ollama pull {name}"), total=None)
        for part in server.pull(name):
            bar.update(
                task,
                description=visible(part.status),
                completed=part.done,
                total=part.total or None,
            )
    say(f"{server.name} has {name} now.", on_stderr=True)
