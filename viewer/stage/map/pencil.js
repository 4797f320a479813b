// Shapes and shades that all drawings of the town are made of; lengths are in tiles.

/** The colour of outlines. */
export const INK = "#3d3a4b";

function parts(colour) {
  const short = colour.length === 4;
  const at = (i) => (short ? colour[i + 1].repeat(2) : colour.slice(1 + 2 * i, 3 + 2 * i));
  return [0, 1, 2].map((i) => Number.parseInt(at(i), 16) || 0);
}

/** Return a colour between two `#rrggbb` ones; share 0 is the first, 1 the second. */
export function mix(one, other, share) {
  const [a, b] = [parts(one), parts(other)];
  const each = a.map((value, i) => Math.round(value + (b[i] - value) * share));
  return `#${each.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

export function lighter(colour, share = 0.25) {
  return mix(colour, "#ffffff", share);
}

export function darker(colour, share = 0.25) {
  return mix(colour, "#33283f", share);
}

export function veil(colour, opacity) {
  return `rgba(${parts(colour).join(",")},${opacity})`;
}

/** Return a number from 0 to 1 that is always the same for the same three whole numbers. */
export function noise(x, y, salt = 0) {
  let h = Math.imul(x + 374761, 668265263) ^ Math.imul(y + 97, 2246822519) ^ Math.imul(salt + 11, 3266489917);
  h = Math.imul(h ^ (h >>> 15), 2246822519);
  h = Math.imul(h ^ (h >>> 13), 3266489917);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

export function rounded(c, x, y, w, h, r) {
  c.beginPath();
  c.roundRect(x, y, w, h, Math.max(0, Math.min(r, w / 2, h / 2)));
}

export function slab(c, x, y, w, h, r, fill, edge = darker(fill, 0.38)) {
  rounded(c, x, y, w, h, r);
  c.fillStyle = fill;
  c.fill();
  if (!edge) return;
  c.strokeStyle = edge;
  c.lineWidth = 0.045;
  c.stroke();
}

export function disc(c, x, y, r, fill, edge = darker(fill, 0.38)) {
  oval(c, x, y, r, r, fill, edge);
}

export function oval(c, x, y, rx, ry, fill, edge = darker(fill, 0.38), turn = 0) {
  c.beginPath();
  c.ellipse(x, y, rx, ry, turn, 0, Math.PI * 2);
  c.fillStyle = fill;
  c.fill();
  if (!edge) return;
  c.strokeStyle = edge;
  c.lineWidth = 0.045;
  c.stroke();
}

/** Draw strokes from point to point: `[[x, y, x, y, ...], ...]`. */
export function strokes(c, lines, colour, width = 0.05, close = false) {
  c.beginPath();
  for (const line of lines) {
    c.moveTo(line[0], line[1]);
    for (let i = 2; i < line.length; i += 2) c.lineTo(line[i], line[i + 1]);
    if (close) c.closePath();
  }
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.lineCap = "round";
  c.lineJoin = "round";
  c.stroke();
}

export function shape(c, points, fill, edge = darker(fill, 0.38)) {
  c.beginPath();
  c.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]);
  c.closePath();
  c.fillStyle = fill;
  c.fill();
  if (!edge) return;
  c.strokeStyle = edge;
  c.lineWidth = 0.045;
  c.stroke();
}
