// What the ground is made of, seen from near: blades, boards, slabs, ripples, pebbles.
import { noise, veil } from "./pencil.js";

const INKS = {
  grass: "#7fa65a", wood: "#a9834f", stone: "#a69c8c", tile: "#a9bcc4",
  cobble: "#a4957e", sand: "#c9ae74", water: "#eaf8ff", carpet: "#b98577",
};
const MEADOWS = new Set(["grass", "tall grass", "flowers", "meadow"]);
const PETALS = ["#ffffff", "#f4c6d7", "#f7df7a", "#c5b6ef", "#f3a28f"];

function blades(c, x, y, count) {
  for (let i = 0; i < count; i += 1) {
    const [px, py] = [x + noise(x, y, i * 3), y + noise(x, y, i * 3 + 1)];
    const lean = (noise(x, y, i * 3 + 2) - 0.5) * 0.1;
    c.moveTo(px - 0.07, py);
    c.lineTo(px - 0.1 + lean, py - 0.13);
    c.moveTo(px, py);
    c.lineTo(px + lean, py - 0.18);
    c.moveTo(px + 0.07, py);
    c.lineTo(px + 0.1 + lean, py - 0.12);
  }
}

function boards(c, x, y) {
  for (let i = 0; i < 4; i += 1) {
    const top = y + i * 0.25;
    c.moveTo(x, top);
    c.lineTo(x + 1, top);
    const cut = noise(x >> 1, y, i + 40);
    if (((x + i) & 1) === 0) {
      c.moveTo(x + cut, top);
      c.lineTo(x + cut, top + 0.25);
    }
  }
}

function squares(c, x, y) {
  for (const d of [0, 0.5]) {
    c.moveTo(x, y + d);
    c.lineTo(x + 1, y + d);
    c.moveTo(x + d, y);
    c.lineTo(x + d, y + 1);
  }
}

function slabs(c, x, y) {
  c.moveTo(x, y);
  c.lineTo(x + 1, y);
  c.moveTo(x, y + 0.5);
  c.lineTo(x + 1, y + 0.5);
  c.moveTo(x + 0.15, y);
  c.lineTo(x + 0.15, y + 0.5);
  c.moveTo(x + 0.65, y + 0.5);
  c.lineTo(x + 0.65, y + 1);
}

function stones(c, x, y) {
  for (let row = 0; row < 3; row += 1) {
    for (let i = 0; i < 3; i += 1) {
      const [px, py] = [x + (i + (row & 1 ? 0.5 : 0.05)) / 3 + 0.08, y + (row + 0.5) / 3];
      const r = 0.11 + noise(x * 3 + i, y * 3 + row, 7) * 0.04;
      c.moveTo(px + r, py);
      c.ellipse(px, py, r, 0.11, 0, 0, Math.PI * 2);
    }
  }
}

function pebbles(c, x, y) {
  for (let i = 0; i < 4; i += 1) {
    const [px, py] = [x + noise(x, y, i + 20), y + noise(x, y, i + 30)];
    c.moveTo(px, py);
    c.lineTo(px + 0.05, py + 0.01);
  }
}

function ripples(c, x, y) {
  if (noise(x, y, 5) > 0.55) return;
  const [px, py] = [x + noise(x, y, 1) * 0.6, y + 0.2 + noise(x, y, 2) * 0.6];
  c.moveTo(px, py);
  c.quadraticCurveTo(px + 0.12, py - 0.09, px + 0.25, py);
  c.quadraticCurveTo(px + 0.37, py + 0.09, px + 0.5, py);
}

const WAYS = {
  grass: { from: 15, ink: veil(INKS.grass, 0.55), width: 0.035, draw: (c, x, y) => blades(c, x, y, noise(x, y, 9) > 0.5 ? 1 : 0) },
  "tall grass": { from: 12, ink: veil(INKS.grass, 0.75), width: 0.045, draw: (c, x, y) => blades(c, x, y, 3) },
  flowers: { from: 15, ink: veil(INKS.grass, 0.6), width: 0.035, draw: (c, x, y) => blades(c, x, y, 1) },
  "wood floor": { from: 18, ink: veil(INKS.wood, 0.38), width: 0.03, draw: boards },
  floor: { from: 18, ink: veil(INKS.wood, 0.38), width: 0.03, draw: boards },
  "tile floor": { from: 18, ink: veil(INKS.tile, 0.5), width: 0.03, draw: squares },
  "stone floor": { from: 18, ink: veil(INKS.stone, 0.32), width: 0.03, draw: slabs },
  carpet: { from: 22, ink: veil(INKS.carpet, 0.5), width: 0.05, draw: pebbles },
  cobbles: { from: 15, ink: veil(INKS.cobble, 0.45), width: 0.03, draw: stones },
  road: { from: 15, ink: veil(INKS.stone, 0.5), width: 0.05, draw: pebbles },
  path: { from: 15, ink: veil(INKS.sand, 0.7), width: 0.06, draw: pebbles },
  sand: { from: 15, ink: veil(INKS.sand, 0.55), width: 0.04, draw: pebbles },
  water: { from: 9, ink: veil(INKS.water, 0.75), width: 0.05, draw: ripples },
};

function petals(c, town, area) {
  each(area, town, (x, y) => {
    if (town.kindAt(x, y) !== "flowers" || town.barrierAt(x, y)) return;
    for (let i = 0; i < 3; i += 1) {
      if (noise(x, y, i + 60) < 0.25) continue;
      const [px, py] = [x + noise(x, y, i + 70), y + noise(x, y, i + 80)];
      c.fillStyle = PETALS[Math.floor(noise(x >> 2, y >> 2, i) * PETALS.length)];
      c.beginPath();
      c.arc(px, py, 0.085, 0, Math.PI * 2);
      c.fill();
      c.fillStyle = "#e9b949";
      c.fillRect(px - 0.025, py - 0.025, 0.05, 0.05);
    }
  });
}

function each({ x, y, w, h }, town, draw) {
  const [right, bottom] = [Math.min(town.width, Math.ceil(x + w)), Math.min(town.height, Math.ceil(y + h))];
  for (let row = Math.max(0, Math.floor(y)); row < bottom; row += 1) {
    for (let column = Math.max(0, Math.floor(x)); column < right; column += 1) draw(column, row);
  }
}

/** Draw soft light and shade over meadows, so that no lawn is flat. */
function mottle(c, town, area) {
  c.fillStyle = veil("#dcefb6", 0.28);
  c.beginPath();
  each({ x: area.x - 3, y: area.y - 3, w: area.w + 6, h: area.h + 6 }, town, (x, y) => {
    if (!MEADOWS.has(town.kindAt(x, y)) || noise(x, y, 3) > 0.14) return;
    const r = 0.5 + noise(x, y, 4) * 0.8;
    c.moveTo(x + r, y);
    c.ellipse(x, y, r, r * 0.6, 0, 0, Math.PI * 2);
  });
  c.fill();
}

/** Draw what the ground shows at a scale (pixels a tile): nothing from afar, every board from near. */
export function finish(c, town, area, scale) {
  const open = new Path2D();
  each(area, town, (x, y) => {
    if (MEADOWS.has(town.kindAt(x, y))) open.rect(x, y, 1, 1);
  });
  c.save();
  c.clip(open);
  mottle(c, town, area);
  c.restore();
  for (const [kind, way] of Object.entries(WAYS)) {
    if (scale < way.from) continue;
    c.beginPath();
    each(area, town, (x, y) => {
      if (town.kindAt(x, y) === kind && !town.isWall(x, y)) way.draw(c, x, y);
    });
    c.strokeStyle = way.ink;
    c.lineWidth = way.width;
    c.lineCap = "round";
    c.stroke();
  }
  if (scale >= 10) petals(c, town, area);
}
