// The shadows of clouds that pass over a town by day.
import { noise } from "./pencil.js";

/** How dark it may be, from 0 (day) to 1 (night), for clouds to throw a shadow. */
export const SHADOW_LIGHTS = 0.5;
const PACE = 0.5;
const SIZE = 96;
const STRENGTH = 0.13;

const drawn = new Map();

function shadow(number) {
  if (drawn.has(number)) return drawn.get(number);
  const canvas = new OffscreenCanvas(SIZE, SIZE);
  const c = canvas.getContext("2d");
  for (let i = 0; i < 7; i += 1) {
    const x = SIZE * (0.28 + noise(number, i, 61) * 0.44);
    const y = SIZE * (0.34 + noise(number, i, 62) * 0.32);
    const r = SIZE * (0.14 + noise(number, i, 63) * 0.14);
    const fade = c.createRadialGradient(x, y, 0, x, y, r);
    fade.addColorStop(0, "rgba(38,53,70,.5)");
    fade.addColorStop(1, "rgba(38,53,70,0)");
    c.fillStyle = fade;
    c.fillRect(0, 0, SIZE, SIZE);
  }
  drawn.set(number, canvas);
  return canvas;
}

/** Paint the shadows of `count` clouds at `t` seconds over the part of a town that a view shows. */
export function cloudShadows(c, { left, top, scale, wide, high, t }, town, dark, count) {
  c.save();
  c.beginPath();
  c.rect(left, top, town.width * scale, town.height * scale);
  c.clip();
  c.globalAlpha = STRENGTH * (1 - dark / SHADOW_LIGHTS);
  for (let i = 0; i < count; i += 1) {
    const w = town.width * (0.24 + noise(i, 1, 64) * 0.14);
    const h = w * 0.62;
    const round = town.width + w;
    const x = ((noise(i, 2, 65) * round + t * PACE * (1 + i * 0.25)) % round) - w;
    const y = noise(i, 3, 66) * (town.height - h * 0.6);
    const [px, py] = [left + x * scale, top + y * scale];
    if (px > wide || py > high || px + w * scale < 0 || py + h * scale < 0) continue;
    c.drawImage(shadow(i), px, py, w * scale, h * scale);
  }
  c.restore();
}
