// What a speech bubble looks like: a card with the line, whole or with a way to read on, and its tail.
import { SANS, picture, rowsOf, tame, widthOf } from "./lettering.js";

const SIZE = 13;
const NARROW = 220;
const WIDE = 300;
const LONG = 100;
const MOST_ROWS = 9;
const FEW_ROWS = 3;
const ODD = "◇ odd";
const MORE = "read on ›";
const PAPER = "#fffdf8";
const INKS = { line: "#2b2838", odd: "#8a5a00", more: "#7a3b63" };
const REACH = 46;

/** Return how a line is written in at most so many rows: `{rows, isCut}`, rows as `[kind, text]`. */
export function written({ text, odd }, font, most, count) {
  const plain = (value) => value.replaceAll(" ", "");
  const said = rowsOf(text, font, most, count);
  const isCut = plain(said.join("")) !== plain(tame(text, 1e5));
  const rows = said.map((row) => ["line", row]);
  if (odd) rows.push(["odd", ODD]);
  if (isCut) rows.push(["more", MORE]);
  return { rows, isCut };
}

/** Return a line's card for a screen so wide (device pixels): `{image, isCut}`; few rows where it `isShort`. */
export function cardOf(line, colour, wide, dpr, isShort = false) {
  const font = `500 ${SIZE * dpr}px ${SANS}`;
  const [pad, high] = [10 * dpr, SIZE * 1.32 * dpr];
  const most = Math.min((line.text.length > LONG ? WIDE : NARROW) * dpr, wide - 2 * pad - 16 * dpr);
  const { rows, isCut } = written(line, font, Math.max(most, 60 * dpr), isShort ? FEW_ROWS : MOST_ROWS);
  const w = Math.max(...rows.map(([, row]) => widthOf(row, font))) + pad * 2 + 6 * dpr;
  const h = rows.length * high + pad * 1.3 + 6 * dpr;
  const key = `s|${dpr}|${colour}|${line.fallback}|${rows.map((row) => row.join(":")).join("\n")}`;
  const image = picture(key, w, h, (c, width, height) => {
    board(c, width, height, dpr, colour, line.fallback);
    c.font = font;
    c.textBaseline = "middle";
    c.textAlign = "center";
    rows.forEach(([kind, row], i) => {
      const y = 2 * dpr + pad * 0.65 + high * (i + 0.5);
      c.fillStyle = INKS[kind];
      c.fillText(row, width / 2, y);
      if (kind === "more") c.fillRect(width / 2 - widthOf(row, font) / 2, y + SIZE * 0.55 * dpr, widthOf(row, font), dpr);
    });
  });
  return { image, isCut };
}

function board(c, width, height, dpr, colour, isDashed) {
  c.beginPath();
  c.roundRect(3 * dpr, 2 * dpr, width - 6 * dpr, height - 6 * dpr, 10 * dpr);
  c.shadowColor = "rgba(30,22,48,.3)";
  c.shadowBlur = 5 * dpr;
  c.shadowOffsetY = 1.5 * dpr;
  c.fillStyle = PAPER;
  c.fill();
  c.shadowColor = "transparent";
  if (isDashed) c.setLineDash([5 * dpr, 3.5 * dpr]);
  c.strokeStyle = colour;
  c.lineWidth = 1.7 * dpr;
  c.stroke();
  c.setLineDash([]);
}

/** Draw the tail from a bubble `{x, y, w, h, side}` to whoever speaks, whose figure is a box. */
export function drawTail(c, bubble, speaker, dpr, colour) {
  const [middle, half] = [speaker.x + speaker.w / 2, 6 * dpr];
  const within = (value, low, span) => Math.min(Math.max(value, low + 18 * dpr), low + span - 18 * dpr);
  const reach = (from, to) => from + Math.max(-REACH * dpr, Math.min(REACH * dpr, to - from));
  const { x, y, w, h, side } = bubble;
  const across = side === "left" || side === "right";
  let points;
  if (across) {
    const edge = side === "right" ? x + 3.8 * dpr : x + w - 3.8 * dpr;
    const at = within(speaker.y + speaker.h * 0.3, y, h);
    const tip = side === "right" ? speaker.x + speaker.w : speaker.x;
    points = [[edge, at - half], [reach(edge, tip), speaker.y + speaker.h * 0.3], [edge, at + half]];
  } else {
    const edge = side === "below" ? y + 3.2 * dpr : y + h - 5.2 * dpr;
    const at = within(middle, x, w);
    const tip = side === "below" ? speaker.y + speaker.h : speaker.y + 2 * dpr;
    if (side === "below" ? tip > edge : tip < edge) return;
    points = [[at - half, edge], [middle, reach(edge, tip)], [at + half, edge]];
  }
  c.beginPath();
  points.forEach(([px, py], i) => (i ? c.lineTo(px, py) : c.moveTo(px, py)));
  c.fillStyle = PAPER;
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 1.7 * dpr;
  c.lineJoin = "round";
  c.stroke();
}
