"""The drawn town in a real browser: pictures, light, words, what it costs, and hands on it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from smolville.viewer.playback.towns import ICONS, OTHER
from tests.viewer.stage.drawn_map import CROWD, NIGHT, NOON, drawn_town

FIRST = "[view.drawn.boxes[0].x + view.drawn.boxes[0].w / 2, view.drawn.boxes[0].y + 9]"
"""A spot on the first person drawn."""


@pytest.fixture
def town(browser: Browser) -> Iterator[Page]:
    """A page with the map; each test moves it and holds what it likes."""
    with drawn_town(browser) as page:
        yield page


def test_every_icon_of_the_replay_has_a_drawing_and_an_unknown_one_is_a_box(town: Page) -> None:
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
          const kept = replay.people[0].at;
          replay.people[0].at = [10, 22];
          const lit = at(12.5, 20.5, night);
          replay.people[0].at = kept;
          return { day: empty[0], night: empty[1], lit };
        }""",
        [NOON, NIGHT],
    )
    assert light["night"] < light["day"] * 0.75
    assert light["lit"] > light["night"] * 1.2


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
          return { held, seen: view.drawn.boxes.length, counts,
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


def test_a_click_picks_the_person_below_it_else_the_thing_else_the_room(town: Page) -> None:
    town.evaluate("(at) => { look([10, 16]); settle(at); }", NOON)
    spots = town.evaluate(
        """() => {
          const middle = ({ x, y, w, h }) => [x + w / 2, y + h / 2];
          const at = (x, y) => view.camera.toScreen(x, y);
          const things = replay.map.objects;
          const bed = things.findIndex(({ icon }) => icon === "bed");
          const [x, y] = things[bed].rect;
          const { address } = replay.map.arenas[view.town.placeAt(5, 5).arena];
          return { person: middle(view.drawn.boxes[0]), bed, thing: at(x + 0.5, y + 0.5),
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


def test_one_finger_drags_two_fingers_zoom_and_a_tap_picks(browser: Browser) -> None:
    phone = {"width": 390, "height": 700}
    with drawn_town(browser, viewport=phone, has_touch=True, is_mobile=True) as page:
        session = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            fingers = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

        page.evaluate("(at) => { look([44, 28, 12, 20]); settle(at); }", NOON)
        place = "[...view.camera.toTown(200, 300), view.camera.now.scale]"
        x, y, scale = page.evaluate(place)
        touch("touchStart", (200, 300))
        for step in (20, 40, 60):
            touch("touchMove", (200 - step, 300 - step / 2))
        touch("touchEnd")
        dragged = page.evaluate(place)
        assert dragged[0] == pytest.approx(x + 60 / scale, abs=0.1)
        assert dragged[1] == pytest.approx(y + 30 / scale, abs=0.1)
        assert page.evaluate("[window.picks, scrollX, scrollY]") == [0, 0, 0]

        before = page.evaluate("view.camera.now.scale")
        touch("touchStart", (120, 300), (280, 300))
        for step in (20, 40):
            touch("touchMove", (120 + step, 300), (280 - step, 300))
        touch("touchEnd")
        zoomed = page.evaluate(place)
        # From 160 to 80 pixels apart.
        assert zoomed[2] == pytest.approx(before / 2, rel=0.1)
        assert zoomed[:2] == pytest.approx(dragged[:2], abs=0.6)
        assert page.evaluate("visualViewport.scale") == 1

        page.evaluate("(at) => { look([10, 16]); settle(at); }", NOON)
        at = page.evaluate(FIRST)
        touch("touchStart", (at[0], at[1]))
        touch("touchEnd")
        assert page.evaluate("[window.picks, window.picked]") == [1, {"kind": "person", "n": 0}]
