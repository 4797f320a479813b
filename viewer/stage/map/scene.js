// One frame over the still town: rings, people, bubbles, names, words.
import { Room, emojiBubble, snooze, thoughtBubble } from "./bubbles.js";
import { dashed, ring, visiting } from "./people.js";
import { rectOf } from "./picking.js";
import { drawStates } from "./states.js";
import { drawTooltip, toldOf } from "./tooltip.js";

const CHOSEN = "#c2256b";
const GIVEN = "#9a3b12";
const UNPLACED = "#7a5b00";
const DOTS = [1.6, 2.6];
const MANY = 80;
const NAMES = {
  day: { ink: "#2b2838", halo: "rgba(255,253,247,.92)" },
  night: { ink: "#fdf8ea", halo: "rgba(34,28,54,.88)" },
};

function outline(c, [x, y, w, h], { left, top, scale }, dpr) {
  for (const [width, ink] of [[4, "rgba(255,255,255,.9)"], [2, CHOSEN]]) {
    c.beginPath();
    c.roundRect(left + x * scale - 2 * dpr, top + y * scale - 2 * dpr, w * scale + 4 * dpr, h * scale + 4 * dpr, 6 * dpr);
    c.strokeStyle = ink;
    c.lineWidth = width * dpr;
    c.stroke();
  }
}

/** Return somebody's light: "" where it is bright around them. */
function shadeOf(one, map, { light, lit }) {
  if (light.plain) return "";
  const { arena } = map.town.placeAt(Math.floor(one.x), Math.floor(one.y));
  return light.dark > 0.15 && lit.has(arena) && map.light.indoors[arena] ? "" : light.colour;
}

function body(c, map, one, scene) {
  const { view, tall, wide, high, dpr } = scene;
  const [px, py] = [view.left + one.x * view.scale, view.top + one.y * view.scale];
  if (px < -tall || py < 0 || px > wide + tall || py > high + tall * 1.2) return null;
  const chosen = map.chosen && map.chosen.kind === "person" && map.chosen.n === one.n;
  if (chosen) ring(c, px, py, tall, CHOSEN);
  const box = map.people.draw(c, one, px, py, tall, shadeOf(one, map, scene));
  if (one.deed && one.deed.fallback) dashed(c, box, dpr, GIVEN);
  else if (one.deed && one.deed.nowhere) dashed(c, box, dpr, UNPLACED, DOTS);
  if (map.film.people[one.n].visitor) visiting(c, px, py, tall);
  return { n: one.n, one, px, py, chosen, ...box };
}

function above(c, map, box, scene, room, busy) {
  const { dpr, tall, at } = scene;
  const { one, px, y, h } = box;
  const size = Math.round(Math.min(30, Math.max(15, (tall / dpr) * 0.5)) * dpr);
  if (map.thinkers.who.has(box.n) && !busy.has(box.n)) {
    const image = thoughtBubble(size, map.thinkers.phase);
    c.drawImage(image, Math.round(px - size / 2), Math.round(y - image.height + h * 0.02));
    return;
  }
  if (one.pose === "asleep") {
    const image = snooze(Math.round(size * 0.62), Math.floor(at / 15) % 3);
    c.drawImage(image, Math.round(px + tall * 0.12), Math.round(y - image.height * 0.55));
    return;
  }
  if (!one.deed || !one.deed.emoji || busy.has(box.n)) return;
  if (!box.chosen && !room.take(px, y)) return;
  const image = emojiBubble(one.deed.emoji, size, one.deed.fallback, one.deed.odd);
  c.drawImage(image, Math.round(px - size / 2), Math.round(y - image.height + h * 0.02));
}

function spotsOf(boxes, film) {
  const spots = new Map();
  for (const { n, px, y } of boxes) spots.set(n, { x: px, y, colour: film.people[n].colour });
  return spots;
}

/** Paint everything that moves, and return where people are on the screen, those drawn last at the end. */
export function paintScene(c, map, scene) {
  const { view, dpr, wide, high, crowd, tall, light } = scene;
  const { film, chosen } = map;
  c.imageSmoothingEnabled = true;
  const rect = chosen && chosen.kind !== "person" ? rectOf(chosen, film.map) : null;
  if (rect) outline(c, rect, view, dpr);
  drawStates(c, scene.things, view, wide, high, dpr, chosen && chosen.kind === "object" ? chosen.n : null);
  const boxes = crowd.map((one) => body(c, map, one, scene)).filter(Boolean);
  const spots = spotsOf(boxes, film);
  map.speech.heed(scene.at, scene.realNow, spots, wide, high);
  const busy = new Set([...map.speech.up.values()].map(({ line }) => line.n));
  const room = new Room(boxes.length > MANY ? tall * 0.8 : 4 * dpr);
  const colours = light.dark > 0.45 ? NAMES.night : NAMES.day;
  const taken = [];
  for (const box of boxes) {
    const low = box.py + tall * (box.one.pose === "asleep" ? 0.4 : 0.06);
    map.people.name(c, box, low, view.scale / dpr, { dpr, colours, taken });
  }
  for (const box of boxes) above(c, map, box, scene, room, busy);
  map.speech.draw(c, scene.realNow, spots, wide, high, dpr);
  const { hovered } = map;
  if (hovered) drawTooltip(c, toldOf(hovered.pick, film, scene.at), hovered.x * dpr, hovered.y * dpr, wide, high, dpr);
  return boxes;
}
