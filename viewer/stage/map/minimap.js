// The whole town, small, in a corner of a map that shows only a part of it: where one is, and a hand to go elsewhere.
import { lightAt } from "./light.js";

/** The map's scale beside that of the whole town from which on the small map is shown. */
const FROM = 1.3;
const WIDEST = 168;
const HIGHEST = 124;
const DOT = 2.6;
const CROWD = 80;
const EVERY = 100;

/** A small map over the canvas of a MapView, whose frames it accompanies. */
export class MiniMap {
  constructor(map) {
    this.map = map;
    this.root = document.createElement("canvas");
    this.root.className = "mini-map";
    this.root.setAttribute("role", "img");
    this.root.setAttribute("aria-label", "The whole town, small. A click moves the map there.");
    this.root.hidden = true;
    this.drawnAt = -Infinity;
    this.ground = null;
    this.held = false;
    const hands = {
      pointerdown: (event) => this.press(event),
      pointermove: (event) => this.held && this.lookAt(event),
      pointerup: () => { this.held = false; },
      pointercancel: () => { this.held = false; },
      wheel: (event) => this.turn(event),
    };
    for (const [name, listener] of Object.entries(hands)) this.root.addEventListener(name, listener);
  }

  press(event) {
    if (event.button > 0) return;
    event.preventDefault();
    this.held = true;
    this.root.setPointerCapture(event.pointerId);
    this.lookAt(event);
  }

  /** Bring the place below the pointer into the middle of the map. */
  lookAt(event) {
    const box = this.root.getBoundingClientRect();
    const { width, height } = this.map.town;
    this.map.goTo({
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    });
  }

  turn(event) {
    event.preventDefault();
    this.map.zoom(Math.exp(-Math.sign(event.deltaY) * 0.2));
  }

  /** Draw what the map has just drawn, not more often than can be told apart while the map holds still. */
  draw(at, realNow) {
    const { camera, dpr } = this.map;
    const isShown = camera.goal.scale > camera.whole * FROM;
    if (this.root.hidden === isShown) this.show(isShown);
    if (!isShown || (camera.settled && realNow - this.drawnAt < EVERY)) return;
    this.drawnAt = realNow;
    const scale = this.size(dpr);
    const c = this.c;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(this.ground.canvas, 0, 0);
    this.darken(c, at);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    this.dots(c, at, dpr / scale);
    this.frame(c, camera, dpr / scale);
  }

  show(isShown) {
    this.root.hidden = !isShown;
    if (isShown) return;
    this.map.speech.kept = [];
    this.map.spoil();
  }

  /** Keep what is said and written on the map out of this corner. */
  keepFree(dpr) {
    const { offsetLeft: x, offsetTop: y, offsetWidth: w, offsetHeight: h } = this.root;
    this.map.speech.kept = [{ x: x * dpr, y: y * dpr, w: w * dpr, h: h * dpr }];
    this.map.spoil();
  }

  /** Return how many device pixels a tile is wide; the canvas and the ground on it are made anew where that changed. */
  size(dpr) {
    const { town, chunks } = this.map;
    const room = Math.min(1, this.map.camera.wide / 560);
    const scale = Math.min((WIDEST * room) / town.width, (HIGHEST * room) / town.height) * dpr;
    const [w, h] = [Math.round(town.width * scale), Math.round(town.height * scale)];
    const far = chunks.overview();
    const where = `${this.map.camera.wide},${this.map.camera.high}`;
    if (where !== this.where || !this.map.speech.kept.length) {
      this.where = where;
      requestAnimationFrame(() => this.root.hidden || this.keepFree(dpr));
    }
    if (this.ground?.far === far && this.ground.canvas.width === w && this.root.width === w) return scale;
    this.root.width = w;
    this.root.height = h;
    this.root.style.width = `${w / dpr}px`;
    this.root.style.height = `${h / dpr}px`;
    this.c = this.root.getContext("2d", { alpha: false });
    this.ground = { far, canvas: new OffscreenCanvas(w, h) };
    const pen = this.ground.canvas.getContext("2d", { alpha: false });
    pen.imageSmoothingQuality = "high";
    pen.drawImage(far.canvas, 0, 0, w, h);
    return scale;
  }

  darken(c, at) {
    const light = lightAt(at);
    if (light.plain) return;
    c.globalCompositeOperation = "multiply";
    c.fillStyle = light.colour;
    c.fillRect(0, 0, this.root.width, this.root.height);
    c.globalCompositeOperation = "source-over";
  }

  dots(c, at, pixel) {
    const { replay, selected } = this.map;
    const r = (replay.people.length > CROWD ? DOT * 0.7 : DOT) * pixel;
    replay.people.forEach(({ colour }, n) => {
      const place = replay.position(n, at);
      if (!place) return;
      c.beginPath();
      c.arc(place.x + 0.5, place.y + 0.5, n === selected ? r * 1.7 : r, 0, Math.PI * 2);
      c.fillStyle = colour;
      c.fill();
      c.lineWidth = pixel * (n === selected ? 1.8 : 1);
      c.strokeStyle = "#ffffff";
      c.stroke();
    });
  }

  /** Outline the part of the town that the map shows. */
  frame(c, camera, pixel) {
    const { now, wide, high } = camera;
    const { width, height } = this.map.town;
    const [left, top] = [Math.max(0, now.x - wide / now.scale / 2), Math.max(0, now.y - high / now.scale / 2)];
    const right = Math.min(width, now.x + wide / now.scale / 2);
    const bottom = Math.min(height, now.y + high / now.scale / 2);
    for (const [line, ink] of [[4, "rgba(255,255,255,.9)"], [2, "#7a3b63"]]) {
      c.lineWidth = line * pixel;
      c.strokeStyle = ink;
      c.strokeRect(left + pixel, top + pixel, right - left - 2 * pixel, bottom - top - 2 * pixel);
    }
  }
}
