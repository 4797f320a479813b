// What stands in gardens, parks and squares.
import { disc, lighter, noise, oval, shape, slab, strokes, veil } from "../pencil.js";

function rows(c, w, h, k, draw) {
  slab(c, 0.05, 0.05, w - 0.1, h - 0.1, 0.1, "#a97f57");
  const lines = [];
  for (let y = 0.28; y < h - 0.1; y += 0.36) {
    lines.push([0.16, y + 0.14, w - 0.16, y + 0.14]);
    for (let x = 0.25, i = 0; x < w - 0.12; x += 0.3, i += 1) draw(x, y, noise(i, Math.round(y * 9), k.mark));
  }
  strokes(c, lines, veil("#6d4c30", 0.35), 0.04);
}

function leaf(c, x, y, size, chance) {
  const green = ["#6ea25c", "#85b566", "#5a9463"][Math.floor(chance * 3)];
  oval(c, x - size * 0.5, y, size * 0.7, size * 0.42, green, null, 0.6);
  oval(c, x + size * 0.5, y, size * 0.7, size * 0.42, lighter(green, 0.12), null, -0.6);
  oval(c, x, y - size * 0.4, size * 0.42, size * 0.7, lighter(green, 0.05), null);
}

function plant(c, w, h, k) {
  if (w > 1.2 || h > 1.2) return rows(c, w, h, k, (x, y, chance) => leaf(c, x, y, 0.13, chance));
  disc(c, w / 2, h / 2 + 0.08, 0.27, "#bf7350");
  disc(c, w / 2, h / 2 + 0.08, 0.19, "#6d4c30", null);
  for (let i = 0; i < 6; i += 1) {
    const turn = i * 1.05 + k.seed;
    oval(c, w / 2 + Math.cos(turn) * 0.2, h / 2 + Math.sin(turn) * 0.2, 0.2, 0.09, i & 1 ? "#5a9463" : "#7fb069", null, turn);
  }
  return disc(c, w / 2, h / 2, 0.09, "#97c67d", null);
}

function flowers(c, w, h, k) {
  const petal = k.name.includes("white") ? "#ffffff" : k.name.includes("red") ? "#d9485f" : "";
  const colours = ["#e9798f", "#f1c04f", "#b08fe0", "#ffffff", "#f08a5a"];
  rows(c, w, h, k, (x, y, chance) => {
    leaf(c, x, y + 0.05, 0.12, chance);
    disc(c, x, y, 0.1, petal || colours[Math.floor(chance * 5)], null);
    disc(c, x, y, 0.04, "#fbe7a0", null);
  });
}

function pond(c, w, h) {
  oval(c, w / 2, h / 2, w * 0.44, h * 0.44, "#8cc7e2", veil("#e8f7ff", 0.9));
  oval(c, w * 0.45, h * 0.42, w * 0.22, h * 0.12, veil("#d8f1fb", 0.7), null);
  disc(c, w * 0.6, h * 0.62, 0.13, "#79b57a");
  disc(c, w * 0.36, h * 0.68, 0.1, "#79b57a");
}

function fountain(c, w, h) {
  const r = Math.min(Math.max(w, h) * 0.46, Math.min(w, h) * 1.1);
  oval(c, w / 2, h / 2, Math.min(r, w * 0.48), Math.min(r, Math.max(0.46, h * 0.47)), "#c4bfb6");
  oval(c, w / 2, h / 2, Math.min(r, w * 0.48) * 0.82, Math.min(r, Math.max(0.46, h * 0.47)) * 0.78, "#8cc7e2", "#8b857b");
  disc(c, w / 2, h / 2, 0.2, "#d9d4cb");
  disc(c, w / 2, h / 2, 0.09, "#ffffff", null);
  for (let i = 0; i < 8; i += 1) disc(c, w / 2 + Math.cos(i * 0.785) * 0.3, h / 2 + Math.sin(i * 0.785) * 0.22, 0.045, "#f2fbff", null);
}

function sundial(c, w, h) {
  disc(c, w / 2, h / 2, 0.38, "#b9b4aa");
  disc(c, w / 2, h / 2, 0.29, "#e6e1d6", null);
  for (let i = 0; i < 12; i += 1) disc(c, w / 2 + Math.cos(i * 0.524) * 0.23, h / 2 + Math.sin(i * 0.524) * 0.23, 0.022, "#6f6a60", null);
  shape(c, [w / 2 - 0.03, h / 2 + 0.1, w / 2 + 0.04, h / 2 + 0.1, w / 2 + 0.14, h / 2 - 0.2], "#8a7448");
}

function boat(c, w, h) {
  c.save();
  if (h > w) {
    c.translate(w, 0);
    c.rotate(Math.PI / 2);
    [w, h] = [h, w];
  }
  c.beginPath();
  c.moveTo(0.12, h / 2);
  c.quadraticCurveTo(w * 0.3, 0.02, w * 0.7, h * 0.1);
  c.lineTo(w - 0.14, h * 0.2);
  c.lineTo(w - 0.14, h * 0.8);
  c.lineTo(w * 0.7, h * 0.9);
  c.quadraticCurveTo(w * 0.3, h - 0.02, 0.12, h / 2);
  c.closePath();
  c.fillStyle = "#b5794a";
  c.fill();
  c.strokeStyle = "#6d4526";
  c.lineWidth = 0.08;
  c.stroke();
  oval(c, w * 0.56, h / 2, w * 0.32, h * 0.26, "#e3bd8c", "#8a5a33");
  for (const x of [0.42, 0.58, 0.74]) slab(c, w * x - 0.08, h * 0.24, 0.16, h * 0.52, 0.04, "#a06a3e");
  c.restore();
}

function shed(c, w, h) {
  slab(c, 0.04, 0.06, w - 0.08, h - 0.12, 0.05, "#94694a");
  slab(c, 0.04, 0.06, w - 0.08, (h - 0.12) / 2, 0.05, "#ab7c58", null);
  strokes(c, [[0.06, h / 2, w - 0.06, h / 2]], "#5f412a", 0.06);
  const lines = [];
  for (let x = 0.3; x < w - 0.1; x += 0.28) lines.push([x, 0.1, x, h - 0.1]);
  strokes(c, lines, veil("#5f412a", 0.4), 0.03);
}

function playground(c, w, h, k) {
  slab(c, 0.04, 0.04, w - 0.08, h - 0.08, 0.2, "#e9cf9a", null);
  if (k.name.includes("slide")) {
    slab(c, w * 0.18, h * 0.12, w * 0.3, h * 0.34, 0.05, "#d96c57");
    slab(c, w * 0.42, h * 0.18, w * 0.4, h * 0.22, 0.08, "#f1c04f");
    slab(c, w * 0.66, h * 0.2, w * 0.2, h * 0.64, 0.1, "#f1c04f");
    const ladder = [[0.22, 0.5, 0.22, 0.8], [0.42, 0.5, 0.42, 0.8], [0.22, 0.65, 0.42, 0.65]];
    return strokes(c, ladder.map((line) => line.map((value, i) => value * (i & 1 ? h : w))), "#8b909c", 0.07);
  }
  strokes(c, [[0.2, 0.2, w - 0.2, 0.2]], "#b4533f", 0.1);
  strokes(c, [[0.14, 0.06, 0.26, 0.34], [w - 0.26, 0.06, w - 0.14, 0.34]], "#b4533f", 0.08);
  for (let x = 0.6; x < w - 0.3; x += 0.85) {
    strokes(c, [[x - 0.13, 0.2, x - 0.13, h * 0.66], [x + 0.13, 0.2, x + 0.13, h * 0.66]], "#8b909c", 0.03);
    slab(c, x - 0.19, h * 0.6, 0.38, 0.16, 0.04, "#5f8fc0");
  }
  return undefined;
}

function sandpit(c, w, h) {
  slab(c, 0.05, 0.05, w - 0.1, h - 0.1, 0.1, "#b98a55");
  slab(c, 0.18, 0.18, w - 0.36, h - 0.36, 0.08, "#f3e0ac", "#caa861");
  disc(c, w * 0.62, h * 0.5, 0.22, "#e8cd8c", "#caa861");
  slab(c, w * 0.28, h * 0.42, 0.22, 0.24, 0.05, "#d96c57");
  disc(c, w * 0.36, h * 0.72, 0.08, "#5f8fc0");
}

export const OUTSIDE = { plant, flowers, pond, fountain, sundial, boat, shed, playground, sandpit };
