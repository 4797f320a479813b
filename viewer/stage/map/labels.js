// Names of places: sectors always, rooms and things from nearer, and the spots where each can be written.
import { Boxes } from "./layout.js";
import { SANS, tame, widthOf, written } from "./lettering.js";

const RANKS = [
  { rank: "sector", from: 0, size: 13, weight: 700, order: 0 },
  { rank: "arena", from: 21, size: 11.5, weight: 600, order: 1 },
  { rank: "object", from: 40, size: 10.5, weight: 500, order: 2 },
];
const SPOTS = 7;
const INKS = {
  day: { ink: "#33303f", halo: "rgba(255,253,247,.92)" },
  night: { ink: "#f6f1e4", halo: "rgba(34,28,54,.86)" },
};

function rowsOf(text, font, most) {
  if (widthOf(text, font) <= most) return [text];
  const words = text.split(" ");
  if (words.length < 2) return [text];
  let cut = 1;
  const uneven = (i) => Math.abs(words.slice(0, i).join(" ").length - words.slice(i).join(" ").length);
  for (let i = 2; i < words.length; i += 1) if (uneven(i) < uneven(cut)) cut = i;
  return [words.slice(0, cut).join(" "), words.slice(cut).join(" ")];
}

/** The names of a town's places, laid out once for a scale. */
export class Labels {
  constructor(map) {
    this.map = map;
    this.scale = 0;
    this.laid = [];
  }

  /** Find a place for every name that has one, at a scale in CSS pixels. */
  lay(scale) {
    if (scale === this.scale) return;
    this.scale = scale;
    this.laid = [];
    this.taken = new Boxes([]);
    const within = new Set(this.map.sectors.map(({ name }) => name));
    for (const rank of RANKS) {
      if (scale < rank.from) continue;
      const places = this.map[`${rank.rank}s`];
      for (const place of places) {
        if (rank.rank === "arena" && within.has(place.name)) continue;
        this.place(tame(place.name, 42), place, rank, scale);
      }
    }
  }

  place(text, { rect, address }, { rank, size, weight, order }, scale) {
    const [x, y, w, h] = rect.map((value) => value * scale);
    const small = rank === "sector" ? Math.min(size, Math.max(10.5, scale * 0.95)) : size;
    const font = `${weight} ${small}px ${SANS}`;
    const most = rank === "sector" ? Math.max(w, 90) : w - 4;
    const rows = rowsOf(text, font, most);
    const wide = Math.max(...rows.map((row) => widthOf(row, font))) + 6;
    const high = rows.length * small * 1.15 + 3;
    if (rank !== "sector" && (wide > w * (rank === "object" ? 1.5 : 1.02) + 8 || high > h + 6)) return;
    const apart = ([ax, ay], [bx, by]) => Math.abs(ax - bx) > 6 || Math.abs(ay - by) > 6;
    const all = this.spots(rank, rect, [wide, high], scale);
    const boxAt = ([middle, centre]) => ({ x: middle - wide / 2, y: centre - high / 2, w: wide, h: high });
    const best = all.find((spot) => !this.taken.touch(boxAt(spot), 0));
    if (!best) return;
    this.taken.add(boxAt(best));
    const others = all.filter((spot) => apart(spot, best)).slice(0, SPOTS - 1);
    const spots = [best, ...others].map(([middle, centre]) => [middle / scale, centre / scale]);
    this.laid.push({ key: `${rank} ${address}`, text: rows.join("\n"), spots, wide, high, size: small, weight, rank, order });
  }

  /** Return the middles that a name may have, best first. */
  spots(rank, rect, [wide, high], scale) {
    const [x, y, w, h] = rect.map((value) => value * scale);
    const middle = x + w / 2;
    if (rank === "sector") {
      const slack = Math.max(0, (w - wide) / 2);
      const edges = [0, -slack, slack].flatMap((aside) => [y, y + h].map((centre) => [middle + aside, centre]));
      // Over the rooms themselves only where neither edge has room.
      return [...edges, [middle, y + h / 2]];
    }
    if (rank === "object") return [y + h - high * 0.2, y + h / 2, y + high * 0.2].map((centre) => [middle, centre]);
    const found = [];
    const slack = Math.max(0, (w - wide) / 2);
    for (let down = y + high / 2; down <= y + h - high / 2 + 1; down += Math.max(scale / 3, 6)) {
      for (const aside of [0, -slack / 2, slack / 2, -slack, slack]) found.push([middle + aside, down]);
    }
    const covered = ([cx, cy]) => this.covered(cx - wide / 2, cy - high / 2, wide, high, scale) + Math.abs(cx - middle) * 0.4;
    return found.map((spot) => [covered(spot), spot]).sort((a, b) => a[0] - b[0]).map(([, spot]) => spot);
  }

  /** Return how much of the things around a box lies below it, in square pixels. */
  covered(left, top, wide, high, scale) {
    let sum = 0;
    for (const { rect: [x, y, w, h] } of this.map.objects) {
      const across = Math.min(left + wide, (x + w) * scale) - Math.max(left, x * scale);
      const down = Math.min(top + high, (y + h) * scale) - Math.max(top, y * scale);
      if (across > 0 && down > 0) sum += across * down;
    }
    return sum;
  }

  /**
   * Return the names on a screen as candidates for a layout: with their `image`, their `spots` in device pixels, and their `order`.
   * The name of a house that is partly seen stays with the part on the screen.
   */
  seen({ left, top, scale }, wide, high, dpr, dark) {
    const colours = dark > 0.45 ? INKS.night : INKS.day;
    const found = [];
    for (const { key, text, spots, wide: w, high: h, size, weight, rank, order } of this.laid) {
      const boxes = spots.map(([x, y]) => {
        const box = { x: left + x * scale - (w * dpr) / 2, y: top + y * scale - (h * dpr) / 2, w: w * dpr, h: h * dpr };
        return rank === "sector" ? drawnIn(box, wide) : box;
      });
      for (const box of boxes) {
        const { x, y, w: across, h: down } = box;
        box.isOut = x + across < 0 || x > wide || y < -down / 4 || y + down * 0.75 > high;
      }
      if (boxes.every(({ isOut }) => isOut)) continue;
      const image = written(text, { weight, size: Math.round(size * dpr * 2) / 2, ...colours });
      found.push({ key, image, spots: boxes, order, alpha: rank === "object" ? 0.85 : 1 });
    }
    return found;
  }
}

/** Return a box that is moved wholly onto the screen where at least half of it is there. */
function drawnIn(box, wide) {
  const x = Math.min(Math.max(box.x, 2), wide - box.w - 2);
  return Math.abs(x - box.x) > box.w / 2 ? box : { ...box, x };
}
