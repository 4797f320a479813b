"""`smolville reembed`: embed every memory of a run again, with another embedder."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import RunName, command, runs_dir, settings_file

if TYPE_CHECKING:
    from world.reembedding import OnProgress

Spec = Annotated[
    str,
    typer.Option(
        "--embedder",
        metavar="SPEC",
        help="words, minilm[:<folder>], ollama:<name>, llamacpp:<url> or openai:<url>/v1#<name>.",
    ),
]
LINES = 10
"""Number of progress lines printed where there is no terminal."""


def reembed(context: typer.Context, run: RunName, embedder: Spec) -> None:
    """Change the embedder that compares a run's memories from now on."""
    from cli.screen import say, say_waiting
    from cli.settings.choosing import choose
    from cli.settings.key_hosts import remember_servers
    from history.folder import RunFolder
    from models.embedding.embedder import open_embedder
    from models.keys import UserSpec
    from world.reembedding import reembed as embed_anew

    runs = runs_dir(context)
    folder = RunFolder.open(runs, run)
    env = choose(file=settings_file(context)).surroundings
    opened = open_embedder(UserSpec(embedder), env=env)
    with _progress() as heard:
        done = embed_anew(folder, opened, heard, say_waiting)
    remember_servers((), embedder, env)
    say(
        f"{run}: {done.memories:,} memories embedded by {opened.name} ({opened.dimension} numbers "
        f"a text) instead of {done.was}."
    )
    say(f"Let it go on with: {command(runs, 'run', run, '--resume')}", "dim")


@contextmanager
def _progress() -> "Iterator[OnProgress]":
    """Yield a progress callback for standard error: a bar on a terminal, else `LINES` lines."""
    from cli.screen import console

    screen = console(on_stderr=True)
    if not screen.is_terminal:
        said = 0

        def line(done: int, of: int) -> None:
            nonlocal said
            if done * LINES // max(of, 1) > said:
                said = done * LINES // max(of, 1)
                screen.print(f"{done:,} of {of:,} memories", soft_wrap=True)

        yield line
        return
    from rich.progress import Progress

    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("memories", total=None)

        def shown(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield shown
