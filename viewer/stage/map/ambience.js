// What moves in a town by itself: light on the water, the weather, steam over what is hot, lamps by night.
import { noise } from "./pencil.js";
import { glow } from "./light.js";
import { steam } from "./steam.js";
import { Weather } from "./weather.js";

const BEAT = 100;
const SECOND = 1000;
/** Tiles smaller than this many CSS pixels show nothing of steam, moths and glints. */
const FINE = 7;

/** Return the glints of a town's open water: `{x, y, wide, phase}`, in tiles. */
function glintsOf(town) {
  const isWater = (x, y) => town.kindAt(x, y) === "water";
  const found = [];
  for (let y = 1; y < town.height - 1; y += 1) {
    for (let x = 1; x < town.width - 1; x += 1) {
      if (!isWater(x, y) || !isWater(x - 1, y) || !isWater(x + 1, y) || noise(x, y, 31) > 0.4) continue;
      const [phase, wide] = [noise(x, y, 32) * Math.PI * 2, 0.35 + noise(x, y, 33) * 0.5];
      found.push({ x: x + noise(x, y, 34) * 0.5, y: y + 0.2 + noise(x, y, 35) * 0.6, wide, phase });
    }
  }
  return found;
}

/** Motion that goes on while time does; it stands still with it, and for those who want little motion. */
export class Ambience {
  constructor(town, painter, spoil, { reducedMotion = false } = {}) {
    this.town = town;
    this.lamps = painter.lamps;
    this.fountains = painter.things.filter(({ icon }) => icon === "fountain");
    this.glints = glintsOf(town);
    this.weather = new Weather(town);
    this.spoil = spoil;
    this.reducedMotion = reducedMotion;
    this.seconds = 0;
    this.before = 0;
    this.timer = 0;
  }

  /** Let the surroundings move, or hold still. While nothing else has the map drawn, a beat does. */
  run(runs) {
    const moves = runs && !this.reducedMotion;
    if (moves === Boolean(this.timer)) return;
    clearInterval(this.timer);
    this.before = 0;
    this.timer = moves ? setInterval(() => document.hidden || this.spoil(), BEAT) : 0;
  }

  /** Paint over the still town, below the people. */
  paint(c, { realNow, view, light, wide, high, dpr, things, sky }) {
    if (this.timer && this.before) this.seconds += Math.min(1, (realNow - this.before) / SECOND);
    this.before = realNow;
    const town = { ...view, wide, high, t: this.seconds, fine: view.scale / dpr >= FINE };
    c.save();
    this.weather.paint(c, { ...town, ratio: dpr }, sky, light.dark);
    this.water(c, town, light.dark);
    for (const each of this.fountains) ripple(c, town, each);
    if (light.dark > 0.15) this.flicker(c, town, light.dark);
    if (town.fine) for (const thing of things) steam(c, town, thing);
    c.restore();
  }

  /** Glints that come and go on the water, those of about the same strength in one stroke. */
  water(c, { left, top, scale, wide, high, t, fine }, dark) {
    const rows = [[], [], []];
    for (const { x, y, wide: length, phase } of this.glints) {
      const strength = Math.sin(t * 0.8 + phase);
      if (strength < 0.1) continue;
      const [px, py] = [left + (x + Math.sin(t * 0.3 + phase) * 0.2) * scale, top + y * scale];
      if (px < -scale || py < 0 || px > wide || py > high) continue;
      rows[Math.min(2, Math.floor(strength * 3))].push(px, py, px + length * scale, strength);
    }
    c.lineCap = "round";
    c.lineWidth = Math.max(1, scale * (fine ? 0.07 : 0.1));
    rows.forEach((row, i) => {
      c.beginPath();
      for (let k = 0; k < row.length; k += 4) {
        c.moveTo(row[k], row[k + 1]);
        c.lineTo(row[k + 2], row[k + 1]);
      }
      c.strokeStyle = `rgba(255,255,255,${(0.18 + i * 0.2) * (1 - dark * 0.6)})`;
      c.stroke();
    });
  }

  /** Lamps that breathe by night, with a moth around each from near. */
  flicker(c, { left, top, scale, wide, high, t, fine }, dark) {
    c.globalCompositeOperation = "screen";
    for (const { x, y } of this.lamps) {
      const [px, py] = [left + (x + 0.5) * scale, top + (y + 0.5) * scale];
      const r = scale * 1.5;
      if (px < -r || py < -r || px > wide + r || py > high + r) continue;
      const own = noise(x, y, 41) * 9;
      c.globalAlpha = dark * (0.16 + 0.1 * Math.sin(t * 2.3 + own) * Math.sin(t * 5.1 + own * 2));
      c.drawImage(glow(), px - r, py - r, 2 * r, 2 * r);
      if (!fine) continue;
      const [mx, my] = [px + Math.cos(t * 2.1 + own) * scale * 0.5, py + Math.sin(t * 3.3 + own) * scale * 0.36];
      c.globalAlpha = dark * 0.9;
      c.fillStyle = "#fff3cf";
      c.fillRect(mx, my, Math.max(1.5, scale * 0.06), Math.max(1.5, scale * 0.06));
    }
    c.globalAlpha = 1;
    c.globalCompositeOperation = "source-over";
  }
}

/** Rings that widen on the water of a fountain. */
function ripple(c, { left, top, scale, t }, { x, y, w, h }) {
  const [px, py] = [left + (x + w / 2) * scale, top + (y + h / 2) * scale];
  const most = Math.min(w, h) * 0.36 * scale;
  c.lineWidth = Math.max(1, scale * 0.05);
  for (const start of [0, 0.5]) {
    const share = (t * 0.45 + start) % 1;
    c.strokeStyle = `rgba(255,255,255,${0.75 * (1 - share)})`;
    c.beginPath();
    c.ellipse(px, py, most * (0.25 + share), most * (0.2 + share * 0.8), 0, 0, Math.PI * 2);
    c.stroke();
  }
}
