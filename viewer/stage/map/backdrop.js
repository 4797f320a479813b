// Everything that stands still on the screen, put together once for as long as nothing about it changes.
import { lightAt } from "./light.js";

const BUDGET = 7;

/** A picture as large as the screen: surroundings, town and light. */
export class Backdrop {
  constructor({ chunks, light }) {
    this.chunks = chunks;
    this.light = light;
    this.canvas = new OffscreenCanvas(1, 1);
    this.key = "";
    this.whole = false;
    this.composed = 0;
  }

  picture(camera, dpr, at, lit, paper) {
    const wide = Math.round(camera.wide * dpr);
    const high = Math.round(camera.high * dpr);
    const view = viewOf(camera, dpr, wide, high);
    const light = lightAt(at);
    const rooms = light.dark > 0.15 ? [...lit].sort((a, b) => a - b).join(",") : "";
    const key = [wide, high, view.left, view.top, view.scale, view.steady, light.colour, rooms, paper].join("|");
    if (key === this.key && this.whole) return this.canvas;
    this.key = key;
    this.compose(view, wide, high, dpr, light, lit, paper);
    return this.canvas;
  }

  compose(view, wide, high, dpr, light, lit, paper) {
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas = new OffscreenCanvas(Math.max(1, wide), Math.max(1, high));
    }
    const c = this.canvas.getContext("2d", { alpha: false });
    c.globalCompositeOperation = "source-over";
    const { left, top, scale } = view;
    const [width, height] = [this.chunks.width * scale, this.chunks.height * scale];
    if (left > 0 || top > 0 || left + width < wide || top + height < high) {
      c.fillStyle = paper;
      c.fillRect(0, 0, wide, high);
      frame(c, left, top, width, height, dpr);
    }
    this.whole = this.chunks.draw(c, view, wide, high, BUDGET);
    if (!light.plain) {
      c.save();
      c.beginPath();
      c.rect(left, top, Math.ceil(width), Math.ceil(height));
      c.clip();
      this.light.shade(c, view, wide, high, light, lit);
      c.restore();
    }
    this.composed += 1;
  }
}

/** Return where the town's corner is on the screen, in whole device pixels, and how wide a tile is. */
export function viewOf(camera, dpr, wide, high) {
  const scale = camera.now.scale * dpr;
  return {
    left: Math.round(wide / 2 - camera.now.x * scale),
    top: Math.round(high / 2 - camera.now.y * scale),
    scale,
    steady: camera.steady,
  };
}

function frame(c, left, top, width, height, dpr) {
  for (const [grow, opacity] of [[14, 0.03], [9, 0.04], [5, 0.05], [2, 0.1]]) {
    c.fillStyle = `rgba(38,30,52,${opacity})`;
    c.beginPath();
    c.roundRect(left - grow * dpr, top - (grow - 3) * dpr, width + 2 * grow * dpr, height + 2 * grow * dpr, grow * dpr);
    c.fill();
  }
}
