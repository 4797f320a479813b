// Day and night: the colour of the light by town time, lit rooms, and lamps.

const DAY = 86400;
// Hour, and what is left of red, green and blue.
const HOURS = [
  [0, 118, 126, 172], [4.8, 120, 128, 174], [5.8, 186, 172, 198], [6.8, 252, 228, 208], [8.2, 255, 252, 246],
  [9, 255, 255, 255], [17, 255, 255, 255], [18.6, 255, 240, 216], [19.8, 252, 222, 194], [20.7, 210, 182, 194],
  [21.7, 138, 142, 186], [22.6, 118, 126, 172], [24, 118, 126, 172],
];
const STEP = 300;
const WARM = "#fff0cf";

/** Return the light at a time: its colour, and how dark it is from 0 (day) to 1 (night). */
export function lightAt(at) {
  const second = ((Math.floor(at / STEP) * STEP) % DAY + DAY) % DAY;
  const hour = second / 3600;
  const i = HOURS.findIndex(([end]) => end > hour);
  const [from, to] = [HOURS[i - 1], HOURS[i]];
  const share = (hour - from[0]) / (to[0] - from[0]);
  const [r, g, b] = [1, 2, 3].map((k) => Math.round(from[k] + (to[k] - from[k]) * share));
  const dark = Math.min(1, Math.max(0, (235 - (r + g + b) / 3) / 105));
  return { colour: `rgb(${r},${g},${b})`, dark, plain: r + g + b === 765 };
}

let soft = null;

/** Return a soft round glow, white in the middle and nothing at the rim. */
export function glow() {
  if (soft) return soft;
  soft = new OffscreenCanvas(64, 64);
  const c = soft.getContext("2d");
  const fade = c.createRadialGradient(32, 32, 0, 32, 32, 32);
  for (const [at, opacity] of [[0, 1], [0.25, 0.72], [0.55, 0.26], [1, 0]]) fade.addColorStop(at, `rgba(255,226,160,${opacity})`);
  c.fillStyle = fade;
  c.fillRect(0, 0, 64, 64);
  return soft;
}

/** The light over a town; `lit` holds the numbers of arenas where somebody is up. */
export class Light {
  constructor(town, painter) {
    this.town = town;
    this.lamps = painter.lamps;
    this.windows = painter.walls.windows;
    this.indoors = town.map.arenas.map(({ rect: [x, y, w, h] }) => town.isIndoors(x + (w >> 1), y + (h >> 1)));
    this.mask = new OffscreenCanvas(1, 1);
  }

  roomOf({ x, y, across }) {
    const sides = across ? [[0, 1], [0, -1]] : [[1, 0], [-1, 0]];
    for (const [i, j] of sides) {
      const { arena } = this.town.placeAt(x + i, y + j);
      if (arena >= 0 && this.indoors[arena]) return arena;
    }
    return -1;
  }

  /** Darken a picture of the town, but for rooms and lamps that shine. */
  shade(c, { left, top, scale }, wide, high, light, lit) {
    if (light.plain) return;
    const part = Math.min(1, 4.5 / scale, 0.34);
    this.mask.width = Math.ceil(wide * part) + 1;
    this.mask.height = Math.ceil(high * part) + 1;
    const m = this.mask.getContext("2d");
    m.fillStyle = light.colour;
    m.fillRect(0, 0, this.mask.width, this.mask.height);
    m.setTransform(scale * part, 0, 0, scale * part, left * part, top * part);
    if (light.dark > 0.15) this.shine(m, light.dark, lit);
    c.globalCompositeOperation = "multiply";
    c.imageSmoothingEnabled = true;
    c.drawImage(this.mask, 0, 0, this.mask.width, this.mask.height, 0, 0, this.mask.width / part, this.mask.height / part);
    c.globalCompositeOperation = "source-over";
    if (light.dark > 0.15) this.bloom(c, { left, top, scale }, wide, high, light.dark, lit);
  }

  shine(m, dark, lit) {
    m.globalAlpha = dark;
    m.fillStyle = WARM;
    for (const arena of lit) {
      const [x, y, w, h] = this.town.map.arenas[arena].rect;
      if (this.indoors[arena]) m.fillRect(x - 0.45, y - 0.45, w + 0.9, h + 0.9);
    }
    m.globalAlpha = dark * 0.85;
    for (const { x, y } of this.lamps) m.drawImage(glow(), x - 2.7, y - 2.7, 6.4, 6.4);
    m.globalAlpha = dark * 0.7;
    for (const each of this.windows) {
      if (lit.has(this.roomOf(each))) m.drawImage(glow(), each.x - 1.3, each.y - 1.3, 3.6, 3.6);
    }
  }

  bloom(c, { left, top, scale }, wide, high, dark, lit) {
    c.globalCompositeOperation = "screen";
    const spot = (x, y, r, opacity) => {
      const [px, py] = [left + x * scale, top + y * scale];
      if (px < -r * scale || py < -r * scale || px > wide + r * scale || py > high + r * scale) return;
      c.globalAlpha = opacity * dark;
      c.drawImage(glow(), px - r * scale, py - r * scale, 2 * r * scale, 2 * r * scale);
    };
    for (const { x, y } of this.lamps) spot(x + 0.5, y + 0.5, 0.9, 0.8);
    for (const each of this.windows) if (lit.has(this.roomOf(each))) spot(each.x + 0.5, each.y + 0.5, 0.75, 0.75);
    c.globalAlpha = 1;
    c.globalCompositeOperation = "source-over";
  }
}
