"""`smolville view`: watch a run in the browser."""

from typing import Annotated

import typer

from smolville.cli.options import runs_dir, settings_file

TOKEN_VARIABLE = "SMOLVILLE_VIEW_TOKEN"  # noqa: S105 - a name
"""Environment variable that holds the token; other accounts cannot read a process's environment."""

Run = Annotated[
    str | None, typer.Argument(metavar="RUN", help="A run's name; the latest by default.")
]
At = Annotated[
    str | None, typer.Option("--at", metavar='"1 14:30"', help="The moment to show first.")
]
Speed = Annotated[
    str | None,
    typer.Option(
        metavar="N|live", help="Speed of the replay: 1, 2, 4, ... 64, or live to follow the run."
    ),
]
Port = Annotated[
    int, typer.Option(metavar="N", min=0, max=65535, help="The port to listen on; 0: any free one.")
]
Host = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="The address to listen on; default: this machine only."),
]
Token = Annotated[
    str,
    typer.Option(
        metavar="TEXT",
        envvar=TOKEN_VARIABLE,
        help="The token that a browser must present; random by default.",
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

    The page is served until Ctrl-C, to this machine only, and only to those who have the printed
    address: it holds a token, which the browser then keeps in a cookie. Opening the address again
    shows the same run, moment and speed.
    """
    from smolville.cli.server import ViewTarget, serve, serve_beside

    asked = ViewTarget.read(run, at=at, speed=speed)
    runs, settings = runs_dir(context), settings_file(context)
    if listener is not None:
        serve_beside(runs, settings, listener, token)
        return
    serve(runs, settings, asked, host=host, port=port, token=token, with_browser=not no_browser)
