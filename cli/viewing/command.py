"""`smolville view`: watch a run in the browser."""

from typing import Annotated

import typer

from cli.options import runs_dir, settings_file

Run = Annotated[
    str | None, typer.Argument(metavar="RUN", help="A run's name; the latest by default.")
]
At = Annotated[
    str | None, typer.Option("--at", metavar='"1 14:30"', help="Which moment to show first.")
]
Speed = Annotated[
    str | None,
    typer.Option(
        metavar="N|live", help="Speed of the replay: 1, 2, 4, ... 64; live: with the run."
    ),
]
Port = Annotated[
    int, typer.Option(metavar="N", min=0, max=65535, help="The port to listen on; 0: any free one.")
]
Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Where to listen; beyond this machine, a token is asked for."
    ),
]
Token = Annotated[
    str,
    typer.Option(
        metavar="TEXT",
        envvar="SMOLVILLE_VIEW_TOKEN",
        help="The token that visitors must show; made up by default.",
    ),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]
Listener = Annotated[int | None, typer.Option("--listener", hidden=True)]


def view(
    context: typer.Context,
    run: Run = None,
    at: At = None,
    speed: Speed = None,
    port: Port = 0,
    host: Host = "127.0.0.1",
    token: Token = "",
    no_browser: NoBrowser = False,
    listener: Listener = None,
) -> None:
    """Watch a run in the browser, live or as a replay.

    The page is served only to this machine, until Ctrl-C. The printed address leads to the same
    run, moment and speed again.
    """
    from cli.viewing.serving import serve, serve_beside
    from cli.viewing.target import ViewTarget

    asked = ViewTarget.read(run, at=at, speed=speed)
    runs, settings = runs_dir(context), settings_file(context)
    if listener is not None:
        serve_beside(runs, settings, listener)
    else:
        serve(runs, settings, asked, host=host, port=port, token=token, with_browser=not no_browser)
