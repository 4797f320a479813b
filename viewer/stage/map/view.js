// The town on a canvas: what stands still, who lives in it, and what the hand on it does.
import { Ambience } from "./ambience.js";
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
import { pickAt, same } from "./picking.js";
import { paintScene } from "./scene.js";
import { Speech } from "./speech.js";
import { changed } from "./states.js";
import { Thinkers } from "./thinkers.js";
import { Town } from "./town.js";
import { NEAR_ENOUGH, Viewpoint } from "./viewpoint.js";

const SHARPEST = 2.5;
const ABOUT = 1.01;
const MARGIN = 0.05;

/** The map: whenever something changed it calls `wake`, which is to `draw` it with the next frame. */
export class MapView extends Viewpoint {
  #dirty = true;

  constructor(canvas, replay, wake, { onPick = () => {}, onFollow = () => {}, reducedMotion = false, whole = false } = {}) {
    super();
    this.canvas = canvas;
    this.replay = replay;
    this.wake = wake;
    this.onPick = onPick;
    this.onFollow = onFollow;
    // Hears where hands have moved the view to, for a map beside this one.
    this.onLook = () => {};
    this.c = canvas.getContext("2d", { alpha: false });
    this.chosen = null;
    this.hovered = null;
    this.drawn = { boxes: [], captions: [], bubbles: [] };
    this.singled = null;
    this.frames = 0;
    this.last = { at: -1 };
    this.motion = { reducedMotion };
    this.wantsWhole = whole;
    this.build();
    listen(canvas, this.hands());
    replay.on(() => this.spoil());
    document.addEventListener("theme", () => this.readTheme());
    this.readTheme();
    this.opened = false;
    this.resize();
  }

  build() {
    const { replay } = this;
    this.map = replay.map;
    this.town = new Town(replay.map);
    this.painter = new Painter(this.town);
    this.chunks = new Chunks(this.town.width, this.town.height, (c, area, scale) => this.painter.paint(c, area, scale));
    this.light = new Light(this.town, this.painter);
    this.backdrop = new Backdrop({ chunks: this.chunks, light: this.light });
    this.labels = new Labels(replay.map);
    this.captions = new Captions(replay);
    this.camera = new Camera(this.town.width, this.town.height, { ...this.motion, margin: this.wantsWhole ? MARGIN : 0 });
    this.people = new People(replay);
    this.crowd = new Crowd(replay, this.town, this.painter.things, this.motion);
    this.speech = new Speech(replay, this.motion);
    this.thinkers = new Thinkers(() => this.spoil(), this.motion);
    this.ambience = new Ambience(this.town, this.painter, () => this.spoil(), this.motion);
  }

  hands() {
    return {
      pan: (dx, dy) => {
        this.pan(dx, dy);
        this.onLook(this.camera.goal);
      },
      zoom: (factor, x, y, atOnce) => {
        this.zoom(factor, x, y, atOnce);
        this.onLook(this.camera.goal);
      },
      click: (x, y) => this.click(x, y),
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
    return this.chosen && this.chosen.kind === "person" ? this.chosen.n : this.chosen;
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

  /** Return the changed things that lie in the part of the town that is shown. */
  inView(replay, at) {
    const { camera } = this;
    return changed(replay, at).filter(({ object: { rect: [x, y] } }) => {
      const [px, py] = camera.toScreen(x, y);
      return px > 0 && py > 0 && px < camera.wide && py < camera.high;
    });
  }

  /** Let water, clouds, steam and lamps move, or hold still. */
  run(runs) {
    this.ambience.run(runs);
  }

  /** Draw the town as own art ("drawn") or with the map's own pixels ("tiles"); return what is drawn then. */
  setArt(art) {
    const next = art === "tiles" && this.map.tiles ? "tiles" : "drawn";
    const repaint = () => {
      this.chunks.clear();
      this.backdrop.spoil();
      this.spoil();
    };
    this.painter.art = next;
    if (next === "tiles") this.painter.load(repaint);
    repaint();
    return next;
  }

  /** Return what is at a point of the canvas, or null. */
  pick(x, y) {
    return pickAt(x, y, this.drawn, this.town, this.camera);
  }

  click(x, y) {
    const found = this.pick(x, y);
    if (found) this.onPick(found);
  }

  hover(x, y) {
    const found = x === null ? null : this.pick(x, y);
    if (found || this.hovered) this.spoil();
    this.hovered = found && { pick: found, x, y };
    this.canvas.style.cursor = found && found.kind !== "sector" ? "pointer" : "grab";
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
    const wide = this.canvas.width;
    const high = this.canvas.height;
    this.c.drawImage(this.backdrop.picture(camera, dpr, at, lit, this.paper), 0, 0);
    const view = viewOf(camera, dpr, wide, high);
    const tall = Math.round(tallness(camera.now.scale) * dpr);
    const things = changed(this.replay, at);
    if (view.steady) this.labels.lay(camera.now.scale);
    const scene = { at, realNow, crowd, lit, wide, high, view, dpr, tall, light: lightAt(at), things, sky: this.replay.skyAt(at) };
    this.ambience.paint(this.c, scene);
    const { figures, captions, bubbles } = paintScene(this.c, this, scene);
    const onPage = (each) => ({ ...each, x: each.x / dpr, y: each.y / dpr, w: each.w / dpr, h: each.h / dpr });
    this.drawn = { boxes: figures.map(onPage), captions: captions.map(onPage), bubbles: bubbles.map(onPage) };
    if (!this.hovered) return;
    const { pick, x, y } = this.hovered;
    if (!same(pick, this.pick(x, y))) this.hover(x, y);
  }

  /** Return the numbers of the rooms where somebody is up. */
  lit(crowd) {
    const found = new Set();
    for (const { x, y, pose } of crowd) {
      const { arena } = this.town.placeAt(Math.floor(x), Math.floor(y));
      if (arena >= 0 && pose !== "asleep") found.add(arena);
    }
    return found;
  }
}
