// Kitchens and bathrooms: stove, oven, fridge, sink, toilet, shower, bath, washer, fireplace.
import { darker, disc, lighter, oval, slab, strokes, veil } from "../pencil.js";

const WHITE = "#f7f9fa";

function stove(c, w, h) {
  slab(c, 0.08, 0.06, w - 0.16, h - 0.14, 0.08, "#d5d8de");
  const [mx, my] = [w / 2, h / 2 - 0.02];
  for (const [i, j] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
    disc(c, mx + i * 0.18, my + j * 0.17, 0.145, "#4b4a56", "#2f2e38");
    disc(c, mx + i * 0.18, my + j * 0.17, 0.07, "#777583", null);
  }
  strokes(c, [[0.2, h - 0.16, w - 0.2, h - 0.16]], "#8b8f9b", 0.05);
}

function oven(c, w, h) {
  slab(c, 0.06, 0.04, w - 0.12, h - 0.12, 0.1, "#b46f58");
  const rows = [[0.1, h * 0.33, w - 0.1, h * 0.33], [0.1, h * 0.62, w - 0.1, h * 0.62]];
  strokes(c, [...rows, [w * 0.35, 0.08, w * 0.35, h * 0.33], [w * 0.7, h * 0.33, w * 0.7, h * 0.62]], "#8b4f3d", 0.04);
  slab(c, w * 0.22, h - 0.42, w * 0.56, 0.3, 0.12, "#3a2c30");
  oval(c, w / 2, h - 0.26, w * 0.18, 0.09, "#ff9d47", null);
  oval(c, w / 2, h - 0.24, w * 0.1, 0.05, "#ffe08a", null);
}

function fridge(c, w, h) {
  slab(c, 0.1, 0.05, w - 0.2, h - 0.14, 0.1, "#eef3f6");
  strokes(c, [[0.14, h * 0.42, w - 0.14, h * 0.42]], "#b3bfca", 0.04);
  strokes(c, [[w - 0.22, h * 0.5, w - 0.22, h * 0.72]], "#8d99a8", 0.06);
  disc(c, 0.28, h * 0.22, 0.06, "#e9798f", null);
  disc(c, 0.42, h * 0.26, 0.05, "#f1c04f", null);
}

function sink(c, w, h) {
  slab(c, 0.08, 0.06, w - 0.16, h - 0.16, 0.08, "#e3d3b8");
  const count = Math.max(1, Math.round(w));
  for (let i = 0; i < count; i += 1) {
    const x = (w / count) * (i + 0.5);
    slab(c, x - 0.27, h / 2 - 0.2, 0.54, 0.44, 0.14, WHITE, "#93a5b1");
    slab(c, x - 0.2, h / 2 - 0.12, 0.4, 0.3, 0.1, "#bfe2ef", null);
    disc(c, x, h / 2 + 0.05, 0.04, "#6d7f8c", null);
    strokes(c, [[x, h / 2 - 0.3, x, h / 2 - 0.08]], "#8b95a3", 0.07);
  }
}

function toilet(c, w, h) {
  const count = Math.max(1, Math.round(Math.max(w, h)));
  for (let i = 0; i < count; i += 1) {
    const x = w > h ? i + 0.5 : w / 2;
    const y = w > h ? 0 : i * (h / count);
    slab(c, x - 0.27, y + 0.06, 0.54, 0.24, 0.07, WHITE, "#9aa6b2");
    oval(c, x, y + 0.56, 0.23, 0.3, WHITE, "#9aa6b2");
    oval(c, x, y + 0.57, 0.14, 0.2, "#cfe9f3", "#b3c1cc");
  }
}

function shower(c, w, h) {
  slab(c, 0.07, 0.07, w - 0.14, h - 0.14, 0.08, "#dcecf2");
  const lines = [0.3, 0.5, 0.7].flatMap((d) => [[w * d, 0.12, w * d, h - 0.12], [0.12, h * d, w - 0.12, h * d]]);
  strokes(c, lines, veil("#8fb2c2", 0.55), 0.025);
  disc(c, w / 2, h / 2, 0.06, "#7b8b98", null);
  disc(c, 0.26, 0.26, 0.14, "#b9c4cf");
  for (const [x, y] of [[0.42, 0.4], [0.5, 0.3], [0.3, 0.48], [0.56, 0.52]]) disc(c, x, y, 0.03, "#5fa9d0", null);
}

function bath(c, w, h) {
  slab(c, 0.06, 0.06, w - 0.12, h - 0.12, 0.26, WHITE, "#93a5b1");
  slab(c, 0.17, 0.2, w - 0.34, h - 0.38, 0.2, "#b7e0f0", "#a7bfcb");
  disc(c, w * 0.4, h * 0.55, 0.08, "#ffffff", null);
  disc(c, w * 0.56, h * 0.62, 0.06, "#ffffff", null);
  disc(c, w * 0.5, h * 0.46, 0.05, "#ffffff", null);
  strokes(c, [[w / 2, 0.04, w / 2, 0.24]], "#8b95a3", 0.08);
}

function fireplace(c, w, h) {
  slab(c, 0.04, 0.04, w - 0.08, h - 0.24, 0.06, "#8f8a94");
  slab(c, 0.18, 0.16, w - 0.36, h - 0.42, 0.1, "#35292f");
  strokes(c, [[w * 0.3, h * 0.5, w * 0.7, h * 0.58], [w * 0.3, h * 0.58, w * 0.7, h * 0.5]], "#7a4a2d", 0.08);
  oval(c, w / 2, h * 0.45, 0.16, 0.15, "#f58a3c", null);
  oval(c, w / 2, h * 0.48, 0.09, 0.09, "#ffe08a", null);
  slab(c, 0.1, h - 0.24, w - 0.2, 0.12, 0.03, lighter("#8f8a94", 0.35), darker("#8f8a94", 0.3));
}

export const WASHING = { stove, oven, fridge, sink, toilet, shower, bath, fireplace };
