// What has become of things: a badge with the emoji of a changed state, and the state in words from nearer.
import { emojiBubble } from "./bubbles.js";
import { tame, written } from "./lettering.js";

const BADGES_FROM = 8;
const WORDS_FROM = 34;
const COLOURS = { ink: "#6b2413", halo: "rgba(255,250,240,.95)" };

/** Return the things whose state is not their usual one: `{n, object, state, emoji}`. */
export function changed(film, at) {
  const found = [];
  for (const [n, told] of film.statesAt(at)) {
    const object = film.map.objects[n];
    if (object && told.state && told.state !== object.idle) found.push({ n, object, state: told.state, emoji: told.emoji || "✳️" });
  }
  return found;
}

/** Draw the badges of changed things on a screen; `chosen` is the number of the selected one. */
export function drawStates(c, things, view, wide, high, dpr, chosen) {
  const scale = view.scale / dpr;
  if (scale < BADGES_FROM && chosen === null) return;
  for (const { n, object, state, emoji } of things) {
    const [x, y, w] = object.rect;
    const [px, py] = [view.left + (x + w - 0.15) * view.scale, view.top + (y + 0.2) * view.scale];
    if (px < -60 || py < -60 || px > wide + 60 || py > high + 60) continue;
    const size = Math.round(Math.min(24, Math.max(13, scale * 0.62)) * dpr);
    const image = emojiBubble(emoji, size, false);
    c.drawImage(image, Math.round(px - size / 2), Math.round(py - image.height));
    if (scale < WORDS_FROM && n !== chosen) continue;
    const words = written(tame(state, 36), { weight: 600, size: Math.round(10.5 * dpr), ...COLOURS });
    c.drawImage(words, Math.round(view.left + (x + w / 2) * view.scale - words.width / 2), Math.round(py - image.height - words.height * 0.85));
  }
}
