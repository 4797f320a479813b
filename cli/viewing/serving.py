"""Serves the app until Ctrl-C, and says where."""

import socket
import sys
from pathlib import Path
from urllib.parse import quote

from cli.screen import say
from viewer.house import House, OpenMinds


def serve(runs: Path, minds: OpenMinds, run: str | None, *, port: int, with_browser: bool) -> None:
    """Serve the app until it is interrupted."""
    import uvicorn

    from viewer.serving.app import build_app

    house = House(runs=runs, minds=minds, command=(sys.executable, "-m", "cli.main"))
    name = run or next(iter(house.names()), "")
    app = build_app(house)
    with socket.create_server(("127.0.0.1", port)) as listener:
        found = listener.getsockname()[1]
        where = f"run/{quote(name, safe='')}" if name else "start"
        say(f"http://127.0.0.1:{found}/{where}")
        sys.stdout.flush()
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
        uvicorn.Server(config).run(sockets=[listener])
