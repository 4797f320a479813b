"""Sends what a run holds to LangSmith, and says what became of it."""

import typer

from agents.errors import SettingError, SmolvilleError
from cli.options import runs_dir, settings_file
from cli.screen import say, write_json
from cli.settings.choosing import choose
from lab.tracing.langsmith.choosing import Mode
from lab.tracing.langsmith.target import target_in
from lab.tracing.langsmith.watching import post_run, told
from world.telling.opening import opened_run

NO_KEY = "There is no LANGSMITH_API_KEY in the environment or .env; LangSmith's settings make one."


def send(context: typer.Context, run: str, mode: Mode, *, as_json: bool) -> None:
    """Send a run; SettingError without a key, SmolvilleError where not all arrived."""
    target = target_in(choose(file=settings_file(context)).surroundings)
    if target is None:
        raise SettingError(NO_KEY)
    with opened_run(runs_dir(context), run) as opened:
        sent = post_run(opened.reader, target, mode, opened.tick)
    if sent.missed:
        raise SmolvilleError(told(sent, target.project))
    if as_json:
        write_json({"project": target.project, "traces": sent.sent})
    else:
        say(told(sent, target.project) or f"The run {run!r} holds nothing of that kind.")
