"""The drawn town in a real browser: its pictures, hands on it, its light, and what it costs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.fixtures.browser import new_page
from viewer.film.drawing import map_of
from viewer.film.icons import ICONS, OTHER
from world.town.townmap import TownMap

HOUSE = Path(__file__).resolve().parents[3]
STAGE = HOUSE / "viewer" / "stage"
ADDRESS = "http://localhost/"
MARKUP = "<img src=x onerror=window.hurt=1>\u202e</script>"
NOON, NIGHT = 12 * 3600, 2 * 3600
CROWD = 500
PAGE = """<!doctype html><meta charset="utf-8"><title>map</title><link rel="icon" href="data:,">
<style>body{margin:0}canvas{width:100vw;height:100vh;display:block}</style>
<canvas id="map"></canvas>
<script type="module">
import { Film } from "/stage/film.js";
import { MapView } from "/stage/map/view.js";
import { furnish, paintThing } from "/stage/map/furniture/furniture.js";
import { People } from "/stage/map/people.js";
import { emojiBubble } from "/stage/map/bubbles.js";
import { tame } from "/stage/map/lettering.js";
import { rowsOf } from "/stage/map/speech.js";
const film = new Film(HEAD);
film.add(TRACKS);
const view = new MapView(document.getElementById("map"), film, {
  onPick: (thing) => (window.picked = thing), reducedMotion: true,
});
let now = 0;
const settle = (at) => {
  let drawn = 0;
  while (view.draw(at, (now += 400)) && drawn < 200) drawn += 1;
  return drawn;
};
const pixels = (image) => {
  const canvas = new OffscreenCanvas(image.width, image.height);
  const c = canvas.getContext("2d");
  c.drawImage(image, 0, 0);
  return c.getImageData(0, 0, image.width, image.height).data;
};
Object.assign(window, { film, view, settle, pixels, furnish, paintThing, People, emojiBubble });
Object.assign(window, { tame, rowsOf, ready: true });
</script>"""


def _head() -> dict[str, Any]:
    """Return a head of a film: a few people and a crowd, in the shipped town."""
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


@pytest.fixture(scope="module")
def town(browser: Browser) -> Iterator[Page]:
    """One page with the map, for all tests here."""
    with new_page(browser) as page:
        page.route(f"{ADDRESS}**", _answer)
        page.goto(ADDRESS)
        page.wait_for_function("window.ready")
        yield page


def test_every_icon_of_the_film_has_a_drawing_and_an_unknown_one_is_a_box(town: Page) -> None:
    drawn = town.evaluate(
        """(icons) => icons.map((icon) => {
          const canvas = new OffscreenCanvas(64, 64);
          const c = canvas.getContext("2d");
          c.scale(32, 32);
          const thing = { icon, name: "thing", colour: "#e5c596", rect: [0, 0, 2, 2] };
          paintThing(c, { ...furnish(thing, view.town), turn: 0 });
          return pixels(canvas).join("");
        })""",
        [*ICONS, "no such icon"],
    )
    box = drawn[-1]
    assert set(box) != {"0"}
    assert {icon for icon, each in zip(ICONS, drawn, strict=False) if each == box} == {OTHER}
    assert len(set(drawn[:-1])) == len(ICONS)


def test_people_look_different_from_each_other_and_in_every_pose(town: Page) -> None:
    counts = town.evaluate(
        """() => {
          const people = new People(film);
          const one = { n: 0, pose: "upright", facing: "down", phase: 0, turn: 0 };
          const seen = (list) => new Set(list.map((each) => {
            const found = pixels(people.sprite({ ...one, ...each }, 48, each.shade || "")).join("");
            return /[1-9]/.test(found) ? found : "";
          }));
          const looks = seen(Array.from({ length: 60 }, (_, n) => ({ n })));
          const poses = seen([
            {}, { facing: "up" }, { facing: "left" }, { facing: "right" }, { pose: "seated" },
            { pose: "walking", phase: 1 }, { pose: "walking", phase: 3 }, { pose: "asleep" },
            { pose: "asleep", turn: 1 }, { shade: "rgb(104,114,168)" },
          ]);
          return { looks: looks.size, poses: poses.size, empty: looks.has("") || poses.has("") };
        }"""
    )
    assert counts == {"looks": 60, "poses": 10, "empty": False}


def test_a_click_picks_the_person_below_it_else_the_thing_else_the_room(town: Page) -> None:
    town.evaluate("(at) => { view.show([10, 16]); settle(at); }", NOON)
    spots = town.evaluate(
        """() => {
          const middle = ({ x, y, w, h }) => [x + w / 2, y + h / 2];
          const at = (x, y) => view.camera.toScreen(x, y);
          const things = film.map.objects;
          const bed = things.findIndex(({ icon }) => icon === "bed");
          const [x, y] = things[bed].rect;
          const { address } = film.map.arenas[view.town.placeAt(5, 5).arena];
          return { person: middle(view.boxes[0]), bed, thing: at(x + 0.5, y + 0.5),
            room: at(5.5, 5.5), arena: address };
        }"""
    )
    found = []
    for name in ("person", "thing", "room"):
        town.mouse.click(*spots[name])
        found.append(town.evaluate("window.picked"))
    assert found[0] == {"kind": "person", "n": 0}
    assert (found[1]["kind"], found[1]["n"]) == ("object", spots["bed"])
    assert found[2] == {"kind": "arena", "address": spots["arena"]}


def test_the_one_who_is_followed_stays_in_view_until_a_hand_pans(town: Page) -> None:
    ways = town.evaluate(
        """() => {
          view.follow(0);
          const off = [];
          for (let at = 44000; at <= 44600; at += 50) {
            settle(at);
            const { x, y } = film.position(0, at);
            const [px, py] = view.camera.toScreen(x + 0.5, y + 0.5);
            const inside = px > 0 && py > 0 && px < innerWidth && py < innerHeight;
            off.push([x, inside, Math.abs(px - innerWidth / 2)]);
          }
          view.pan(40, 0);
          return { off, following: view.following };
        }"""
    )
    assert ways["off"][-1][0] == 70
    assert all(inside for _, inside, _ in ways["off"])
    assert max(off for x, _, off in ways["off"] if x > 30) < 2
    assert ways["following"] is None


def test_the_wheel_zooms_around_the_pointer_and_the_town_is_never_lost(town: Page) -> None:
    town.evaluate("(at) => { view.show([40, 30, 20, 12]); settle(at); }", NOON)
    before = town.evaluate("[...view.camera.toTown(400, 300), view.camera.now.scale]")
    town.mouse.move(400, 300)
    town.mouse.wheel(0, -300)
    town.wait_for_function("(scale) => view.camera.goal.scale > scale", arg=before[2])
    after = town.evaluate(
        "(at) => { settle(at); return [...view.camera.toTown(400, 300), view.camera.now.scale]; }",
        NOON,
    )
    assert after[2] > before[2] * 1.2
    assert after[:2] == pytest.approx(before[:2], abs=0.02)
    rim = town.evaluate(
        """(at) => {
          for (let i = 0; i < 40; i += 1) view.pan(5000, -5000);
          settle(at);
          const [x, y] = view.camera.toTown(innerWidth / 2, innerHeight / 2);
          return x > 0 && y > 0 && x < film.map.width && y < film.map.height;
        }""",
        NOON,
    )
    assert rim


def test_night_is_darker_than_day_and_a_room_with_somebody_up_is_lit(town: Page) -> None:
    light = town.evaluate(
        """([noon, night]) => {
          const at = (x, y, second) => {
            view.fit();
            settle(second);
            const [px, py] = view.camera.toScreen(x, y);
            const [r, g, b] = view.c.getImageData(px * view.dpr, py * view.dpr, 1, 1).data;
            return r + g + b;
          };
          const empty = [noon, night].map((second) => at(12.5, 20.5, second));
          const kept = film.people[0].at;
          film.people[0].at = [10, 22];
          const lit = at(12.5, 20.5, night);
          film.people[0].at = kept;
          return { day: empty[0], night: empty[1], lit };
        }""",
        [NOON, NIGHT],
    )
    assert light["night"] < light["day"] * 0.75
    assert light["lit"] > light["night"] * 1.2


def test_texts_of_others_are_drawn_as_text_and_kept_short(town: Page) -> None:
    told = town.evaluate(
        """(at) => {
          view.show([50, 22, 12, 8]);
          view.selected = { kind: "object", n: 3 };
          settle(at);
          view.show([10, 16]);
          settle(at);
          const { x, y, w, h } = view.boxes[0];
          view.hover(x + w / 2, y + h / 2);
          settle(at);
          const line = film.talks.of(1)[0].lines[0].text;
          return { line: line.length, rows: rowsOf(line, "13px sans-serif", 200),
            tamed: tame(film.people[0].name, 90), hovered: view.hovered.pick,
            images: document.images.length, hurt: window.hurt === 1, said: view.describe() };
        }""",
        NOON,
    )
    assert told["line"] > 100_000
    assert len(told["rows"]) == 3
    assert told["rows"][2].endswith("…")
    assert told["tamed"] == f"Ada {MARKUP}".replace("\u202e", " ").strip()
    assert told["hovered"] == {"kind": "person", "n": 0}
    assert (told["images"], told["hurt"]) == (0, False)
    assert told["said"].startswith("Map of Smolville: 1 person in view")


def test_speech_stays_on_the_screen_and_a_given_deed_has_another_outline(town: Page) -> None:
    seen = town.evaluate(
        """(at) => {
          view.show([55, 24]);
          settle(at);
          const put = view.c.drawImage;
          const wide = [];
          view.c.drawImage = (image, x, y, ...more) => {
            if (!more.length && image.width > 150 && image.height < 120) {
              wide.push([x, y, x + image.width, y + image.height]);
            }
            put.call(view.c, image, x, y, ...more);
          };
          for (const [dx, dy] of [[600, 0], [-1180, 0], [590, 380]]) {
            view.pan(dx, dy);
            settle(at);
          }
          delete view.c.drawImage;
          const bubble = (given) => pixels(emojiBubble("🎨", 30, given)).join();
          const { width, height } = view.canvas;
          return { wide, other: bubble(false) !== bubble(true), screen: [width, height] };
        }""",
        NOON,
    )
    assert len(seen["wide"]) >= 3
    for left, top, right, bottom in seen["wide"]:
        assert left >= 0
        assert top >= 0
        assert right <= seen["screen"][0]
        assert bottom <= seen["screen"][1]
    assert seen["other"]


def test_a_crowd_costs_a_few_copied_pictures_each_and_a_held_moment_nothing(town: Page) -> None:
    cost = town.evaluate(
        """(at) => {
          view.hover(null);
          view.fit();
          settle(at);
          const painted = view.chunks.painted;
          const composed = view.backdrop.composed;
          const held = view.draw(at, 1e9);
          const names = ["drawImage", "fill", "stroke", "fillText", "strokeText"];
          const counts = Object.fromEntries(names.map((name) => [name, 0]));
          for (const name of names) {
            view.c[name] = (...rest) => {
              counts[name] += 1;
              return CanvasRenderingContext2D.prototype[name].apply(view.c, rest);
            };
          }
          view.draw(at + 1, 1e9 + 16);
          for (const name of names) delete view.c[name];
          return { held, seen: view.boxes.length, counts,
            again: [view.chunks.painted - painted, view.backdrop.composed - composed] };
        }""",
        82_000,
    )
    assert cost["held"] is False
    assert cost["seen"] > CROWD * 0.9
    assert cost["counts"]["drawImage"] <= CROWD * 4
    drawn = sum(count for name, count in cost["counts"].items() if name != "drawImage")
    assert drawn <= 20
    assert cost["again"] == [0, 0]


def test_the_map_can_be_drawn_with_its_own_pixels_and_back(town: Page) -> None:
    town.evaluate("view.show([34, 18, 20, 14])")
    look = "(at) => { settle(at); return pixels(view.backdrop.canvas).slice(0, 400000).join(); }"
    drawn = town.evaluate(look, NOON)
    assert town.evaluate("view.setArt('tiles')") == "tiles"
    town.wait_for_function("view.painter.image !== null")
    tiles = town.evaluate(look, NOON)
    assert town.evaluate("view.setArt('drawn')") == "drawn"
    assert tiles != drawn
    assert town.evaluate(look, NOON) == drawn
