"""A small replay, and a server that shows it on the stage: files, data, and news of a run.

It stands in for the app where a test wants to say itself what comes over the line, and when.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from smolville.viewer.step_names import PLAIN
from tests.fixtures.waiting import until

STAGE = Path(str(files("smolville.viewer"))) / "stage"
MIMES = {".js": "text/javascript", ".css": "text/css"}
SHEETS = ("theme", "stage", "head", "bar", "strip", "side")
PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>A stage</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
{"".join(f'<link rel="stylesheet" href="/stage/styles/{name}.css">' for name in SHEETS)}
<script>window.told = []; window.emitEvent = (name, detail) => told.push([name, detail]);</script>
</head><body><div id="stage"></div><script type="module" src="/stage/theme.js"></script>
<script type="module" src="/stage/served.js"></script></body></html>"""
BARE = '<!DOCTYPE html><html lang="en"><title>Bare</title><link rel="icon" href="data:,"></html>'
NASTY = "</script><img src=x onerror='told.push(1)'> \u202egnol"
"""What a model might say."""

Json = dict[str, Any]


def at(day: int, hour: int, minute: int = 0) -> int:
    """Return a town second."""
    return (day - 1) * 86_400 + hour * 3600 + minute * 60


def _person(name: str, x: int, y: int, **changed: Any) -> Json:
    short, last = name.split()
    return {
        "name": name, "short": short, "initials": short[0] + last[0], "age": 34, "traits": "warm",
        "home": "Mill: loft", "work": "", "colour": "#336699", "look": 1, "at": [x, y],
        "visitor": False, "from": 0, "to": None, **changed,
    }  # fmt: skip


def head(**changed: Any) -> Json:
    """Return the head of a day in a mill and a bakery: Ada, Bo, and Cy, a visitor."""
    people = [
        _person("Ada Brook", 2, 2),
        _person("Bo Lind", 12, 2),
        _person("Cy Wren", 6, 9, visitor=True, **{"from": 3000, "to": 4000}),
    ]
    oven = {
        "address": "Bakery: kitchen: oven", "name": "oven", "rect": [12, 3, 1, 1],
        "colour": "#884422", "icon": "stove", "capacity": 1, "idle": "off",
    }  # fmt: skip
    arenas = [
        {"address": "Mill: loft", "name": "loft", "sector": "Mill", "rect": [1, 1, 6, 6]},
        {"address": "Bakery: kitchen", "name": "kitchen", "sector": "Bakery", "rect": [9, 1, 6, 6]},
    ]
    sectors = [
        {"address": "Mill", "name": "Mill", "rect": [1, 1, 6, 6]},
        {"address": "Bakery", "name": "Bakery", "rect": [9, 1, 6, 6]},
    ]
    ground = [["#9ab87a", "grass", [[y, 0, 16] for y in range(12)]]]
    town = {
        "width": 16, "height": 12, "ground": ground, "barriers": {"wall": [[1, 1], [9, 1]]},
        "sectors": sectors, "arenas": [{**arena, "tint": "#eeddcc"} for arena in arenas],
        "objects": [oven],
    }  # fmt: skip
    return {
        "format": 1, "run": "small", "town": "Smalltown", "start": "2024-05-06", "tick": 10,
        "pace": 10, "until": 8639, "goal": 8640, "state": "finished", "models": "standin",
        "standin": True, "faults": [], "steps": PLAIN, "people": people, "map": town, **changed,
    }  # fmt: skip


def _deed(n: int, tick: int, activity: str, **changed: Any) -> list[Any]:
    row = {
        "n": n, "tick": tick, "kind": "act", "activity": activity, "place": "Mill: loft",
        "start": tick * 10, "end": tick * 10 + 3600, "emoji": "🍞", "object": "", "state": "",
        "sign": "", "partners": [], "flags": 0, "reason": "", **changed,
    }  # fmt: skip
    return list(row.values())


def tracks(**changed: Any) -> Json:
    """Return the rows of that day."""
    line = [0, 30_010, "The oven is hot.", 0], [1, 30_040, NASTY, 1]
    return {
        "since": -1, "until": 8639, "state": "finished", "goal": 8640,
        "moves": [[0, 2160, 2166, 2, 2, "R3D3"], [1, 2880, 2884, 12, 2, "L4"]],
        "deeds": [
            _deed(0, 0, "sleeping"),
            _deed(1, 0, "sleeping", flags=0),
            _deed(0, 2160, "baking", flags=1, place="Bakery: kitchen: oven"),
            _deed(1, 2880, "flying", flags=2, reason="nobody can"),
        ],
        "objects": [[0, 2200, "hot", "🔥", 0], [0, 2300, "off", "", 0]],
        "talks": [{
            "id": "talk/3000/Ada Brook&Bo Lind", "tick": 3000, "who": [0, 1], "ended": 1,
            "place": "Mill: loft", "start": 30_000, "end": 30_100, "lines": list(line),
        }],
        "notes": [
            [0, 0, "plan", "baking"],
            [2160, 0, "fallback", "act"],
            [3200, 0, "insight", "Bread makes friends."],
            [3300, 1, "whisper", "Eat less cake."],
        ], **changed,
    }  # fmt: skip


class SmallServer(ThreadingHTTPServer):
    """Serves one replay; a test says what is heard over the live line, and when the line is cut."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.begin(head(), tracks())

    def begin(self, new_head: Json, new_tracks: Json) -> None:
        """Show another replay from now on."""
        self.head, self.tracks = new_head, new_tracks
        self.away = self.stopping = False
        self.lines: list[Queue[bytes | None]] = []
        self.asked: list[str] = []

    @property
    def root(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def tell(self, event: str, data: Json | None, tick: int = 0) -> None:
        """Let everybody who listens hear something; somebody will."""
        until(lambda: self.lines, "somebody who listens")
        text = f"id: {tick}\nevent: {event}\ndata: {json.dumps(data)}\n\n"
        for line in self.lines:
            line.put(text.encode())

    def cut(self) -> None:
        """End every line, and take no new one until `away` is false again."""
        self.away = True
        for line in self.lines:
            line.put(None)
        self.lines.clear()

    def stop(self) -> None:
        """Say no more, yet leave each line open until its page goes.

        A page whose line ends asks for another at once, and would complain that nobody answers.
        """
        self.stopping = True
        for line in self.lines:
            line.put(None)


class _Answer(BaseHTTPRequestHandler):
    server: SmallServer

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        name = path.removeprefix("/stage/")
        if path.endswith("/live"):
            self._live()
        elif path.endswith("head.json"):
            self._give(json.dumps(self.server.head), "application/json")
        elif path.endswith("tracks.json"):
            self._give(json.dumps(self.server.tracks), "application/json")
        elif path.startswith("/replay/"):
            self._give(
                json.dumps(_life(self.server.head, int(path.split("/")[-1][:-5]))),
                "application/json",
            )
        elif (STAGE / name).is_file():
            self._give((STAGE / name).read_text("utf-8"), MIMES[Path(name).suffix])
        else:
            self._give(PAGE if path.startswith("/run/") else BARE, "text/html")

    def _give(self, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _live(self) -> None:
        if self.server.away:
            self.send_error(503)
            return
        line: Queue[bytes | None] = Queue()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.server.lines.append(line)
        self.server.asked.append(parse_qs(urlsplit(self.path).query)["since"][0])
        try:
            while (told := line.get()) is not None:
                self.wfile.write(told)
                self.wfile.flush()
            if self.server.stopping:
                self.connection.recv(1)
        except (BrokenPipeError, ConnectionResetError):
            return

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _life(replay: Json, n: int) -> Json:
    return {
        "n": n, "until": 8639, "persona": {"name": replay["people"][n]["name"], "currently": ""},
        "memories": [], "plans": [], "bonds": [], "currently": [], "thoughts": [], "needs": None,
    }  # fmt: skip


@contextmanager
def small_server() -> Iterator[SmallServer]:
    """Serve until the block ends."""
    server = SmallServer()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        server.shutdown()
        thread.join()
        server.server_close()
