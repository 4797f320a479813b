// Music, pictures, screens and machines.
import { disc, lighter, oval, shape, slab, strokes, veil } from "../pencil.js";

function piano(c, w, h) {
  slab(c, 0.05, 0.05, w - 0.1, h * 0.6, 0.1, "#463f52");
  slab(c, 0.12, h * 0.44, w - 0.24, h * 0.24, 0.03, "#fbf9f2", "#2e2937");
  const keys = Math.round((w - 0.24) / 0.11);
  const wide = (w - 0.24) / keys;
  c.fillStyle = "#2e2937";
  for (let i = 1; i < keys; i += 1) if (i % 7 !== 3 && i % 7 !== 0) c.fillRect(0.12 + i * wide - 0.025, h * 0.44, 0.05, h * 0.14);
  slab(c, w / 2 - 0.3, h * 0.74, 0.6, h * 0.2, 0.08, "#8f4f5c");
}

function instrument(c, w, h) {
  c.save();
  c.translate(w / 2, h / 2);
  c.rotate(0.5);
  strokes(c, [[0, 0, 0, -0.42]], "#6d4526", 0.09);
  oval(c, 0, 0.2, 0.2, 0.2, "#cf8f4e");
  oval(c, 0, -0.02, 0.15, 0.15, "#cf8f4e");
  oval(c, 0, 0.12, 0.12, 0.16, "#cf8f4e", null);
  disc(c, 0, 0.07, 0.07, "#5b361c", null);
  strokes(c, [[-0.03, 0.28, -0.03, -0.4], [0.03, 0.28, 0.03, -0.4]], "#f5e6c8", 0.015);
  slab(c, -0.07, -0.46, 0.14, 0.1, 0.03, "#5b361c");
  c.restore();
}

function stage(c, w, h) {
  slab(c, 0.04, 0.04, w - 0.08, h - 0.08, 0.12, "#b07f52");
  slab(c, 0.14, 0.12, w - 0.28, h - 0.34, 0.08, "#d1a06c", null);
  const lines = [];
  for (let y = 0.32; y < h - 0.3; y += 0.22) lines.push([0.16, y, w - 0.16, y]);
  strokes(c, lines, veil("#8b5e36", 0.5), 0.03);
  for (let x = 0.3; x < w - 0.2; x += 0.5) disc(c, x, h - 0.14, 0.06, "#ffe7a3", "#b98a3c");
}

function easel(c, w, h) {
  strokes(c, [[w / 2, 0.16, w / 2 - 0.36, h - 0.06], [w / 2, 0.16, w / 2 + 0.36, h - 0.06]], "#8a6238", 0.08);
  slab(c, w / 2 - 0.34, 0.12, 0.68, h * 0.6, 0.03, "#fffdf7", "#8a6238");
  const hills = [-0.3, 0.62, -0.06, 0.34, 0.1, 0.5, 0.2, 0.42, 0.3, 0.62];
  shape(c, hills.map((value, i) => (i & 1 ? h * value : w / 2 + value)), "#7fb069", null);
  disc(c, w / 2 + 0.14, h * 0.28, 0.08, "#f1b04c", null);
}

function board(c, w, h) {
  const long = w >= h;
  const [x, y, wide, high] = long ? [0.06, 0.1, w - 0.12, Math.min(0.66, h - 0.2)] : [w / 2 - 0.3, 0.08, 0.6, h - 0.16];
  slab(c, x, y, wide, high, 0.05, "#8a6238");
  slab(c, x + 0.07, y + 0.07, wide - 0.14, high - 0.14, 0.03, long && w > 3 ? "#3f6152" : "#d9b98a", null);
  if (long && w > 3) {
    const chalk = [[0.3, 0.24, 1.2, 0.24], [0.3, 0.42, 0.9, 0.42], [1.7, 0.5, 2, 0.2, 2.3, 0.5]];
    strokes(c, chalk.map((line) => line.map((value, i) => value + (i & 1 ? y : x))), veil("#ffffff", 0.85), 0.04);
    return;
  }
  [["#fffdf7", 0.1, 0.12], ["#f5d76e", 0.42, 0.18], ["#a9ddf2", 0.72, 0.1]].forEach(([colour, sx, sy]) => {
    slab(c, x + wide * sx + 0.04, y + high * (long ? sy + 0.08 : sx), 0.2, 0.22, 0.02, colour, "#9b8a6a");
  });
}

function television(c, w, h) {
  slab(c, 0.08, h - 0.5, w - 0.16, 0.34, 0.05, "#8a6b4c");
  slab(c, 0.08, 0.14, w - 0.16, h - 0.56, 0.06, "#2f2c3a");
  slab(c, 0.15, 0.2, w - 0.3, h - 0.7, 0.03, "#6fb1d6", null);
  strokes(c, [[0.24, 0.36, 0.4, 0.24]], veil("#ffffff", 0.7), 0.05);
}

function computer(c, w, h) {
  slab(c, 0.06, 0.1, w - 0.12, h - 0.2, 0.07, "#dcb27c");
  const count = Math.max(1, Math.round(w));
  for (let x = w / count / 2; x < w; x += w / count) {
    slab(c, x - 0.3, 0.16, 0.6, 0.3, 0.04, "#454252");
    slab(c, x - 0.24, 0.2, 0.48, 0.2, 0.02, "#8fd0ea", null);
    slab(c, x - 0.26, 0.54, 0.4, 0.17, 0.03, "#e9eaee", "#8b909c");
    disc(c, x + 0.26, 0.62, 0.06, "#e9eaee", "#8b909c");
  }
}

function machine(c, w, h) {
  slab(c, 0.08, 0.08, w - 0.16, h - 0.16, 0.1, "#a9b0bd");
  slab(c, 0.18, 0.18, w - 0.36, h * 0.34, 0.05, lighter("#a9b0bd", 0.35), "#7b8392");
  disc(c, w * 0.36, h * 0.68, 0.15, "#6f7786");
  disc(c, w * 0.36, h * 0.68, 0.06, "#dfe3ea", null);
  disc(c, w * 0.68, h * 0.66, 0.06, "#d96c57");
  disc(c, w * 0.68, h * 0.8, 0.06, "#7fb069");
}

export const MAKING = { piano, instrument, stage, easel, board, television, computer, machine };
