"""`smolville view`: watch a run in the browser."""

from typing import Annotated

import typer

from cli.options import runs_dir, settings_file

Run = Annotated[
    str | None, typer.Argument(metavar="RUN", help="A run's name; the latest without it.")
]
At = Annotated[
    str | None, typer.Option("--at", metavar='"1 14:30"', help="Which moment to show first.")
]
Speed = Annotated[
    str | None,
    typer.Option(metavar="N|live", help="How fast: 1, 2, 4, ... 64, or as fast as it thinks."),
]
Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0: a free one.")]
Host = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="Where to listen; elsewhere than here it asks a token."),
]
Token = Annotated[
    str,
    typer.Option(
        metavar="TEXT",
        envvar="SMOLVILLE_VIEW_TOKEN",
        help="What visitors must show; one is made up without it.",
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
    """Watch a run, living or over, in the browser.

    It is served to this machine alone until Ctrl-C. The address that is printed leads to the same
    run, moment and speed again.
    """
    from cli.viewing.asked import Asked
    from cli.viewing.serving import serve, serve_beside

    asked = Asked.read(run, at=at, speed=speed)
    runs, settings = runs_dir(context), settings_file(context)
    if listener is not None:
        serve_beside(runs, settings, listener)
    else:
        serve(runs, settings, asked, host=host, port=port, token=token, with_browser=not no_browser)
