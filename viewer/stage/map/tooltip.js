// The words beside the pointer: who somebody is and what they do, or what a thing is.
import { SANS, drawEmoji, tame, widthOf } from "./lettering.js";
import { rowsOf } from "./wrapping.js";
import { wayWords, whereabouts } from "../whereabouts.js";

/** Return the two lines and the emoji that tell of a pick; null for what somebody says, which can be read already. */
export function toldOf(pick, replay, at) {
  if (pick.kind === "talk") return null;
  if (pick.kind === "person") {
    const deed = replay.deed(pick.n, at);
    const { from, to } = whereabouts(replay, pick.n, at);
    const way = from ? `on the way ${wayWords(from, to)}, for ` : "";
    const line = replay.talksAt(at).map((talk) => replay.lineAt(talk, at)).find((each) => each?.n === pick.n);
    const odd = line?.odd ? line : deed;
    const text = deed ? `${odd.odd ? "◇ odd: " : ""}${way}${deed.activity}` : "";
    const why = deed && odd.odd ? odd.oddWhy.join(" ") : "";
    return { title: replay.people[pick.n].name, text, sign: deed ? deed.emoji : "", why };
  }
  if (pick.kind === "object") {
    const object = replay.map.objects[pick.n];
    const told = replay.objectState(pick.n, at);
    return { title: object.name, text: told ? told.state : object.idle, sign: told ? told.emoji : "" };
  }
  const places = pick.kind === "arena" ? replay.map.arenas : replay.map.sectors;
  const place = places.find(({ address }) => address === pick.address);
  return { title: place.name, text: place.sector && place.sector !== place.name ? place.sector : "", sign: "" };
}

/** Draw a tooltip near a point, wholly on the screen; lengths in device pixels. */
export function drawTooltip(c, { title, text, sign, why = "" }, px, py, wide, high, dpr) {
  const [bold, plain] = [`700 ${13 * dpr}px ${SANS}`, `400 ${12.5 * dpr}px ${SANS}`];
  const [name, words] = [tame(title, 44), tame(text, 56)];
  const reasons = rowsOf(tame(why, 240), plain, 320 * dpr).filter(Boolean);
  const room = sign ? 20 * dpr : 0;
  const w = Math.max(widthOf(name, bold), words ? widthOf(words, plain) + room : 0,
    ...reasons.map((row) => widthOf(row, plain))) + 20 * dpr;
  const h = ((words ? 44 : 26) + reasons.length * 17) * dpr;
  const x = Math.min(Math.max(6, px + 14 * dpr), Math.max(6, wide - w - 6));
  const y = py + 18 * dpr + h > high ? py - h - 12 * dpr : py + 18 * dpr;
  c.beginPath();
  c.roundRect(x, y, w, h, 8 * dpr);
  c.fillStyle = "rgba(43,40,56,.94)";
  c.fill();
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillStyle = "#ffffff";
  c.font = bold;
  c.fillText(name, x + 10 * dpr, y + 13.5 * dpr);
  if (!words) return;
  c.font = plain;
  c.fillStyle = "#e2dcec";
  c.fillText(words, x + 10 * dpr + room, y + 31 * dpr);
  reasons.forEach((row, i) => c.fillText(row, x + 10 * dpr, y + (49 + i * 17) * dpr));
  if (sign) drawEmoji(c, sign, x + 17 * dpr, y + 30.5 * dpr, 13 * dpr);
}
