"""A page with the map of the shipped town: three people, and a crowd that comes late."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from smolville.viewer.playback.towns import map_of
from smolville.world.town.townmap import TownMap
from tests.fixtures.browser import new_page

HOUSE = Path(__file__).resolve().parents[3]
STAGE = HOUSE / "viewer" / "stage"
ADDRESS = "http://localhost/"
MARKUP = "<img src=x onerror=window.hurt=1>\u202e</script>"
NOON, NIGHT = 12 * 3600, 2 * 3600
CROWD = 500
PAGE = """<!doctype html><meta charset="utf-8"><title>map</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{margin:0}canvas{width:100vw;height:100vh;display:block}</style>
<canvas id="map"></canvas>
<script type="module">
import { Replay } from "/stage/replay.js";
import { MapView } from "/stage/map/view.js";
import { furnish, paintThing } from "/stage/map/furniture/furniture.js";
const replay = new Replay(HEAD);
replay.add(TRACKS);
const view = new MapView(document.getElementById("map"), replay, () => {}, {
  onPick: (thing) => { window.picked = thing; window.picks += 1; }, reducedMotion: true,
});
window.picks = 0;
let now = 0;
const settle = (at) => {
  let drawn = 0;
  while (view.draw(at, (now += 400)) && drawn < 200) drawn += 1;
  return drawn;
};
const look = ([x, y, w = 1, h = 1]) => {
  const room = w > 1 || h > 1 ? Math.min(innerWidth / (w + 6), innerHeight / (h + 6), 44) : 26;
  view.goTo({ x: x + w / 2, y: y + h / 2, scale: room });
};
const pixels = (image) => {
  const canvas = new OffscreenCanvas(image.width, image.height);
  const c = canvas.getContext("2d");
  c.drawImage(image, 0, 0);
  return c.getImageData(0, 0, image.width, image.height).data;
};
Object.assign(window, { replay, view, look, settle, pixels, furnish, paintThing, ready: true });
</script>"""


def _head() -> dict[str, Any]:
    """Return a head of a replay: a few people and a crowd, in the shipped town."""
    town_map = map_of(TownMap.load(HOUSE / "towns" / "smolville" / "map.tmj"))
    people = [_person(n, [1 + n % 98, 15 + n // 98]) for n in range(CROWD)]
    people[0] |= {"name": f"Ada {MARKUP}", "short": MARKUP, "at": [10, 16]}
    people[1] |= {"at": [55, 24]}
    people[2] |= {"at": [56, 24]}
    head = {"tick": 10, "town": "Smolville", "state": "finished", "goal": 8640}
    return {**head, "people": people, "map": town_map}


def _person(n: int, at: list[int]) -> dict[str, Any]:
    """Return somebody; the crowd comes late, so that most tests are about the first three."""
    person = {"name": f"Person {n}", "short": f"P{n}", "initials": "P", "age": 8 + n % 80}
    looks = {"colour": f"#{(n * 977 + 4000) % 0xFFFFFF:06x}", "look": n, "visitor": n % 9 == 8}
    return {**person, **looks, "at": at, "from": 0 if n < 3 else 8000, "to": None}


def _tracks() -> dict[str, Any]:
    """Return tracks: one walks along a street, two talk, and one deed is a fallback."""
    deeds = [_deed(n, "🎨", int(n == 2)) for n in range(CROWD)]
    line = [1, 36000, f"{MARKUP} " + "endless " * 12_500, 0]
    talk = {"id": "t", "tick": 3600, "who": [1, 2], "place": "", "start": 36000, "end": 80000}
    return {
        "since": -1,
        "until": 8640,
        "moves": [[0, 4400, 4460, 10, 16, "R60"]],
        "deeds": deeds,
        "objects": [[3, 100, MARKUP, "🔥", -1]],
        "talks": [{**talk, "lines": [line]}],
        "notes": [],
    }


def _deed(n: int, emoji: str, flags: int) -> list[Any]:
    """Return the row of a deed that lasts for the whole day."""
    activity = MARKUP if n == 0 else "painting"
    return [n, 0, "act", activity, "", 0, 86400, emoji, None, None, None, [], flags, ""]


def _answer(route: Route) -> None:
    """Answer with the page, or with a file of the stage."""
    path = route.request.url.removeprefix(ADDRESS)
    if path.startswith("stage/"):
        route.fulfill(path=STAGE / path.removeprefix("stage/"), content_type="text/javascript")
        return
    # "<" is spelled out: the page's own data must not end its script.
    head, tracks = (json.dumps(each).replace("<", "\\u003c") for each in (_head(), _tracks()))
    body = PAGE.replace("HEAD", head).replace("TRACKS", tracks)
    route.fulfill(body=body, content_type="text/html; charset=utf-8")


@contextmanager
def drawn_town(browser: Browser, **options: Any) -> Iterator[Page]:
    """Give the page; `options` are those of its context."""
    with new_page(browser, **options) as page:
        page.route(f"{ADDRESS}**", _answer)
        page.goto(ADDRESS)
        page.wait_for_function("window.ready")
        yield page
