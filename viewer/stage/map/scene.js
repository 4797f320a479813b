// One frame over the still town: rings, people, bubbles, names, words.
import { beacon, dashed, ring, visiting } from "./people.js";
import { rectOf } from "./picking.js";

const MARKS = { chosen: "#c2256b", pointed: "#3a3550" };
const GIVEN = "#9a3b12";
const UNPLACED = "#7a5b00";
const DOTS = [1.6, 2.6];
/** Somebody so small, in CSS pixels, has a circle around them when one looks for them. */
const SMALL = 46;

function outline(c, [x, y, w, h], { left, top, scale }, dpr) {
  for (const [width, ink] of [[4, "rgba(255,255,255,.9)"], [2, MARKS.chosen]]) {
    c.beginPath();
    c.roundRect(left + x * scale - 2 * dpr, top + y * scale - 2 * dpr, w * scale + 4 * dpr, h * scale + 4 * dpr, 6 * dpr);
    c.strokeStyle = ink;
    c.lineWidth = width * dpr;
    c.stroke();
  }
}

function shadeOf(one, map, { light, lit }) {
  if (light.plain) return "";
  const { arena } = map.town.placeAt(Math.floor(one.x), Math.floor(one.y));
  return light.dark > 0.15 && lit.has(arena) && map.light.indoors[arena] ? "" : light.colour;
}

/** Return somebody as a figure on the screen, `{n, one, px, py, x, y, w, h, mark, colour}`; null where they are not seen. */
function figureOf(map, one, { view, tall, wide, high }) {
  const [px, py] = [view.left + one.x * view.scale, view.top + one.y * view.scale];
  if (px < -tall || py < 0 || px > wide + tall || py > high + tall * 1.2) return null;
  const { n } = one;
  const mark = map.selected === n ? "chosen" : map.pointed === n ? "pointed" : "";
  return { n, one, px, py, mark, colour: map.replay.people[n].colour, ...map.people.box(one, px, py, tall) };
}

function body(c, map, figure, scene) {
  const { tall, dpr } = scene;
  const { one, px, py, mark } = figure;
  if (mark && figure.h < SMALL * dpr) beacon(c, figure, dpr, MARKS[mark]);
  else if (mark) ring(c, px, py, tall, MARKS[mark]);
  map.people.draw(c, one, px, py, tall, shadeOf(one, map, scene));
  if (one.deed && one.deed.fallback) dashed(c, figure, dpr, GIVEN);
  else if (one.deed && one.deed.nowhere) dashed(c, figure, dpr, UNPLACED, DOTS);
  if (map.replay.people[one.n].visitor) visiting(c, px, py, tall);
}

function put(c, { image, x, y, w, h, alpha }) {
  c.globalAlpha = alpha;
  c.drawImage(image, Math.round(x + (w - image.width) / 2), Math.round(y + (h - image.height) / 2));
  c.globalAlpha = 1;
}

/**
 * Paint everything that moves, and return where it is on the screen: `figures` of people, those drawn last at the end, `captions`
 * and the `bubbles` of what is said.
 */
export function paintScene(c, map, scene) {
  const { view, dpr, wide, high, crowd } = scene;
  const { replay, chosen, speech } = map;
  c.imageSmoothingEnabled = true;
  const rect = chosen && chosen.kind !== "person" ? rectOf(chosen, replay.map) : null;
  if (rect) outline(c, rect, view, dpr);
  const figures = crowd.map((one) => figureOf(map, one, scene)).filter(Boolean);
  const spots = new Map(figures.map((figure) => [figure.n, figure]));
  speech.heed(scene.at, scene.realNow, spots, scene);
  const bubbles = speech.lay(spots, { w: wide, h: high }, dpr);
  const captions = map.captions.lay(figures, bubbles, { map, scene: { ...scene, marks: MARKS } });
  for (const each of captions) if (each.isLow) put(c, each);
  for (const figure of figures) body(c, map, figure, scene);
  for (const each of captions) if (!each.isLow) put(c, each);
  speech.draw(c, spots, dpr);
  return { figures, captions, bubbles: speech.shown() };
}
