// Heads: face, hair, hat and glasses, seen from the front, the side or behind. A person is one unit tall.
import { darker, disc, lighter, oval, shape, slab, strokes } from "./pencil.js";

const R = 0.225;
const EYE = "#2b2230";

function ball(c, y, r, fill, line) {
  c.beginPath();
  c.arc(0, y, r, 0, Math.PI * 2);
  c.fillStyle = fill;
  c.fill();
  c.strokeStyle = line;
  c.lineWidth = 0.028;
  c.stroke();
}

export function hairBehind(c, look, view, y) {
  const edge = darker(look.hair, 0.4);
  if (look.style === "long") slab(c, -0.235, y - 0.08, 0.47, view === "up" ? 0.1 : 0.4, 0.16, look.hair, edge);
  if (look.style === "bob" && view !== "up") slab(c, -0.245, y - 0.1, 0.49, 0.3, 0.14, look.hair, edge);
  if (look.style === "tail" && view === "left") oval(c, 0.24, y + 0.08, 0.08, 0.2, look.hair, edge, -0.25);
  if (look.style === "bun") disc(c, view === "left" ? 0.16 : 0, y - 0.24, 0.1, look.hair, edge);
}

function fringe(c, look, y, side) {
  const edge = darker(look.hair, 0.4);
  c.beginPath();
  if (side) {
    c.arc(0, y, R + 0.02, -2.35, 1.25);
    c.quadraticCurveTo(0.05, y + 0.06, 0.0, y - 0.05);
    c.quadraticCurveTo(-0.04, y - 0.1, -0.16, y - 0.16);
  } else {
    c.arc(0, y, R + 0.02, Math.PI * 0.97, Math.PI * 2.03);
    if (look.style === "parted") c.quadraticCurveTo(0.16, y - 0.14, -0.06, y - 0.17);
    else c.quadraticCurveTo(0.12, y - 0.13, 0, y - 0.11);
    c.quadraticCurveTo(-0.16, y - 0.1, -R - 0.015, y + 0.03);
  }
  c.closePath();
  c.fillStyle = look.hair;
  c.fill();
  c.strokeStyle = edge;
  c.lineWidth = 0.025;
  c.stroke();
  strokes(c, [[-0.1, y - 0.17, 0, y - 0.2]], look.shine, 0.03);
}

function curls(c, look, y, back) {
  const edge = darker(look.hair, 0.4);
  const ring = back ? 10 : 8;
  for (let i = 0; i < ring; i += 1) {
    const turn = Math.PI * (0.86 + (i / (ring - 1)) * 1.28);
    disc(c, Math.cos(turn) * 0.22, y + Math.sin(turn) * 0.22, 0.085, look.hair, edge);
  }
  disc(c, 0, y - 0.13, 0.14, look.hair, null);
}

function hairAbove(c, look, view, y) {
  if (look.style === "bald") {
    if (view !== "up") return;
    strokes(c, [[-0.2, y + 0.05, -0.1, y + 0.13, 0.1, y + 0.13, 0.2, y + 0.05]], look.hair, 0.07);
    return;
  }
  if (view === "up") {
    ball(c, y - 0.005, R + 0.015, look.hair, darker(look.hair, 0.4));
    if (look.style === "curly") curls(c, look, y, true);
    if (look.style === "long") slab(c, -0.225, y - 0.02, 0.45, 0.38, 0.14, look.hair, null);
    if (look.style === "tail") oval(c, 0, y + 0.2, 0.08, 0.2, look.hair, darker(look.hair, 0.4));
    strokes(c, [[-0.12, y - 0.13, 0, y - 0.17, 0.1, y - 0.14]], look.shine, 0.03);
    return;
  }
  fringe(c, look, y, view === "left");
  if (look.style === "curly") curls(c, look, y, false);
}

function face(c, look, view, y, asleep) {
  const eyes = view === "left" ? [-0.13] : [-0.085, 0.085];
  for (const x of eyes) {
    if (asleep) strokes(c, [[x - 0.035, y + 0.03, x, y + 0.045, x + 0.035, y + 0.03]], EYE, 0.022);
    else oval(c, x, y + 0.025, 0.026, 0.036, EYE, null);
    oval(c, x + (view === "left" ? 0.03 : Math.sign(x) * 0.055), y + 0.095, 0.036, 0.022, look.blush, null);
  }
  const mouth = view === "left" ? [[-0.14, y + 0.115, -0.1, y + 0.12]] : [[-0.035, y + 0.115, 0, y + 0.13, 0.035, y + 0.115]];
  strokes(c, mouth, darker(look.skin, 0.55), 0.02);
  if (!look.glasses || asleep) return;
  for (const x of eyes) {
    c.beginPath();
    c.arc(x, y + 0.025, 0.062, 0, Math.PI * 2);
    c.strokeStyle = "#3a3346";
    c.lineWidth = 0.02;
    c.stroke();
  }
  strokes(c, view === "left" ? [[-0.07, y + 0.02, 0.08, y]] : [[-0.025, y + 0.02, 0.025, y + 0.02]], "#3a3346", 0.02);
}

function hat(c, look, view, y) {
  if (look.hat === "straw" || look.hat === "visitor") {
    const [straw, band] = look.hat === "straw" ? ["#ecd08a", "#b25f52"] : ["#6f5a48", "#f0c64f"];
    oval(c, 0, y - 0.12, 0.33, 0.09, straw);
    slab(c, -0.17, y - 0.31, 0.34, 0.2, 0.1, straw);
    slab(c, -0.172, y - 0.18, 0.344, 0.055, 0.02, band, null);
    if (look.hat === "visitor" && view !== "up") star(c, 0.1, y - 0.2, 0.075);
  } else if (look.hat === "beanie") {
    slab(c, -0.225, y - 0.27, 0.45, 0.24, 0.16, look.trim);
    slab(c, -0.235, y - 0.11, 0.47, 0.08, 0.04, lighter(look.trim, 0.3));
    disc(c, 0, y - 0.27, 0.055, lighter(look.trim, 0.4));
  } else if (look.hat === "cap") {
    slab(c, -0.23, y - 0.26, 0.46, 0.2, 0.15, darker(look.coat, 0.18));
    if (view === "down") oval(c, 0, y - 0.06, 0.2, 0.05, darker(look.coat, 0.34));
    if (view === "left") oval(c, -0.2, y - 0.07, 0.16, 0.04, darker(look.coat, 0.34));
  }
}

export function star(c, x, y, r, fill = "#ffd95a") {
  const points = [];
  for (let i = 0; i < 10; i += 1) {
    const far = i & 1 ? r * 0.45 : r;
    const turn = -Math.PI / 2 + (i * Math.PI) / 5;
    points.push(x + Math.cos(turn) * far, y + Math.sin(turn) * far);
  }
  shape(c, points, fill, "#8a6a1c");
}

/** Draw a head whose middle is at height `y`; view is "down", "left" (the right is its mirror) or "up". */
export function head(c, look, view, y, asleep = false) {
  const edge = darker(look.skin, 0.5);
  if (view === "down" && look.style !== "long") {
    disc(c, -R, y + 0.03, 0.045, look.skin, edge);
    disc(c, R, y + 0.03, 0.045, look.skin, edge);
  }
  ball(c, y, R, look.skin, edge);
  if (view === "left") disc(c, 0.06, y + 0.04, 0.042, darker(look.skin, 0.1), null);
  if (view !== "up") face(c, look, view, y, asleep);
  hairAbove(c, look, view, y);
  if (!asleep) hat(c, look, view, y);
}
