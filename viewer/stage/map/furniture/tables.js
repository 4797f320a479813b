// Tables, desks and counters, with what lies on them.
import { disc, lighter, slab, strokes } from "../pencil.js";
import { stool } from "./resting.js";

const WOOD = "#dcb27c";

function top(c, x, y, w, h, colour = WOOD) {
  slab(c, x, y, w, h, 0.08, colour);
  slab(c, x + 0.06, y + 0.05, w - 0.12, h - 0.12, 0.06, lighter(colour, 0.16), null);
}

function plate(c, x, y) {
  disc(c, x, y, 0.15, "#fdfdfb", "#b9b5c0");
  disc(c, x, y, 0.085, "#eef0f2", null);
}

function seatsAround(c, w, h, inset) {
  const colour = "#c89b66";
  const across = Math.max(1, Math.round(w / 1.1));
  for (let i = 0; i < across; i += 1) {
    const x = inset + ((w - 2 * inset) / across) * (i + 0.5) - 0.2;
    stool(c, x, 0.02, 0.4, colour);
    c.save();
    c.translate(x + 0.4, h - 0.02);
    c.rotate(Math.PI);
    stool(c, 0, 0, 0.4, colour);
    c.restore();
  }
}

function table(c, w, h, k) {
  const big = w >= 1.5 && h >= 1.5;
  const long = w > 3 && h >= 1.5;
  if (big || long) {
    seatsAround(c, w, h, 0.25);
    top(c, 0.2, 0.34, w - 0.4, h - 0.68);
    if (long) return papers(c, w, h);
    plate(c, w * 0.34, h * 0.36);
    plate(c, w * 0.66, h * 0.36);
    plate(c, w * 0.34, h * 0.64);
    plate(c, w * 0.66, h * 0.64);
    return vase(c, w / 2, h / 2, k);
  }
  top(c, 0.1, 0.1, w - 0.2, h - 0.2);
  if (w > 1.5 || h > 1.5) {
    plate(c, w * 0.28, h * 0.3);
    plate(c, w * 0.72, h * 0.7);
  }
  return vase(c, w / 2, h / 2, k);
}

function papers(c, w, h) {
  for (let x = 0.7; x < w - 0.5; x += 1.05) {
    slab(c, x, h * 0.36, 0.24, 0.2, 0.02, "#fffdf7", "#c3bcae");
    slab(c, x + 0.2, h * 0.56, 0.24, 0.2, 0.02, "#fffdf7", "#c3bcae");
  }
}

function vase(c, x, y, k) {
  const colours = ["#e9798f", "#f1c04f", "#b08fe0", "#ffffff"];
  disc(c, x, y, 0.13, "#7fa9a0");
  for (let i = 0; i < 4; i += 1) {
    const turn = i * 1.57 + k.seed * 3;
    disc(c, x + Math.cos(turn) * 0.08, y + Math.sin(turn) * 0.08, 0.075, colours[(i + Math.floor(k.seed * 4)) % 4], null);
  }
}

function classroom(c, w, h) {
  const [across, down] = [Math.round(w / 1.25), Math.round(h)];
  for (let i = 0; i < across; i += 1) {
    for (let j = 0; j < down; j += 1) {
      const [x, y] = [(w / across) * i + 0.1, (h / down) * j + 0.04];
      top(c, x, y, w / across - 0.2, 0.46);
      slab(c, x + 0.2, y + 0.1, 0.22, 0.22, 0.02, "#fffdf7", "#b9b2a4");
      stool(c, x + w / across / 2 - 0.3, y + 0.5, 0.36, "#c89b66");
    }
  }
}

function desk(c, w, h) {
  if (w >= 3 && h >= 1.5) return classroom(c, w, h);
  top(c, 0.06, 0.06, w - 0.12, Math.max(0.56, h * 0.62) - 0.04);
  slab(c, w * 0.5 - 0.18, 0.16, 0.36, 0.26, 0.03, "#fffdf7", "#b9b2a4");
  strokes(c, [[w * 0.5 - 0.1, 0.24, w * 0.5 + 0.1, 0.24], [w * 0.5 - 0.1, 0.32, w * 0.5 + 0.04, 0.32]], "#9b95a8", 0.03);
  disc(c, w - 0.22, 0.24, 0.09, "#f3d57e");
  slab(c, 0.14, 0.14, 0.14, 0.2, 0.02, "#b25f52");
  return stool(c, w / 2 - 0.22, Math.max(0.56, h * 0.62), 0.42, "#8c7aa8");
}

function workbench(c, w, h) {
  top(c, 0.05, 0.06, w - 0.1, h - 0.12, "#cfa067");
  for (let x = 0.3; x < w - 0.2; x += 0.9) {
    strokes(c, [[x, h * 0.3, x + 0.26, h * 0.62]], "#7c5330", 0.07);
    slab(c, x + 0.18, h * 0.56, 0.18, 0.12, 0.02, "#8b909c");
    slab(c, x + 0.42, h * 0.3, 0.16, 0.24, 0.03, "#d97f59");
  }
}

function counter(c, w, h) {
  const long = w >= h;
  slab(c, 0.04, 0.1, w - 0.08, h - 0.2, 0.1, "#a97a4d");
  slab(c, 0.1, 0.17, w - 0.2, h - 0.36, 0.07, "#e9cda0", null);
  const [tx, ty] = long ? [w - 0.55, h / 2 - 0.16] : [w / 2 - 0.18, h - 0.6];
  slab(c, tx, ty, 0.36, 0.3, 0.05, "#6f7686");
  slab(c, tx + 0.06, ty + 0.04, 0.24, 0.1, 0.02, "#bfe6d2", null);
  for (let d = 0.4; d < (long ? w : h) - 0.8; d += 0.7) {
    const [x, y] = long ? [d, h / 2] : [w / 2, d];
    disc(c, x, y, 0.12, "#fdfaf2", "#b59a74");
    disc(c, x, y, 0.07, "#c98d55", null);
  }
}

function game(c, w, h) {
  top(c, 0.08, 0.08, w - 0.16, h - 0.16, "#b98a5a");
  const size = Math.min(w, h) * 0.58;
  const [x, y, s] = [w / 2 - size / 2, h / 2 - size / 2, size / 4];
  for (let i = 0; i < 16; i += 1) {
    c.fillStyle = (i + (i >> 2)) & 1 ? "#5d4a3c" : "#f6ead2";
    c.fillRect(x + (i & 3) * s, y + (i >> 2) * s, s, s);
  }
  disc(c, x + s * 0.5, y + s * 1.5, s * 0.32, "#ffffff", "#8b7b69");
  disc(c, x + s * 2.5, y + s * 2.5, s * 0.32, "#b4533f", "#6a2d20");
}

function lectern(c, w, h) {
  slab(c, w / 2 - 0.34, h / 2 - 0.26, 0.68, 0.52, 0.08, "#9a6b42");
  slab(c, w / 2 - 0.24, h / 2 - 0.18, 0.48, 0.34, 0.03, "#fffdf7", "#b9b2a4");
  strokes(c, [[w / 2, h / 2 - 0.18, w / 2, h / 2 + 0.16]], "#b9b2a4", 0.03);
}

function kettle(c, w, h) {
  top(c, 0.06, 0.06, w - 0.12, h - 0.12, "#cfae86");
  slab(c, w / 2 - 0.28, h / 2 - 0.28, 0.56, 0.4, 0.08, "#7b8190");
  slab(c, w / 2 - 0.2, h / 2 - 0.2, 0.4, 0.12, 0.04, "#b9c0cc", null);
  disc(c, w / 2 - 0.12, h / 2 + 0.22, 0.1, "#fdfaf2");
  disc(c, w / 2 + 0.14, h / 2 + 0.22, 0.1, "#fdfaf2");
  disc(c, w / 2 + 0.14, h / 2 + 0.22, 0.06, "#7a4a2d", null);
}

export const TABLES = { table, desk, workbench, counter, game, lectern, kettle };
