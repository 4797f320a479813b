// People: a small figure one unit tall that stands, walks, sits or sleeps, with its feet at the origin.
import { hairBehind, head } from "./heads.js";
import { darker, disc, lighter, oval, rounded, slab, strokes } from "./pencil.js";

const HEAD = -0.73;
const HIP = -0.2;

function shadow(c, wide = 0.27) {
  for (const [grow, opacity] of [[1.15, 0.1], [0.9, 0.16]]) {
    oval(c, 0.02, 0.005, wide * grow, 0.085 * grow, `rgba(36,28,52,${opacity})`, null);
  }
}

function leg(c, look, x, lift, forward) {
  const foot = -0.02 - lift;
  slab(c, x - 0.05 + forward / 2, HIP - 0.05, 0.1, foot - HIP + 0.05, 0.03, look.legs, darker(look.legs, 0.5));
  slab(c, x - 0.06 + forward, foot - 0.045, 0.12, 0.065, 0.03, "#3a3038", null);
}

function legs(c, look, view, phase) {
  const step = phase === 1 ? 1 : phase === 3 ? -1 : 0;
  if (view === "left") {
    leg(c, look, 0.02, step ? 0.015 : 0, 0.09 * step);
    leg(c, look, -0.02, step ? 0.015 : 0, -0.09 * step);
    return;
  }
  leg(c, look, -0.085, step > 0 ? 0.05 : 0, 0);
  leg(c, look, 0.085, step < 0 ? 0.05 : 0, 0);
}

function arm(c, look, x, swing, out) {
  const line = [x, -0.45, x + out * 0.055 + swing * 0.4, -0.27 - Math.abs(swing) * 0.15];
  strokes(c, [line], look.line, 0.115);
  strokes(c, [line], darker(look.coat, 0.1), 0.075);
  disc(c, line[2], line[3] + 0.02, 0.045, look.skin, darker(look.skin, 0.5));
}

function coat(c, look, view) {
  const [top, hem] = view === "left" ? [0.12, 0.15] : [0.155, 0.19];
  const wide = look.dress ? hem + 0.05 : hem;
  const low = look.dress ? -0.11 : -0.17;
  c.beginPath();
  c.moveTo(-top, -0.5);
  c.quadraticCurveTo(0, -0.56, top, -0.5);
  c.lineTo(wide, low - 0.03);
  c.quadraticCurveTo(0, low + 0.03, -wide, low - 0.03);
  c.closePath();
  c.fillStyle = look.coat;
  c.fill();
  c.strokeStyle = look.line;
  c.lineWidth = 0.028;
  c.lineJoin = "round";
  c.stroke();
  if (view === "down") front(c, look, low);
  if (view === "up") strokes(c, [[0, -0.48, 0, low - 0.03]], darker(look.coat, 0.2), 0.02);
  if (look.dress) strokes(c, [[-wide + 0.03, low - 0.05, 0, low - 0.01, wide - 0.03, low - 0.05]], look.trim, 0.035);
}

function front(c, look, low) {
  if (look.dress) strokes(c, [[-0.13, -0.33, 0.13, -0.33]], look.trim, 0.045);
  else {
    strokes(c, [[0, -0.49, 0, low]], darker(look.coat, 0.3), 0.018);
    for (const y of [-0.41, -0.32, -0.24]) disc(c, 0.035, y, 0.016, look.trim, null);
  }
  strokes(c, [[-0.09, -0.5, 0, -0.42, 0.09, -0.5]], lighter(look.coat, 0.28), 0.035);
}

function scarf(c, look, view) {
  if (!look.scarf) return;
  slab(c, -0.15, -0.545, 0.3, 0.085, 0.04, look.trim, look.line);
  if (view === "down") slab(c, 0.04, -0.5, 0.075, 0.17, 0.03, look.trim, look.line);
}

/** Draw somebody on their feet: `phase` 0 and 2 stand, 1 and 3 are the two halves of a step. */
export function upright(c, look, view, phase) {
  shadow(c);
  const rise = phase & 1 ? -0.025 : 0;
  const swing = phase === 1 ? 0.2 : phase === 3 ? -0.2 : 0;
  if (view !== "up") hairBehind(c, look, view, HEAD + rise);
  legs(c, look, view, phase);
  c.translate(0, rise);
  if (view === "left") {
    arm(c, look, 0.03, -swing, 0);
    coat(c, look, view);
    scarf(c, look, view);
    arm(c, look, 0.03, swing, 0);
  } else {
    coat(c, look, view);
    arm(c, look, -0.16, swing * 0.3, -1);
    arm(c, look, 0.16, swing * 0.3, 1);
    scarf(c, look, view);
  }
  head(c, look, view, HEAD);
  if (view === "up") hairBehind(c, look, view, HEAD);
}

export function seated(c, look, view) {
  c.translate(0, 0.05);
  shadow(c, 0.24);
  if (view !== "up") hairBehind(c, look, view, HEAD + 0.1);
  if (view === "left") slab(c, -0.26, -0.22, 0.3, 0.11, 0.05, look.legs);
  else if (view === "down") for (const x of [-0.14, 0.03]) slab(c, x, -0.2, 0.11, 0.17, 0.05, look.legs);
  c.translate(0, 0.1);
  coat(c, { ...look, dress: false }, view);
  arm(c, look, view === "left" ? 0.02 : -0.16, view === "left" ? -0.2 : 0.14, 0);
  if (view !== "left") arm(c, look, 0.16, -0.14, 0);
  scarf(c, look, view);
  head(c, look, view, HEAD);
}

/** Draw somebody asleep under a blanket; the middle of the body is at the origin, the head above. */
export function asleep(c, look) {
  oval(c, 0, -0.4, 0.3, 0.17, "#fdfcf8", "#c9c4d2");
  c.translate(0, 0.28);
  hairBehind(c, { ...look, style: look.style === "tail" ? "long" : look.style }, "down", -0.68);
  head(c, look, "down", -0.68, true);
  c.translate(0, -0.28);
  rounded(c, -0.27, -0.24, 0.54, 0.76, 0.16);
  c.fillStyle = lighter(look.coat, 0.25);
  c.fill();
  c.strokeStyle = look.line;
  c.lineWidth = 0.028;
  c.stroke();
  rounded(c, -0.27, -0.24, 0.54, 0.15, 0.07);
  c.fillStyle = lighter(look.coat, 0.65);
  c.fill();
  strokes(c, [[-0.14, 0.02, -0.12, 0.4], [0.12, 0.06, 0.13, 0.38]], darker(look.coat, 0.02), 0.03);
}
