"""The drawn town in a real browser: its pictures, its light, its words, and what it costs."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from smolville.viewer.playback.icons import ICONS, OTHER
from tests.viewer.stage.drawn_map import CROWD, MARKUP, NIGHT, NOON, drawn_town


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


def test_people_look_different_from_each_other_and_in_every_pose(town: Page) -> None:
    counts = town.evaluate(
        """() => {
          const people = new People(replay);
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


def test_texts_of_others_are_drawn_as_text_and_kept_short(town: Page) -> None:
    told = town.evaluate(
        """(at) => {
          view.show([50, 22, 12, 8]);
          view.selected = { kind: "object", n: 3 };
          settle(at);
          view.show([10, 16]);
          settle(at);
          const { x, y, w, h } = view.drawn.boxes[0];
          view.hover(x + w / 2, y + h / 2);
          settle(at);
          const line = replay.talks.of(1)[0].lines[0].text;
          return { line: line.length, rows: rowsOf(line, "13px sans-serif", 200),
            tamed: tame(replay.people[0].name, 90), hovered: view.hovered.pick,
            images: document.images.length, hurt: window.hurt === 1 };
        }""",
        NOON,
    )
    assert told["line"] > 100_000
    assert len(told["rows"]) == 3
    assert told["rows"][2].endswith("…")
    assert told["tamed"] == f"Ada {MARKUP}".replace("\u202e", " ").strip()
    assert told["hovered"] == {"kind": "person", "n": 0}
    assert (told["images"], told["hurt"]) == (0, False)


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
