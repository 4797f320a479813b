// Furniture by its icon: one small drawing for each, with its back to the wall it stands at.
import { darker, lighter, noise, rounded, slab, veil } from "../pencil.js";
import { KEEPING } from "./keeping.js";
import { MAKING } from "./making.js";
import { OUTSIDE } from "./outside.js";
import { RESTING } from "./resting.js";
import { TABLES } from "./tables.js";
import { WASHING } from "./washing.js";

const DRAWINGS = { ...RESTING, ...TABLES, ...WASHING, ...KEEPING, ...MAKING, ...OUTSIDE };
const FLAT = new Set([
  "rug", "pond", "sandpit", "flowers", "playground", "stage", "easel", "boat", "board", "lectern", "instrument",
  "fountain", "sundial", "toilet", "desk", "plant", "chair", "game",
]);
const BACKED = new Set([
  "bed", "sofa", "armchair", "desk", "stove", "oven", "fridge", "sink", "toilet", "shower", "bath",
  "fireplace", "wardrobe", "cupboard", "piano", "television", "computer", "board", "tools", "easel", "lectern", "stall",
]);

/** Return what is drawn for an object: its drawing, and by how many quarters it is turned. */
export function furnish(object, town) {
  const icon = Object.hasOwn(DRAWINGS, object.icon) ? object.icon : "";
  const [x, y, w, h] = object.rect;
  const colour = /^#[0-9a-f]{6}$/i.test(object.colour) ? object.colour : "#f3e7cf";
  const mark = Math.floor(noise(x, y, 17) * 1000);
  const keep = { colour, name: String(object.name).toLowerCase(), seed: noise(x, y, 5), mark };
  return { icon, x, y, w, h, keep, turn: BACKED.has(icon) ? backOf(object, town) : 0 };
}

/** Return where the wall is that a thing leans on: 0 above, 1 right, 2 below, 3 left. */
function backOf({ rect: [x, y, w, h], icon }, town) {
  const sides = [0, 0, 0, 0];
  for (let i = 0; i < w; i += 1) {
    sides[0] += town.isWall(x + i, y - 1) / w;
    sides[2] += town.isWall(x + i, y + h) / w;
  }
  for (let j = 0; j < h; j += 1) {
    sides[1] += town.isWall(x + w, y + j) / h;
    sides[3] += town.isWall(x - 1, y + j) / h;
  }
  const long = icon === "sofa" || icon === "piano" || icon === "board" || icon === "desk" || icon === "sink";
  if (w !== h && (long || icon === "bed" || icon === "bath")) {
    const across = long ? w > h : w < h;
    return across ? (sides[2] > sides[0] ? 2 : 0) : sides[1] > sides[3] ? 1 : 3;
  }
  return sides.indexOf(Math.max(...sides));
}

function shade(c, { icon, w, h }) {
  if (FLAT.has(icon)) return;
  for (const [d, opacity] of [[0.12, 0.08], [0.07, 0.1]]) {
    rounded(c, 0.08 + d, 0.1 + d, w - 0.16, h - 0.14, 0.14);
    c.fillStyle = veil("#2c2440", opacity);
    c.fill();
  }
}

/** Draw a thing at its place; an icon nobody knows is a rounded box in its colour. */
export function paintThing(c, thing) {
  const { icon, x, y, keep, turn } = thing;
  let { w, h } = thing;
  c.save();
  c.translate(x, y);
  shade(c, thing);
  if (turn) {
    c.translate(w / 2, h / 2);
    c.rotate((turn * Math.PI) / 2);
    if (turn & 1) [w, h] = [h, w];
    c.translate(-w / 2, -h / 2);
  }
  if (icon) DRAWINGS[icon](c, w, h, keep);
  else box(c, w, h, keep);
  c.restore();
}

function box(c, w, h, { colour }) {
  slab(c, 0.1, 0.1, w - 0.2, h - 0.2, 0.16, darker(colour, 0.06));
  slab(c, 0.19, 0.18, w - 0.38, h - 0.4, 0.12, lighter(colour, 0.3), null);
}
