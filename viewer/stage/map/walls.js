// Walls with thickness and shade, windows, doors and bridges.
import { INK, darker, lighter, noise, rounded, slab, strokes, veil } from "./pencil.js";

const THICK = 0.38;
const MATERIALS = ["#7d6f86", "#a8705c", "#92745a", "#74808f"];
const NEAR = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/** The walls of a town, as lines from tile to tile. */
export class Walls {
  constructor(town) {
    this.town = town;
    this.all = new Path2D();
    this.made = MATERIALS.map(() => new Path2D());
    this.windows = [];
    this.doors = [];
    this.decks = [];
    for (let y = 0; y < town.height; y += 1) for (let x = 0; x < town.width; x += 1) this.look(x, y);
  }

  look(x, y) {
    const { town } = this;
    if (town.isWall(x, y)) this.wall(x, y);
    if (town.barrierAt(x, y) === "window") this.windows.push({ x, y, across: town.isWall(x - 1, y) || town.isWall(x + 1, y) });
    if (town.isDoor(x, y)) this.doors.push({ x, y, across: this.runsAcross(x, y) });
    if (town.kindAt(x, y) === "bridge") this.decks.push({ x, y, across: this.flowsAlong(x, y) });
  }

  wall(x, y) {
    const arms = NEAR.filter(([i, j]) => this.town.isWall(x + i, y + j) || this.town.isDoor(x + i, y + j));
    const { sector } = this.town.placeAt(x, y);
    const made = this.made[Math.floor(noise(sector, 3, 1) * MATERIALS.length)];
    for (const path of [this.all, made]) {
      if (!arms.length) path.rect(x + 0.4, y + 0.4, 0.2, 0.2);
      for (const [i, j] of arms) {
        path.moveTo(x + 0.5, y + 0.5);
        path.lineTo(x + 0.5 + i / 2, y + 0.5 + j / 2);
      }
    }
  }

  runsAcross(x, y) {
    return this.town.isWall(x - 1, y) || this.town.isWall(x + 1, y);
  }

  /** Return whether one walks over a bridge from left to right: water lies above or below it. */
  flowsAlong(x, y) {
    for (let d = 1; d < 12; d += 1) {
      if (this.town.kindAt(x, y - d) === "water" || this.town.kindAt(x, y + d) === "water") return true;
      if (this.town.kindAt(x - d, y) === "water" || this.town.kindAt(x + d, y) === "water") return false;
    }
    return true;
  }

  /** Paint bridges: they lie over the water and under everybody. */
  paintBridges(c) {
    for (const { x, y, across } of this.decks) {
      c.fillStyle = "#cfa673";
      c.fillRect(x, y, 1, 1);
      const lines = [0.125, 0.375, 0.625, 0.875].map((d) => (across ? [x + d, y, x + d, y + 1] : [x, y + d, x + 1, y + d]));
      strokes(c, lines, veil("#8a6238", 0.45), 0.04);
    }
    for (const { x, y, across } of this.decks) {
      const rails = across ? [[0, -1, 0, 0.06], [0, 1, 0, 0.94]] : [[-1, 0, 0.06, 0], [1, 0, 0.94, 0]];
      for (const [i, j, dx, dy] of rails) {
        if (this.town.kindAt(x + i, y + j) === "bridge") continue;
        const line = across ? [x, y + dy, x + 1, y + dy] : [x + dx, y, x + dx, y + 1];
        strokes(c, [line], "#8a6238", 0.16);
        strokes(c, [line], "#b98a55", 0.08);
      }
    }
  }

  paintShade(c) {
    c.save();
    c.lineJoin = "round";
    c.lineCap = "round";
    for (const [dx, dy, width, opacity] of [[0.16, 0.22, 0.62, 0.07], [0.12, 0.17, 0.5, 0.1], [0.06, 0.1, 0.44, 0.1]]) {
      c.translate(dx, dy);
      c.strokeStyle = veil("#2c2440", opacity);
      c.lineWidth = width;
      c.stroke(this.all);
      c.translate(-dx, -dy);
    }
    c.restore();
  }

  paint(c, area, scale) {
    c.lineJoin = "round";
    c.lineCap = "square";
    c.strokeStyle = darker(INK, 0.1);
    c.lineWidth = THICK + 0.08;
    c.stroke(this.all);
    this.made.forEach((path, i) => {
      c.strokeStyle = MATERIALS[i];
      c.lineWidth = THICK - 0.06;
      c.stroke(path);
      c.strokeStyle = lighter(MATERIALS[i], 0.22);
      c.lineWidth = THICK * 0.36;
      c.stroke(path);
    });
    for (const each of this.windows) window(c, each);
    for (const each of this.doors) door(c, each, this.town, scale);
  }
}

function window(c, { x, y, across }) {
  c.save();
  c.translate(x + 0.5, y + 0.5);
  if (!across) c.rotate(Math.PI / 2);
  slab(c, -0.46, -0.17, 0.92, 0.34, 0.03, "#fbf7ee", "#4a4558");
  slab(c, -0.4, -0.09, 0.8, 0.18, 0.02, "#a9ddf2", "#5c8ca5");
  strokes(c, [[-0.22, 0.06, -0.12, -0.06], [0.12, 0.06, 0.22, -0.06]], "rgba(255,255,255,.85)", 0.04);
  strokes(c, [[0, -0.09, 0, 0.09]], "#5c8ca5", 0.04);
  c.restore();
}

function door(c, { x, y, across }, town, scale) {
  c.save();
  c.translate(x + 0.5, y + 0.5);
  if (!across) c.rotate(Math.PI / 2);
  c.fillStyle = "#c79a68";
  c.fillRect(-0.5, -0.2, 1, 0.4);
  strokes(c, [[-0.5, -0.2, 0.5, -0.2], [-0.5, 0.2, 0.5, 0.2]], veil("#7a5430", 0.6), 0.04);
  const side = across ? (town.isIndoors(x, y - 1) ? -1 : 1) : town.isIndoors(x + 1, y) ? -1 : 1;
  const alone = across ? town.isWall(x - 1, y) : town.isWall(x, y - 1);
  if (alone) {
    if (scale >= 18) swing(c, side);
    rounded(c, -0.5, side < 0 ? -0.86 : 0.16, 0.11, 0.7, 0.04);
    c.fillStyle = "#8f5f38";
    c.fill();
    c.strokeStyle = "#5c3a20";
    c.lineWidth = 0.04;
    c.stroke();
  }
  c.restore();
}

function swing(c, side) {
  c.beginPath();
  c.moveTo(-0.45, 0.2 * side);
  c.arc(-0.45, 0.16 * side, 0.7, 0, (side * Math.PI) / 2, side < 0);
  c.closePath();
  c.fillStyle = "rgba(92,58,32,.07)";
  c.fill();
}
