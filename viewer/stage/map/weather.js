// The town's own weather over its streets and gardens: grey skies, rain, snow, fog. Under a roof it is dry.
import { noise } from "./pencil.js";

/** What a sky does: how grey it is, what falls, how much white lies over all. */
const SKIES = {
  clear: {},
  cloudy: { grey: 0.14 },
  windy: { grey: 0.05 },
  rain: { grey: 0.26, falls: "rain" },
  "a thunderstorm": { grey: 0.4, falls: "rain", many: 2 },
  snow: { grey: 0.1, falls: "snow", white: 0.12 },
  fog: { white: 0.34 },
};
const BEAT = 100;
const SECOND = 1000;
const GREY = "54,66,84";
/** CSS pixels of the screen to one drop, and to one flake. */
const DROP = 1500;
const FLAKE = 2400;
const WHITE = "rgba(250,252,255,.85)";
const WET = "rgba(208,226,244,.7)";

/** Return the sky of a sentence such as "The weather in the morning: rain, 5 degrees."; "" where it tells none. */
export function skyOf(text) {
  const sky = /: ([^,]+), -?\d+ degrees/.exec(text);
  return sky && sky[1] in SKIES ? sky[1] : "";
}

/** Draws a sky over a town; what falls moves while time does, but not for those who want little motion. */
export class Weather {
  constructor(town, spoil, { reducedMotion = false } = {}) {
    this.town = town;
    this.roofs = town.map.arenas.map(({ rect }) => rect)
      .filter(([x, y, w, h]) => town.isIndoors(x + (w >> 1), y + (h >> 1)));
    this.spoil = spoil;
    this.reducedMotion = reducedMotion;
    this.seconds = 0;
    this.before = 0;
    this.timer = 0;
  }

  /** Let what falls move, or hold still. While nothing else has the map drawn, a beat does. */
  run(runs) {
    const moves = runs && !this.reducedMotion;
    if (moves === Boolean(this.timer)) return;
    clearInterval(this.timer);
    this.before = 0;
    this.timer = moves ? setInterval(() => document.hidden || !this.falls || this.spoil(), BEAT) : 0;
  }

  /** Paint the sky over the part of the town that a view shows. */
  paint(c, { realNow, view, light: { dark }, wide, high, dpr, sky }) {
    if (this.timer && this.before) this.seconds += Math.min(1, (realNow - this.before) / SECOND);
    this.before = realNow;
    const { grey = 0, falls, many = 1, white = 0 } = SKIES[sky] || {};
    this.falls = falls;
    if (!grey && !white) return;
    const seen = { ...view, wide, high, t: this.seconds, ratio: dpr };
    c.save();
    c.clip(this.open(seen), "evenodd");
    if (grey) this.veil(c, seen, `rgba(${GREY},${grey * (1 - dark * 0.5)})`);
    if (white) this.veil(c, seen, `rgba(236,240,244,${white * (1 - dark * 0.7)})`);
    if (falls === "rain") this.rain(c, seen, many);
    if (falls === "snow") this.snow(c, seen);
    c.restore();
  }

  open({ left, top, scale }) {
    const area = new Path2D();
    area.rect(left, top, this.town.width * scale, this.town.height * scale);
    for (const [x, y, w, h] of this.roofs) {
      area.rect(left + (x - 0.5) * scale, top + (y - 0.5) * scale, (w + 1) * scale, (h + 1) * scale);
    }
    return area;
  }

  veil(c, { wide, high }, ink) {
    c.fillStyle = ink;
    c.fillRect(0, 0, wide, high);
  }

  rain(c, { wide, high, t, ratio }, many) {
    const count = Math.round((many * wide * high) / (DROP * ratio * ratio));
    const length = 15 * ratio;
    c.beginPath();
    for (let i = 0; i < count; i += 1) {
      const y = ((noise(i, 1, 71) + t * (0.9 + noise(i, 2, 72) * 0.4)) % 1) * (high + length) - length;
      const x = ((noise(i, 3, 73) + y * 0.00008) % 1) * wide;
      c.moveTo(x, y);
      c.lineTo(x - length * 0.16, y + length);
    }
    c.strokeStyle = WET;
    c.lineWidth = 1.3 * ratio;
    c.stroke();
  }

  snow(c, { wide, high, t, ratio }) {
    const count = Math.round((wide * high) / (FLAKE * ratio * ratio));
    c.fillStyle = WHITE;
    c.beginPath();
    for (let i = 0; i < count; i += 1) {
      const y = ((noise(i, 1, 74) + t * (0.06 + noise(i, 2, 75) * 0.05)) % 1) * high;
      const x = noise(i, 3, 76) * wide + Math.sin(t * 0.7 + i) * 8 * ratio;
      const r = (1.3 + noise(i, 4, 77) * 1.4) * ratio;
      c.moveTo(x + r, y);
      c.arc(x, y, r, 0, Math.PI * 2);
    }
    c.fill();
  }
}
