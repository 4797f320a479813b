// Beds and seats, seen from above; their back is at the top.
import { darker, disc, lighter, oval, rounded, slab, strokes, veil } from "../pencil.js";

function bed(c, w, h, k) {
  slab(c, 0.06, 0.02, w - 0.12, h - 0.06, 0.1, "#b98d5f");
  slab(c, 0.12, 0.1, w - 0.24, h - 0.2, 0.1, "#fbf8f0");
  const heads = w > 1.5 ? 2 : 1;
  const wide = (w - 0.4) / heads;
  for (let i = 0; i < heads; i += 1) {
    slab(c, 0.2 + i * wide + 0.04, 0.15, wide - 0.08, Math.min(0.42, h * 0.24), 0.12, "#ffffff", "#c9c4d2");
  }
  const fold = Math.min(0.72, h * 0.4);
  slab(c, 0.1, fold, w - 0.2, h - fold - 0.08, 0.1, k.colour);
  rounded(c, 0.1, fold, w - 0.2, 0.18, 0.08);
  c.fillStyle = lighter(k.colour, 0.5);
  c.fill();
  strokes(c, [[0.2, h - 0.35, w - 0.2, h - 0.35]], veil(darker(k.colour, 0.5), 0.35), 0.05);
}

function sofa(c, w, h, k) {
  slab(c, 0.04, 0.04, w - 0.08, h - 0.12, 0.18, darker(k.colour, 0.18));
  slab(c, 0.04, 0.28, 0.2, h - 0.38, 0.09, darker(k.colour, 0.08));
  slab(c, w - 0.24, 0.28, 0.2, h - 0.38, 0.09, darker(k.colour, 0.08));
  const seats = Math.max(1, Math.round(w - 0.3));
  const wide = (w - 0.5) / seats;
  for (let i = 0; i < seats; i += 1) slab(c, 0.25 + i * wide, 0.3, wide, h - 0.48, 0.1, lighter(k.colour, 0.2));
  slab(c, 0.3, 0.22, 0.26, 0.22, 0.07, "#f2d58c");
}

function armchair(c, w, h, k) {
  const colour = darker(k.colour, 0.04);
  slab(c, 0.1, 0.08, w - 0.2, h - 0.18, 0.2, darker(colour, 0.2));
  slab(c, 0.26, 0.3, w - 0.52, h - 0.46, 0.12, lighter(colour, 0.2));
  slab(c, 0.1, 0.3, 0.17, h - 0.46, 0.08, colour);
  slab(c, w - 0.27, 0.3, 0.17, h - 0.46, 0.08, colour);
}

export function stool(c, x, y, size, colour) {
  slab(c, x, y + size * 0.16, size, size * 0.84, size * 0.22, colour);
  slab(c, x - size * 0.02, y, size * 1.04, size * 0.2, size * 0.1, darker(colour, 0.25));
}

function chair(c, w, h, k) {
  const [across, down] = [Math.max(1, Math.round(w)), Math.max(1, Math.round(h))];
  for (let i = 0; i < across; i += 1) {
    for (let j = 0; j < down; j += 1) stool(c, (w / across) * (i + 0.5) - 0.29, (h / down) * (j + 0.5) - 0.29, 0.58, k.colour);
  }
}

function bench(c, w, h) {
  const long = w >= h;
  const [x, y, wide, high] = long ? [0.08, h / 2 - 0.26, w - 0.16, 0.52] : [w / 2 - 0.26, 0.08, 0.52, h - 0.16];
  slab(c, x, y, wide, high, 0.06, "#c79a63");
  const at = [0.33, 0.66];
  const board = (d) => (long ? [x, y + high * d, x + wide, y + high * d] : [x + wide * d, y, x + wide * d, y + high]);
  strokes(c, at.map(board), "#8d6636", 0.04);
  const across = [[x + 0.1, y, 0.09, high], [x + wide - 0.19, y, 0.09, high]];
  const ends = long ? across : [[x, y + 0.1, wide, 0.09], [x, y + high - 0.19, wide, 0.09]];
  for (const [a, b, d, e] of ends) slab(c, a, b, d, e, 0.02, "#6d6674", null);
}

function rug(c, w, h, k) {
  slab(c, 0.06, 0.06, w - 0.12, h - 0.12, 0.1, "#c98b7c");
  slab(c, 0.18, 0.18, w - 0.36, h - 0.36, 0.08, "#efd9b8", "#a8665a");
  oval(c, w / 2, h / 2, w * 0.24, h * 0.24, k.colour, "#a8665a");
  disc(c, w / 2, h / 2, 0.14, "#c98b7c", null);
}

export const RESTING = { bed, sofa, armchair, chair, bench, rug };
