"""A made-up replay of two people in one room, and a page that shows a panel or the feed of it.

Nothing is served: the page holds the stage's modules as one script. The replay is plain data, so
that a test can put anything into it.
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from smolville.viewer.bundle import bundle
from smolville.viewer.step_names import PLAIN

STAGE = Path(str(files("smolville.viewer"))) / "stage"
ROOT = "http://localhost/"
DAY = 8640
"""Ticks of a day."""
SHEETS = ("theme", "side")
PAGE = """<!DOCTYPE html><html lang="en"><head><title>A panel</title><style>{styles}</style></head>
<body><main id="root"></main><script type="module">
{modules}
const root = document.getElementById("root");
const {{ head, tracks, people, place }} = {data};
const replay = new $replay.Replay(head);
replay.add(tracks);
window.asked = [];
const heard = (name) => (...given) => window.asked.push([name, ...given]);
const names = {{ onSeek: "seek", onPick: "pick", onOpen: "open", onFollow: "follow",
  onTalk: "talk" }};
const calls = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, heard(name)]));
const source = {{ place, person: async (n) => people[n] }};
window.replay = replay;
window.people = people;
window.panel = new $people_panel.PeoplePanel(root, replay, source, calls);
window.telling = $announce.sentence;
window.feed = () => (window.shown = new $feed.Feed(root, replay, calls));
</script></body></html>"""

Json = dict[str, Any]


def at(day: int, hour: int, minute: int = 0) -> int:
    """Return a town second."""
    return (day - 1) * 86_400 + hour * 3600 + minute * 60


def tick(day: int, hour: int, minute: int = 0) -> int:
    """Return the tick of a moment."""
    return at(day, hour, minute) // 10


def deed(n: int, when: tuple[int, int], activity: str, **changed: Any) -> list[Any]:
    """Return a deed of an hour as tracks tell it."""
    begin = at(*when)
    row = {
        "n": n, "tick": begin // 10, "kind": "do", "activity": activity, "place": "House: room",
        "start": begin, "end": begin + 3600, "emoji": "🍞", "object": "", "state": "", "sign": "",
        "partners": [], "flags": 0, "reason": "", **changed,
    }  # fmt: skip
    return list(row.values())


def memory(name: str, when: tuple[int, int], text: str, **changed: Any) -> Json:
    """Return a memory as a life tells it."""
    return {
        "id": name, "kind": "event", "text": text, "at": at(*when), "tick": tick(*when),
        "expires": None, "evidence": [], "depth": 0, "importance": [], "accessed": [],
        "strength": [[tick(*when), 1]], **changed,
    }  # fmt: skip


def plan(day: int, *hours: tuple[int, int, str]) -> Json:
    """Return a plan of whole hours: (from, to, activity)."""
    blocks = [
        {"start": start * 60, "end": end * 60, "activity": activity, "place": "", "tasks": []}
        for start, end, activity in hours
    ]
    return {"day": day, "wake": 360, "strokes": [[360, "get up"]], "blocks": blocks}


def person(name: str, **changed: Any) -> Json:
    """Return somebody's entry in the head."""
    short, last = name.split()
    return {
        "name": name, "short": short, "initials": short[0] + last[0], "age": 34,
        "traits": "warm, quick", "home": "House: room", "work": "", "colour": "#336699", "look": 1,
        "at": [1, 1], "visitor": False, "from": 0, "to": None, **changed,
    }  # fmt: skip


def life(n: int, name: str, **changed: Any) -> Json:
    """Return a life in which nothing has happened yet."""
    return {
        "n": n, "until": 2 * DAY - 1, "persona": {"name": name, "currently": "Bakes."},
        "memories": [], "plans": [], "bonds": [], "currently": [], "thoughts": [], "needs": None,
        **changed,
    }  # fmt: skip


def replay(lives: list[Json], **rows: Any) -> Json:
    """Return the replay of some lives that lasts two days."""
    people = [person(each["persona"]["name"]) for each in lives]
    head = {
        "format": 1, "run": "made up", "town": "Smalltown", "start": "2024-05-06", "tick": 10,
        "pace": 10, "until": 2 * DAY - 1, "goal": 2 * DAY, "state": "finished", "people": people,
        "steps": PLAIN,
        "map": {"objects": [], "arenas": [], "sectors": []},
    }  # fmt: skip
    empty: Json = {"moves": [], "deeds": [], "objects": [], "talks": [], "notes": []}
    tracks = {"since": -1, "until": 2 * DAY - 1, "state": "finished", "goal": 2 * DAY}
    return {"head": head, "tracks": {**tracks, **empty, **rows}, "people": lives, "place": "served"}


def show(page: Page, made_up: Json, second: int, *, n: int = 0, section: str = "Now") -> None:
    """Show a person at a second."""
    _open(page, made_up)
    page.evaluate(
        "async ([n, at, name]) => { panel.at(at); await panel.show(n); panel.choose(name); }",
        [n, second, section],
    )


def show_feed(page: Page, made_up: Json, second: int) -> None:
    """Show the feed at a second."""
    _open(page, made_up)
    page.evaluate("(at) => feed().at(at)", second)
    page.locator(".list-count:not(:empty)").wait_for()


def _open(page: Page, made_up: Json) -> None:
    html = PAGE.format(
        styles="".join((STAGE / "styles" / f"{name}.css").read_text("utf-8") for name in SHEETS),
        modules=bundle(STAGE, "replay.js", "feed.js", "announce.js", "people/panel.js"),
        data=json.dumps(made_up).replace("<", "\\u003c"),
    )
    mime = "text/html; charset=utf-8"
    page.route(ROOT, lambda route: route.fulfill(body=html, content_type=mime))
    page.goto(ROOT)
    page.wait_for_function("'feed' in window")
