"""`smolville view`: watch a run in the browser."""

from typing import Annotated

import typer

from cli.options import runs_dir, settings_file

Run = Annotated[
    str | None, typer.Argument(metavar="RUN", help="A run's name; the latest without it.")
]
Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0: a free one.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]


def view(
    context: typer.Context, run: Run = None, port: Port = 0, no_browser: NoBrowser = False
) -> None:
    """Watch a run, living or over, in the browser."""
    from cli.viewing.minds import MindsOf
    from cli.viewing.serving import serve

    runs, settings = runs_dir(context), settings_file(context)
    serve(runs, MindsOf(settings), run, port=port, with_browser=not no_browser)
