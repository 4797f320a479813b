// Where people are at a second: the place they stand in, or from where to where they walk.
import { placeWords } from "./people/words.js";

const OUTDOORS = "outdoors";

function holds([left, top, wide, high], x, y) {
  return x >= left && x < left + wide && y >= top && y < top + high;
}

/** Return the address of the room at a tile, else of the house; "outdoors" between houses; "" on a map without places. */
export function addressAt(map, x, y) {
  if (!map.sectors.length && !map.arenas.length) return "";
  const found = [map.arenas, map.sectors].map((places) => places.find(({ rect }) => holds(rect, x, y)));
  return (found[0] || found[1])?.address || OUTDOORS;
}

/** Return where a person is, `{here, from, to}`: `from` and `to` are empty unless they walk from one room to another. */
export function whereabouts(replay, n, at) {
  const spot = replay.position(n, at);
  const deed = replay.deed(n, at);
  const still = { here: "", from: "", to: "" };
  // Who is not in town, or only calls from outside, is in no place of it.
  if (!spot || (deed && !deed.place)) return still;
  const here = addressAt(replay.map, Math.round(spot.x), Math.round(spot.y)) || deed?.place || "";
  const walk = replay.way(n, at);
  const [from, to] = walk ? walk.map(([x, y]) => addressAt(replay.map, x, y)) : ["", ""];
  if (from === to) return { ...still, here: deed?.place.startsWith(`${here}: `) ? deed.place : here };
  return { here, from, to };
}

/** Return from where to where somebody goes, in words: rooms within a house, else houses. */
export function wayWords(from, to) {
  const [before, after] = [from.split(": "), to.split(": ")];
  const last = before[0] === after[0] ? -1 : 0;
  return `from ${before.at(last)} to ${after.at(last)}`;
}

/** Return where a person is in words: `counter, main room, Copper Kettle Cafe`, or `on the way from ... to ...`. */
export function whereWords({ here, from, to }) {
  return from ? `on the way ${wayWords(from, to)}` : placeWords(here);
}
