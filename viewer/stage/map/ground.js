// The ground: meadows, water and ways with soft outlines, floors with sharp ones.
import { outlines, pathOf } from "./contours.js";
import { darker, veil } from "./pencil.js";
import { finish } from "./texture.js";

/** The meadow that lies under everything. */
export const MEADOW = "#c3dda0";

// Ground at the rim goes on, so that no road ends where the map does; in half tiles.
const BEYOND = 6;

const SOFT = [
  { kinds: ["tall grass", "meadow"], colour: "#b2d28e", round: 0.5 },
  { kinds: ["flowers"], colour: "#cbe0a3", round: 0.5 },
  { kinds: ["soil"], colour: "#c9a67c", round: 0.3 },
  { kinds: ["sand"], colour: "#f1e2b8", round: 0.5, under: "water" },
  { kinds: ["path"], colour: "#ead9b4", round: 0.35, edge: "#cdb98d" },
  { kinds: ["cobbles"], colour: "#d9cebd", round: 0.3, edge: "#b8aa95" },
  { kinds: ["pavement"], colour: "#e0dacf", round: 0.3, edge: "#bfb6a6" },
  { kinds: ["road", "street", "bridge"], colour: "#d0c7ba", round: 0.8, edge: "#b4aa9b", kerb: "#ece6da", walk: "#e4dccd" },
  { kinds: ["water", "bridge"], colour: "#94cbe4", round: 0.5, water: true },
];

export const FLOORS = {
  "wood floor": "#e8cca0",
  floor: "#e8cca0",
  "tile floor": "#e6eef0",
  "stone floor": "#e2dcd1",
  carpet: "#e3bcb0",
};

function near(town, x, y, kind) {
  for (let j = -1; j <= 1; j += 1) {
    for (let i = -1; i <= 1; i += 1) if (town.kindAt((x >> 1) + i, (y >> 1) + j) === kind) return true;
  }
  return false;
}

/** The ground of a town, outlined once and painted wherever it is looked at. */
export class Ground {
  constructor(town) {
    this.town = town;
    this.layers = SOFT.map((layer) => ({ ...layer, path: this.outline(layer) }));
    this.floors = Object.entries(FLOORS).map(([kind, colour]) => {
      return { colour, path: this.outline({ kinds: [kind], round: 0 }) };
    });
    this.others = this.unknown();
  }

  outline({ kinds, round, under }) {
    const { town } = this;
    const wide = town.width * 2;
    const wanted = town.kinds.map((kind) => kinds.includes(kind));
    const below = town.kinds.map((kind) => kind === under);
    const high = town.height * 2;
    const within = (value, length) => Math.min(Math.max(value - BEYOND, 0), length - 1);
    const inside = (i, j) => {
      const [x, y] = [within(i, wide), within(j, high)];
      const cell = town.cells[y * wide + x];
      return wanted[cell] || (below[cell] && near(town, x, y, kinds[0]));
    };
    const loops = outlines(wide + 2 * BEYOND, high + 2 * BEYOND, inside);
    return pathOf(loops.map((loop) => loop.map(([x, y]) => [x - BEYOND, y - BEYOND])), 0.5, round);
  }

  /** Ground of a kind that has no drawing keeps the colour the map gives it. */
  unknown() {
    const drawn = new Set(["", "grass", "door", ...SOFT.flatMap(({ kinds }) => kinds), ...Object.keys(FLOORS)]);
    return this.town.kinds.flatMap((kind, i) => {
      if (drawn.has(kind)) return [];
      return [{ colour: this.town.colours[i], path: this.outline({ kinds: [kind], round: 0 }) }];
    });
  }

  /** Paint the part of the ground that lies in a rectangle of tiles. */
  paint(c, area, scale) {
    c.fillStyle = MEADOW;
    c.fillRect(-1, -1, this.town.width + 2, this.town.height + 2);
    for (const layer of this.layers) this.lay(c, layer);
    for (const { colour, path } of [...this.others, ...this.floors]) {
      c.fillStyle = colour;
      c.fill(path);
    }
    this.tint(c, area);
    finish(c, this.town, area, scale);
  }

  lay(c, { path, colour, edge, kerb, walk, water }) {
    c.lineJoin = "round";
    if (edge) stroke(c, path, edge, 0.16);
    if (kerb) stroke(c, path, kerb, 0.1);
    c.fillStyle = colour;
    c.fill(path);
    if (walk) {
      c.save();
      c.clip(path);
      stroke(c, path, darker(walk, 0.16), 0.86);
      stroke(c, path, walk, 0.76);
      c.restore();
    }
    if (!water) return;
    c.save();
    c.clip(path);
    stroke(c, path, veil("#5fa6cc", 0.35), 0.75);
    stroke(c, path, veil("#e8f7ff", 0.65), 0.34);
    c.restore();
    stroke(c, path, darker("#b5c18a", 0.2), 0.06);
  }

  /** Breathe a colour over each room, so that rooms can be told apart. */
  tint(c, { x, y, w, h }) {
    for (const { rect, tint } of this.town.map.arenas) {
      const [left, top, wide, high] = rect;
      if (left > x + w || top > y + h || left + wide < x || top + high < y) continue;
      if (!this.town.isIndoors(left + (wide >> 1), top + (high >> 1)) || !tint) continue;
      c.fillStyle = veil(tint, 0.14);
      c.fillRect(left - 0.5, top - 0.5, wide + 1, high + 1);
    }
  }
}

function stroke(c, path, colour, width) {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.stroke(path);
}
