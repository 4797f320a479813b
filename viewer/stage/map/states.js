// What has become of things: a badge with the emoji of a changed state, and the state in words from nearer.
import { emojiBubble } from "./bubbles.js";
import { tame, written } from "./lettering.js";

const USED_FROM = 15;
const WORDS_FROM = 34;
const COLOURS = { ink: "#6b2413", halo: "rgba(255,250,240,.95)" };

/** Return the things whose state is not their usual one: `{n, object, state, emoji, own}`; `own`: not of somebody's use. */
export function changed(replay, at) {
  const found = [];
  for (const [n, { state, emoji, by }] of replay.statesAt(at)) {
    const object = replay.map.objects[n];
    if (!object || !state || state === object.idle) continue;
    const deed = by >= 0 ? replay.deed(by, at) : null;
    const used = Boolean(deed && deed.object === object.address && deed.objectState === state);
    found.push({ n, object, state, emoji: emoji || "", own: !(by >= 0), used });
  }
  return found;
}

/** Return whether a thing has a badge: what somebody uses just now is told by their own bubble, but from near. */
function isBadged({ n, emoji, own, used }, scale, chosen) {
  if (!emoji) return false;
  return n === chosen || own || scale >= WORDS_FROM || (scale >= USED_FROM && !used);
}

/** Return the badges and words of changed things on a screen as candidates for a layout; `chosen` is the number of the selected one. */
export function badges(things, view, wide, high, dpr, chosen) {
  const scale = view.scale / dpr;
  const found = [];
  for (const thing of things) {
    const { n, object, emoji, state } = thing;
    const [x, y, w, h] = object.rect;
    const [px, py] = [view.left + (x + w - 0.15) * view.scale, view.top + (y + 0.2) * view.scale];
    if (px < -60 || py < -60 || px > wide + 60 || py > high + 60) continue;
    const isSure = n === chosen;
    let top = py;
    if (isBadged(thing, scale, chosen)) {
      const size = Math.round(Math.min(24, Math.max(13, scale * 0.62)) * dpr);
      const image = emojiBubble(emoji, size, false);
      const asides = [px, view.left + (x + 0.15) * view.scale];
      const spots = asides.map((middle) => ({ x: middle - size / 2, y: py - image.height, w: image.width, h: image.height }));
      found.push({ key: `badge ${n}`, image, spots, isSure, order: 0 });
      top -= image.height;
    }
    if (scale < WORDS_FROM && !isSure) continue;
    const image = written(tame(state, 36), { weight: 600, size: Math.round(10.5 * dpr), ...COLOURS });
    const middle = view.left + (x + w / 2) * view.scale;
    const size = { w: image.width, h: image.height * 0.7 };
    const downs = [top - size.h, view.top + (y + h) * view.scale];
    const spots = downs.map((down) => ({ x: middle - size.w / 2, y: down, ...size }));
    found.push({ key: `state ${n}`, image, spots, isSure, order: 1 });
  }
  return found;
}
