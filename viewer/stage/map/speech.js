// Speech bubbles: the present line of a talk, wrapped, on the screen, and few at a time.
import { SANS, picture, tame, widthOf } from "./lettering.js";

const ROWS = 3;
const MOST = 5;
const WIDE = 220;
const SIZE = 13;
const FADE = 260;
const LEAVE = 320;
const ODD = "◇ odd";

/** Return a text in at most three rows that are no wider than `most`, the last with an ellipsis where it goes on. */
export function rowsOf(text, font, most) {
  const rows = [""];
  const words = tame(text, 320).split(" ").flatMap((word) => pieces(word, font, most));
  for (const word of words) {
    const last = rows.length - 1;
    const longer = rows[last] ? `${rows[last]} ${word}` : word;
    if (widthOf(longer, font) <= most) rows[last] = longer;
    else if (rows.length < ROWS) rows.push(word);
    else {
      rows[last] = cut(rows[last], font, most);
      break;
    }
  }
  return rows;
}

function pieces(word, font, most) {
  if (widthOf(word, font) <= most) return [word];
  const letters = [...word];
  const found = [""];
  for (const letter of letters) {
    const last = found.length - 1;
    if (widthOf(found[last] + letter, font) <= most) found[last] += letter;
    else found.push(letter);
  }
  return found;
}

function cut(row, font, most) {
  let letters = [...row];
  while (letters.length && widthOf(`${letters.join("")}…`, font) > most) letters = letters.slice(0, -1);
  return `${letters.join("").trimEnd()}…`;
}

function card({ text, fallback, odd }, colour, dpr) {
  const font = `500 ${SIZE * dpr}px ${SANS}`;
  const rows = [...rowsOf(text, font, WIDE * dpr), ...(odd ? [ODD] : [])];
  const [pad, line] = [10 * dpr, SIZE * 1.32 * dpr];
  const wide = Math.max(...rows.map((row) => widthOf(row, font))) + pad * 2 + 6 * dpr;
  const high = rows.length * line + pad * 1.3 + 6 * dpr;
  return picture(`s|${dpr}|${colour}|${fallback}|${rows.join("\n")}`, wide, high, (c, w, h) => {
    c.beginPath();
    c.roundRect(3 * dpr, 2 * dpr, w - 6 * dpr, h - 6 * dpr, 10 * dpr);
    c.shadowColor = "rgba(30,22,48,.3)";
    c.shadowBlur = 5 * dpr;
    c.shadowOffsetY = 1.5 * dpr;
    c.fillStyle = "#fffdf8";
    c.fill();
    c.shadowColor = "transparent";
    if (fallback) c.setLineDash([5 * dpr, 3.5 * dpr]);
    c.strokeStyle = colour;
    c.lineWidth = 1.7 * dpr;
    c.stroke();
    c.font = font;
    c.textBaseline = "middle";
    c.textAlign = "center";
    c.fillStyle = "#2b2838";
    rows.forEach((row, i) => {
      if (odd && i === rows.length - 1) c.fillStyle = "#8a5a00";
      c.fillText(row, w / 2, 2 * dpr + pad * 0.65 + line * (i + 0.5));
    });
  });
}

function tail(c, x, y, tipX, tipY, dpr, colour) {
  c.beginPath();
  c.moveTo(x - 6 * dpr, y - 1.2 * dpr);
  c.lineTo(tipX, tipY);
  c.lineTo(x + 6 * dpr, y - 1.2 * dpr);
  c.fillStyle = "#fffdf8";
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 1.7 * dpr;
  c.lineJoin = "round";
  c.stroke();
}

/** The bubbles that are up. */
export class Speech {
  constructor(film, { reducedMotion = false } = {}) {
    this.film = film;
    this.reducedMotion = reducedMotion;
    this.up = new Map();
    this.restless = false;
  }

  /** Take in who says what now: `spots` tells where speakers are; the nearest to the middle come first. */
  heed(at, realNow, spots, wide, high) {
    const said = [];
    for (const talk of this.film.talksAt(at)) {
      const line = this.film.lineAt(talk, at);
      const spot = line && spots.get(line.n);
      if (!spot || spot.x < 0 || spot.y < 0 || spot.x > wide || spot.y > high) continue;
      said.push({ key: `${talk.id}/${line.at}/${line.n}`, line, far: Math.hypot(spot.x - wide / 2, spot.y - high / 2) });
    }
    said.sort((a, b) => a.far - b.far);
    const now = new Set();
    for (const { key, line } of said.slice(0, MOST)) {
      now.add(key);
      if (!this.up.has(key)) this.up.set(key, { line, since: realNow, left: null });
      this.up.get(key).left = null;
    }
    for (const [key, bubble] of this.up) {
      if (now.has(key)) continue;
      bubble.left ??= realNow;
      if (this.reducedMotion || realNow - bubble.left > LEAVE) this.up.delete(key);
    }
  }

  opacity({ since, left }, realNow) {
    if (this.reducedMotion) return 1;
    if (left !== null) return Math.max(0, 1 - (realNow - left) / LEAVE);
    return Math.min(1, (realNow - since) / FADE);
  }

  /** Draw the bubbles over their speakers, none over another, none off the screen. */
  draw(c, realNow, spots, wide, high, dpr) {
    this.restless = false;
    const boxes = [];
    for (const bubble of this.up.values()) {
      const { line } = bubble;
      const spot = spots.get(line.n);
      if (!spot) continue;
      const opacity = this.opacity(bubble, realNow);
      if (opacity < 1) this.restless = true;
      if (bubble.left !== null && boxes.length >= MOST) continue;
      const image = card(line, spot.colour, dpr);
      const box = settle(spot, image, boxes, wide, high, dpr);
      boxes.push(box);
      c.globalAlpha = Math.max(0, opacity);
      c.drawImage(image, box.x, box.y);
      const low = box.y + image.height - 4 * dpr;
      const x = Math.min(Math.max(spot.x, box.x + 18 * dpr), box.x + image.width - 18 * dpr);
      if (low < spot.y) tail(c, x, low, spot.x, Math.min(spot.y + 2 * dpr, low + 14 * dpr), dpr, spot.colour);
    }
    c.globalAlpha = 1;
  }
}

function settle(spot, image, boxes, wide, high, dpr) {
  const [w, h] = [image.width, image.height];
  const x = Math.round(Math.min(Math.max(spot.x - w / 2, 4), Math.max(4, wide - w - 4)));
  let y = spot.y - h - 6 * dpr;
  for (let round = 0; round < 6; round += 1) {
    const other = boxes.find((box) => x < box.x + box.w && box.x < x + w && y < box.y + box.h && box.y < y + h);
    if (!other) break;
    y = other.y - h - 2 * dpr;
  }
  return { x, y: Math.round(Math.min(Math.max(y, 4), Math.max(4, high - h - 4))), w, h };
}
