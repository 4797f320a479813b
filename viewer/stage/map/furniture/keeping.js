// What things are kept in: shelves, books, wardrobes, cupboards, crates, stalls.
import { darker, disc, noise, oval, slab, strokes } from "../pencil.js";

const BOOKS = ["#b25f52", "#4f7ea8", "#e0b04c", "#5f9a73", "#8b6bb0", "#d98a5b", "#43546b", "#c9758f"];
const GOODS = ["#e9b04c", "#d96c57", "#7fb069", "#6f9fd0", "#efe0c2", "#b98fd0"];

function along(w, h, draw) {
  const long = w >= h;
  const length = long ? w : h;
  const rows = Math.max(1, Math.round(long ? h : w));
  for (let row = 0; row < rows; row += 1) draw(long, length, row, rows);
}

function bookshelf(c, w, h, k) {
  along(w, h, (long, length, row, rows) => {
    const deep = (long ? h : w) / rows;
    const from = row * deep + deep * 0.14;
    const thick = deep * 0.62;
    if (long) slab(c, 0.05, from, w - 0.1, thick, 0.04, "#9a6f47");
    else slab(c, from, 0.05, thick, h - 0.1, 0.04, "#9a6f47");
    for (let d = 0.12, i = 0; d < length - 0.2; i += 1) {
      const wide = 0.09 + noise(i, row, k.mark) * 0.07;
      const high = thick * (0.6 + noise(i, row, k.mark + 1) * 0.25);
      c.fillStyle = BOOKS[Math.floor(noise(i, row, k.mark + 2) * BOOKS.length)];
      if (long) c.fillRect(d, from + thick * 0.08, wide, high);
      else c.fillRect(from + thick * 0.08, d, high, wide);
      d += wide + 0.015;
    }
  });
}

function shelf(c, w, h, k) {
  along(w, h, (long, length, row, rows) => {
    const deep = (long ? h : w) / rows;
    const middle = row * deep + deep / 2;
    if (long) slab(c, 0.05, middle - deep * 0.32, w - 0.1, deep * 0.64, 0.05, "#c69f70");
    else slab(c, middle - deep * 0.32, 0.05, deep * 0.64, h - 0.1, 0.05, "#c69f70");
    for (let d = 0.24, i = 0; d < length - 0.12; d += 0.29, i += 1) {
      const colour = GOODS[Math.floor(noise(i, row, k.mark) * GOODS.length)];
      const [x, y] = long ? [d, middle] : [middle, d];
      if (noise(i, row, k.mark + 5) > 0.5) disc(c, x, y, 0.1, colour);
      else slab(c, x - 0.1, y - 0.11, 0.2, 0.22, 0.03, colour);
    }
  });
}

function wardrobe(c, w, h) {
  slab(c, 0.06, 0.05, w - 0.12, h - 0.2, 0.06, "#a77b50");
  slab(c, 0.13, 0.11, w - 0.26, h - 0.34, 0.04, "#bd9264", null);
  strokes(c, [[w / 2, 0.08, w / 2, h - 0.18]], "#6f4c2c", 0.05);
  disc(c, w / 2 - 0.09, h - 0.24, 0.045, "#f0d28b", null);
  disc(c, w / 2 + 0.09, h - 0.24, 0.045, "#f0d28b", null);
}

function cupboard(c, w, h) {
  slab(c, 0.08, 0.06, w - 0.16, h - 0.16, 0.06, "#b5926b");
  const long = w >= h;
  const count = Math.max(2, Math.round((long ? w : h) * 2));
  for (let i = 0; i < count; i += 1) {
    const share = (i + 0.5) / count;
    const [x, y] = long ? [w * share, h * 0.5] : [w * 0.5, h * share];
    const [dx, dy] = long ? [(w - 0.3) / count / 2, h * 0.28] : [w * 0.28, (h - 0.3) / count / 2];
    slab(c, x - dx, y - dy, dx * 2 - 0.03, dy * 2 - 0.03, 0.03, "#cfae86", "#8f6d47");
    disc(c, x, y, 0.035, "#6f4c2c", null);
  }
}

function crate(c, w, h) {
  const [across, down] = [Math.max(1, Math.round(w)), Math.max(1, Math.round(h))];
  for (let i = 0; i < across; i += 1) {
    for (let j = 0; j < down; j += 1) {
      const [x, y] = [i * (w / across) + 0.12, j * (h / down) + 0.12];
      slab(c, x, y, 0.74, 0.72, 0.04, "#c99f66");
      strokes(c, [[x + 0.06, y + 0.25, x + 0.68, y + 0.25], [x + 0.06, y + 0.48, x + 0.68, y + 0.48]], "#946c3b", 0.04);
      strokes(c, [[x + 0.14, y + 0.06, x + 0.14, y + 0.66], [x + 0.6, y + 0.06, x + 0.6, y + 0.66]], "#a97c46", 0.08);
    }
  }
}

function stall(c, w, h, k) {
  const canopy = ["#d96c57", "#5f8fc0", "#5f9a73", "#d9973f"][Math.floor(k.seed * 4)];
  slab(c, 0.08, h * 0.42, w - 0.16, h * 0.52, 0.06, "#b98a57");
  for (let x = 0.3, i = 0; x < w - 0.15; x += 0.26, i += 1) {
    disc(c, x, h * 0.68, 0.11, GOODS[(i + k.mark) % 4]);
    disc(c, x, h * 0.84, 0.1, GOODS[(i + k.mark + 2) % 4]);
  }
  slab(c, 0.02, 0.02, w - 0.04, h * 0.52, 0.08, "#fdf7ea");
  const stripes = Math.round(w * 2.5);
  const wide = (w - 0.1) / stripes;
  for (let i = 0; i < stripes; i += 2) {
    c.fillStyle = canopy;
    c.fillRect(0.05 + wide * i, 0.04, wide, h * 0.48);
  }
  for (let i = 0; i < stripes; i += 1) oval(c, 0.05 + wide * (i + 0.5), h * 0.52, wide / 2, 0.07, i & 1 ? "#fdf7ea" : canopy, null);
}

function tools(c, w, h) {
  slab(c, 0.06, 0.08, w - 0.12, h - 0.18, 0.06, "#bf9b70");
  for (let x = 0.28, i = 0; x < w - 0.1; x += 0.4, i += 1) {
    strokes(c, [[x, 0.24, x, h - 0.28]], "#7c5330", 0.07);
    const head = ["#8b909c", "#c9563f", "#5c7f9c"][i % 3];
    slab(c, x - 0.12, 0.17, 0.24, 0.16, 0.04, head, darker(head, 0.4));
  }
}

export const KEEPING = { bookshelf, shelf, wardrobe, cupboard, crate, stall, tools };
