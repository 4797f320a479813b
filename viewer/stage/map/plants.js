// Trees with round crowns and shade, hedges, fences and rocks.
import { darker, disc, lighter, mix, noise, shape, strokes, veil } from "./pencil.js";

const TREES = {
  tree: { green: "#79b266", other: "#93bd5f", r: 0.72, lobes: 7 },
  blossom: { green: "#eeaac3", other: "#f5c3d3", r: 0.68, lobes: 7 },
  pine: { green: "#4f8f68", other: "#5f9a63", r: 0.66, lobes: 0 },
};

function tilesOf(town, kind, { x, y, w, h }, room) {
  const tiles = town.map.barriers[kind] || [];
  return tiles.filter(([i, j]) => i >= x - room && j >= y - room && i <= x + w + room && j <= y + h + room);
}

function shade(c, tiles, r) {
  c.fillStyle = veil("#26352c", 0.2);
  c.beginPath();
  for (const [x, y] of tiles) {
    c.moveTo(x + 0.75 + r, y + 0.82);
    c.ellipse(x + 0.72, y + 0.8, r, r * 0.9, 0, 0, Math.PI * 2);
  }
  c.fill();
}

function crown(c, x, y, { green, other, r, lobes }, petals) {
  const size = r * (0.85 + noise(x, y, 1) * 0.3);
  const leaf = mix(green, other, noise(x, y, 2));
  const [mx, my] = [x + 0.5, y + 0.45];
  const start = noise(x, y, 3) * 6;
  const bump = (reach, wide, colour) => {
    c.fillStyle = colour;
    c.beginPath();
    for (let i = 0; i < lobes; i += 1) {
      const turn = start + (i / lobes) * Math.PI * 2;
      const [px, py] = [mx + Math.cos(turn) * reach, my + Math.sin(turn) * reach];
      c.moveTo(px + wide, py);
      c.arc(px, py, wide, 0, Math.PI * 2);
    }
    c.fill();
  };
  bump(size * 0.62, size * 0.46, darker(leaf, 0.36));
  bump(size * 0.6, size * 0.41, darker(leaf, 0.1));
  disc(c, mx, my, size * 0.66, darker(leaf, 0.08), null);
  disc(c, mx - size * 0.1, my - size * 0.14, size * 0.6, leaf, null);
  disc(c, mx - size * 0.22, my - size * 0.28, size * 0.36, lighter(leaf, 0.16), null);
  disc(c, mx - size * 0.28, my - size * 0.36, size * 0.17, lighter(leaf, 0.32), null);
  if (petals) for (let i = 0; i < 6; i += 1) {
    const turn = start + i * 1.1;
    const far = size * (0.25 + 0.5 * noise(x, y, i + 8));
    disc(c, mx + Math.cos(turn) * far, my + Math.sin(turn) * far, 0.06, "#fff3f7", null);
  }
}

function pine(c, x, y, { green, other, r }) {
  const leaf = mix(green, other, noise(x, y, 2));
  const turn = noise(x, y, 3) * 3;
  const rings = [
    [1, darker(leaf, 0.34)], [0.92, darker(leaf, 0.12)], [0.68, leaf], [0.42, lighter(leaf, 0.14)], [0.2, lighter(leaf, 0.32)],
  ];
  rings.forEach(([part, colour], i) => {
    const points = [];
    for (let k = 0; k < 18; k += 1) {
      const far = r * part * (k & 1 ? 0.74 : 1);
      const at = turn + i * 0.3 + (k / 18) * Math.PI * 2;
      points.push(x + 0.5 + Math.cos(at) * far - i * 0.025, y + 0.46 + Math.sin(at) * far - i * 0.035);
    }
    shape(c, points, colour, null);
  });
}

function joined(tiles) {
  const known = new Set(tiles.map(([x, y]) => `${x},${y}`));
  return tiles.flatMap(([x, y]) => {
    const arms = [[1, 0], [0, 1]].filter(([i, j]) => known.has(`${x + i},${y + j}`));
    const dot = [x + 0.5, y + 0.5, x + 0.501, y + 0.5];
    return [dot, ...arms.map(([i, j]) => [x + 0.5, y + 0.5, x + 0.5 + i, y + 0.5 + j])];
  });
}

function hedges(c, town, area, scale) {
  const tiles = tilesOf(town, "hedge", area, 2);
  const lines = joined(tiles);
  c.save();
  c.translate(0.12, 0.18);
  strokes(c, lines, veil("#26352c", 0.2), 0.86);
  c.restore();
  strokes(c, lines, "#4f7f47", 0.86);
  strokes(c, lines, "#6ea25c", 0.74);
  c.save();
  c.translate(-0.05, -0.07);
  strokes(c, lines, "#82b56b", 0.46);
  c.restore();
  if (scale < 14) return;
  for (const [x, y] of tiles) {
    for (let i = 0; i < 5; i += 1) {
      const [px, py] = [x + 0.1 + noise(x, y, i) * 0.8, y + 0.1 + noise(x, y, i + 5) * 0.8];
      disc(c, px, py, 0.09, i & 1 ? "#97c67d" : "#5f9150", null);
    }
  }
}

function fences(c, town, area) {
  const tiles = tilesOf(town, "fence", area, 2);
  strokes(c, joined(tiles), "#7d5a34", 0.18);
  strokes(c, joined(tiles), "#b98d5a", 0.1);
  for (const [x, y] of tiles) disc(c, x + 0.5, y + 0.5, 0.13, "#a67a48");
}

function rocks(c, town, area) {
  for (const [x, y] of tilesOf(town, "rock", area, 1)) {
    const rim = [0.12, 0.7, 0.2, 0.3, 0.5, 0.14, 0.84, 0.34, 0.9, 0.72, 0.5, 0.9];
    shape(c, rim.map((value, i) => value + (i & 1 ? y : x)), "#a9abb0");
    shape(c, [x + 0.26, y + 0.36, x + 0.5, y + 0.22, x + 0.7, y + 0.36, x + 0.48, y + 0.52], "#c9cbcf", null);
  }
}

/** Paint what stands low on the ground: hedges, fences and rocks. */
export function paintLow(c, town, area, scale) {
  hedges(c, town, area, scale);
  fences(c, town, area);
  rocks(c, town, area);
}

export function paintTrees(c, town, area) {
  const all = [];
  for (const [kind, way] of Object.entries(TREES)) {
    const tiles = tilesOf(town, kind, area, 2);
    shade(c, tiles, way.r);
    for (const tile of tiles) all.push([tile, kind, way]);
  }
  all.sort(([[, a]], [[, b]]) => a - b);
  for (const [[x, y], kind, way] of all) {
    if (kind === "pine") pine(c, x, y, way);
    else crown(c, x, y, way, kind === "blossom");
  }
}
