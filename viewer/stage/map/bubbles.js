// Small bubbles with the emoji of what somebody does or of a thing's state, and tags with names.
import { SANS, drawEmoji, picture, widthOf } from "./lettering.js";

const PAPER = "#fffdf8";
const EDGE = "#8d8498";
const GIVEN = "#9a3b12";
const ODD = "#8a5a00";

function balloon(c, size, tail, edge, dashes, width) {
  const r = size / 2 - width;
  c.beginPath();
  c.arc(size / 2, size / 2, r, Math.PI * 0.62, Math.PI * 2.38);
  c.lineTo(size / 2, size + tail - width);
  c.closePath();
  c.shadowColor = "rgba(40,30,60,.28)";
  c.shadowBlur = width * 2.2;
  c.shadowOffsetY = width * 0.7;
  c.fillStyle = PAPER;
  c.fill();
  c.shadowColor = "transparent";
  c.setLineDash(dashes);
  c.strokeStyle = edge;
  c.lineWidth = dashes.length ? width * 1.3 : width * 0.8;
  c.lineJoin = "round";
  c.stroke();
}

function diamond(c, x, y, r) {
  c.beginPath();
  c.moveTo(x, y - r);
  c.lineTo(x + r, y);
  c.lineTo(x, y + r);
  c.lineTo(x - r, y);
  c.closePath();
  c.fillStyle = PAPER;
  c.fill();
  c.strokeStyle = ODD;
  c.lineWidth = r * 0.36;
  c.stroke();
}

/** Return a bubble with an emoji, so many device pixels wide: dashed for a deed that was given, with a diamond for an odd one. */
export function emojiBubble(sign, size, given, odd = false) {
  const tail = Math.round(size * 0.2);
  const width = Math.max(1, size / 20);
  return picture(`b|${sign}|${size}|${given}|${odd}`, size, size + tail, (c) => {
    balloon(c, size, tail, given ? GIVEN : EDGE, given ? [width * 3, width * 2.2] : [], width);
    drawEmoji(c, sign, size / 2, size / 2, size * 0.6);
    if (odd) diamond(c, size * 0.81, size * 0.2, size * 0.16);
  });
}

/** Return a bubble with three dots for somebody who thinks, so many device pixels wide; one dot stands out. */
export function thoughtBubble(size, phase) {
  const tail = Math.round(size * 0.2);
  return picture(`t|${size}|${phase}`, size, size + tail, (c) => {
    balloon(c, size, tail, EDGE, [], Math.max(1, size / 20));
    [0.29, 0.5, 0.71].forEach((x, i) => {
      c.beginPath();
      c.arc(x * size, size / 2, size * (i === phase ? 0.1 : 0.065), 0, Math.PI * 2);
      c.fillStyle = i === phase ? "#7a3b63" : "#a89fb2";
      c.fill();
    });
  });
}

/** Return the "zzz" of those who sleep, so many device pixels large. */
export function snooze(size, phase) {
  return picture(`z|${size}|${phase}`, size * 1.5, size * 1.5, (c) => {
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineJoin = "round";
    [[0.25, 1.18, 0.42], [0.62, 0.8, 0.56], [1.05, 0.36, 0.72]].forEach(([x, y, large], i) => {
      c.globalAlpha = i === phase ? 1 : 0.62;
      c.font = `italic 800 ${size * large}px sans-serif`;
      c.strokeStyle = "rgba(255,253,248,.95)";
      c.lineWidth = size * 0.16;
      c.strokeText("z", x * size, y * size);
      c.fillStyle = "#51608f";
      c.fillText("z", x * size, y * size);
    });
  });
}

export function nameTag(name, size, colour, isFilled) {
  const font = `700 ${size}px ${SANS}`;
  const edge = Math.max(1, size * 0.13);
  const wide = widthOf(name, font) + size * 0.7;
  return picture(`n|${name}|${size}|${colour}|${isFilled}`, wide, size * 1.4, (c, w, h) => {
    c.beginPath();
    c.roundRect(edge / 2, edge / 2, w - edge, h - edge, size * 0.42);
    c.fillStyle = isFilled ? colour : "rgba(255,253,248,.94)";
    c.fill();
    c.strokeStyle = isFilled ? PAPER : colour;
    c.lineWidth = edge;
    c.stroke();
    c.font = font;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = isFilled ? PAPER : "#2b2838";
    c.fillText(name, w / 2, h / 2 + size * 0.05);
  });
}
