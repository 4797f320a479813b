// The town on a canvas: what stands still, who lives in it, what it looks at, and what the hand on it does.
import { Backdrop, viewOf } from "./backdrop.js";
import { Camera } from "./camera.js";
import { Captions } from "./captions.js";
import { Chunks } from "./chunks.js";
import { Crowd } from "./crowd.js";
import { listen } from "./gestures.js";
import { Labels } from "./labels.js";
import { Light, lightAt } from "./light.js";
import { Painter } from "./painter.js";
import { People, tallness, WIDTH } from "./people.js";
import { pickAt, rectOf, same } from "./picking.js";
import { paintScene } from "./scene.js";
import { Speech } from "./speech.js";
import { changed } from "./states.js";
import { Thinkers } from "./thinkers.js";
import { Tooltip } from "./tooltip.js";
import { Town } from "./town.js";
import { Weather } from "./weather.js";

/** Pixels by which a key moves a map. */
export const PAN = 90;
/** Pixels of a tile from which one can tell who is there. */
const NEAR_ENOUGH = 26;
const SHARPEST = 2.5;
const ABOUT = 1.01;
const MARGIN = 0.05;

/** The map: whenever something changed it calls `wake`, which is to `draw` it with the next frame. */
export class MapView {
  #dirty = true;

  constructor(canvas, replay, wake, { onPick = () => {}, onFollow = () => {}, reducedMotion = false, whole = false } = {}) {
    this.canvas = canvas;
    this.replay = replay;
    this.wake = wake;
    this.onPick = onPick;
    this.onFollow = onFollow;
    // Hears where hands have moved the view to, for a map beside this one.
    this.onLook = () => {};
    this.c = canvas.getContext("2d", { alpha: false });
    this.following = null;
    // Who talk beside a card of the page: they go before who is followed.
    this.gathered = [];
    this.chosen = null;
    this.hovered = null;
    this.drawn = { boxes: [], captions: [], bubbles: [] };
    this.singled = null;
    this.frames = 0;
    this.last = { at: -1 };
    this.wantsWhole = whole;
    this.build({ reducedMotion });
    listen(canvas, this.hands());
    replay.on(() => this.spoil());
    document.addEventListener("theme", () => this.readTheme());
    this.readTheme();
    this.opened = false;
    this.resize();
  }

  build(motion) {
    const { replay } = this;
    this.map = replay.map;
    this.town = new Town(replay.map);
    this.painter = new Painter(this.town);
    this.chunks = new Chunks(this.town.width, this.town.height, (c, area, scale) => this.painter.paint(c, area, scale));
    this.light = new Light(this.town, this.painter);
    this.backdrop = new Backdrop({ chunks: this.chunks, light: this.light });
    this.labels = new Labels(replay.map);
    this.captions = new Captions(replay);
    this.camera = new Camera(this.town.width, this.town.height, { ...motion, margin: this.wantsWhole ? MARGIN : 0 });
    this.people = new People(replay);
    this.crowd = new Crowd(replay, this.town, this.painter.things, motion);
    this.speech = new Speech(replay, motion);
    this.thinkers = new Thinkers(() => this.spoil(), motion);
    this.weather = new Weather(this.town, () => this.spoil(), motion);
    this.tip = new Tooltip(this.canvas, replay);
  }

  hands() {
    const looking = (act) => (...given) => {
      act(...given);
      this.onLook(this.camera.goal);
    };
    return {
      pan: looking((dx, dy) => this.pan(dx, dy)),
      zoom: looking((factor, x, y, atOnce) => this.zoom(factor, x, y, atOnce)),
      click: (x, y) => {
        const found = this.pick(x, y);
        if (found) this.onPick(found);
      },
      hover: (x, y) => this.hover(x, y),
      leave: () => this.hover(null),
    };
  }

  /** Draw again with the next frame: something changed. Nothing else marks the map as changed. */
  spoil() {
    this.#dirty = true;
    this.wake();
  }

  readTheme() {
    const paper = getComputedStyle(document.documentElement).getPropertyValue("--sunken").trim();
    this.paper = paper || "#f1ece1";
    this.spoil();
  }

  /** Take in how large the canvas is on the page. */
  resize() {
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    this.dpr = Math.min(SHARPEST, Math.max(1, window.devicePixelRatio || 1));
    this.canvas.width = Math.max(1, Math.round(wide * this.dpr));
    this.canvas.height = Math.max(1, Math.round(high * this.dpr));
    const wasWhole = this.wantsWhole && this.following === null && this.camera.goal.scale <= this.camera.whole * ABOUT;
    this.camera.resize(wide, high);
    if (this.opened && wasWhole) {
      this.camera.fit();
      this.camera.jump();
    }
    if (!this.opened && wide > 1 && high > 1) this.open();
    this.spoil();
  }

  /** Begin with the whole town; where that is not asked for, on a narrow screen with its middle, to see people. */
  open() {
    this.opened = true;
    this.camera.fit();
    const { wide, high } = this.camera;
    const filled = Math.max(wide / this.town.width, high / this.town.height);
    const near = this.following === null ? 0 : NEAR_ENOUGH;
    const least = this.wantsWhole ? near : Math.max(near, Math.min(7, filled));
    if (this.camera.goal.scale < least) this.camera.go({ scale: least });
    this.camera.jump();
  }

  /** Who or what is selected: a person's number, a pick, or null. */
  get selected() {
    return this.chosen?.kind === "person" ? this.chosen.n : this.chosen;
  }

  set selected(thing) {
    this.chosen = typeof thing === "number" ? { kind: "person", n: thing } : thing || null;
    this.spoil();
  }

  /** Who is pointed at, on the map or elsewhere on the page: a person's number, or null. */
  get pointed() {
    const { pick } = this.hovered || {};
    return pick?.kind === "person" ? pick.n : this.singled;
  }

  /** Mark somebody who is pointed at elsewhere on the page; null for nobody. */
  point(n) {
    if (n === this.singled) return;
    this.singled = n;
    this.spoil();
  }

  pick(x, y) {
    return pickAt(x, y, this.drawn, this.town, this.camera);
  }

  hover(x, y) {
    const found = x === null ? null : this.pick(x, y);
    if (found || this.hovered) this.spoil();
    this.hovered = found && { pick: found, x, y };
    this.canvas.style.cursor = found && found.kind !== "sector" ? "pointer" : "grab";
  }

  /** Zoom by a factor, around the middle or a point of the canvas. */
  zoom(factor, x, y, atOnce) {
    this.camera.zoom(factor, x, y, atOnce);
    this.spoil();
  }

  /** Move the view by pixels; nobody is followed any more. */
  pan(dx, dy) {
    this.gathered = [];
    if (this.following !== null) this.follow(null);
    this.camera.pan(dx, dy);
    this.spoil();
  }

  /** Look where another map looks: at the same place, as large; who is followed stays in the middle. */
  look({ x, y, scale }) {
    this.camera.go(this.following === null ? { x, y, scale } : { scale });
    this.spoil();
  }

  fit() {
    this.gathered = [];
    this.follow(null);
    this.camera.fit();
    this.spoil();
  }

  /** Bring a person, as of a time, a place or an object into view. */
  show(thing, at) {
    const spot = thing.kind === "person" && this.replay.position(thing.n, at);
    const rect = spot ? [spot.x, spot.y, 1, 1] : rectOf(thing, this.map);
    if (!rect) return;
    const [x, y, w, h] = rect;
    const room = Math.min(this.camera.wide / (w + 6), this.camera.high / (h + 6), 44);
    const scale = w > 1 || h > 1 ? room : Math.max(this.camera.goal.scale, NEAR_ENOUGH);
    this.goTo({ x: x + w / 2, y: y + h / 2, scale });
  }

  /** Go to a view with a spot in the middle; nobody is followed any more. */
  goTo(view) {
    this.gathered = [];
    this.follow(null);
    this.camera.go(view);
    this.spoil();
  }

  /** Have a tile in the middle at once, where not the whole town is seen anyway. */
  centre({ x, y }) {
    if (this.camera.goal.scale <= this.camera.whole) return;
    this.camera.go({ x: x + 0.5, y: y + 0.5 });
    this.camera.jump();
    this.spoil();
  }

  /** Note how many pixels at the foot are covered; what was in the middle goes to the middle of what is left free. */
  cover(below) {
    const before = this.camera.lift;
    this.camera.below = below;
    this.camera.go({ y: this.camera.goal.y + this.camera.lift - before });
    this.spoil();
  }

  /** Keep people who talk together in what is left free of the map, near enough to tell who is there; nobody: no more. */
  gather(numbers) {
    this.gathered = numbers;
    if (numbers.length) this.camera.go({ scale: Math.max(this.camera.goal.scale, NEAR_ENOUGH) });
    this.spoil();
  }

  /** Keep somebody in the middle; null for nobody. */
  follow(n) {
    if (n === this.following) return;
    this.gathered = [];
    this.following = n;
    if (n !== null && this.camera.goal.scale < NEAR_ENOUGH) this.camera.go({ scale: NEAR_ENOUGH });
    this.spoil();
    this.onFollow(n);
  }

  /** Let the camera go with those who are kept in the middle. */
  keepUp(at) {
    const kept = this.gathered.length || this.following === null ? this.gathered : [this.following];
    const places = kept.map((n) => this.replay.position(n, at)).filter(Boolean);
    if (!places.length) return;
    const { goal, lift } = this.camera;
    const middle = (side) => places.reduce((sum, place) => sum + place[side], 0) / places.length + 0.5;
    const [x, y] = [middle("x"), middle("y") + lift];
    if (Math.hypot(goal.x - x, goal.y - y) >= 0.01) this.camera.go({ x, y });
  }

  /**
   * Draw the town at a time of the replay, at a moment of the clock on the wall (milliseconds);
   * return whether it drew.
   */
  draw(at, realNow) {
    this.keepUp(at);
    const moved = this.camera.ease(realNow);
    const still = at === this.last.at && !moved && !this.#dirty && this.backdrop.whole;
    if (still && !this.crowd.restless && !this.speech.isRestless) return false;
    this.#dirty = false;
    this.last = { at };
    this.frames += 1;
    this.paint(at, realNow);
    return true;
  }

  paint(at, realNow) {
    const { camera, dpr } = this;
    const crowd = this.crowd.at(at, realNow, (tallness(camera.now.scale) * WIDTH) / camera.now.scale);
    const lit = this.lit(crowd);
    const { width: wide, height: high } = this.canvas;
    this.c.drawImage(this.backdrop.picture(camera, dpr, at, lit, this.paper), 0, 0);
    const view = viewOf(camera, dpr, wide, high);
    const tall = Math.round(tallness(camera.now.scale) * dpr);
    const things = changed(this.replay, at);
    if (view.steady) this.labels.lay(camera.now.scale);
    const scene = { at, realNow, crowd, lit, wide, high, view, dpr, tall, light: lightAt(at), things, sky: this.replay.skyAt(at) };
    this.weather.paint(this.c, scene);
    const { figures, captions, bubbles } = paintScene(this.c, this, scene);
    const onPage = (each) => ({ ...each, x: each.x / dpr, y: each.y / dpr, w: each.w / dpr, h: each.h / dpr });
    this.drawn = { boxes: figures.map(onPage), captions: captions.map(onPage), bubbles: bubbles.map(onPage) };
    this.tip.show(this.hovered, at);
    if (!this.hovered) return;
    const { pick, x, y } = this.hovered;
    if (!same(pick, this.pick(x, y))) this.hover(x, y);
  }

  lit(crowd) {
    const found = new Set();
    for (const { x, y, pose } of crowd) {
      const { arena } = this.town.placeAt(Math.floor(x), Math.floor(y));
      if (arena >= 0 && pose !== "asleep") found.add(arena);
    }
    return found;
  }
}
