// In which order people are listed: by what happens, by name, by place.
import { sleeps } from "./map/crowd.js";
import { whereabouts } from "./whereabouts.js";

/** The orders there are, and what they are called. */
export const ORDERS = { now: "by what happens", name: "by name", place: "by place" };

const NOW = ["Talking", "Awake", "Asleep", "Not in town", "Not begun yet"];
const ON_THE_WAY = "On the way";
const AWAY = NOW[3];

function nowOf(replay, n, at, talking) {
  if (!replay.present(n, at)) return AWAY;
  // Before the first moment is lived nobody is known to be awake.
  if (replay.watermark < 0) return NOW[4];
  if (talking.has(n)) return NOW[0];
  return sleeps(replay.deed(n, at)) && !replay.position(n, at).walking ? NOW[2] : NOW[1];
}

function placeOf(replay, n, at) {
  if (!replay.present(n, at)) return AWAY;
  const { here, from } = whereabouts(replay, n, at);
  const [house] = here.split(": ");
  if (from) return ON_THE_WAY;
  return house ? house[0].toUpperCase() + house.slice(1) : "Elsewhere";
}

/** Return people, by their numbers, in groups `{name, people}` in one of the orders at a second; without any in none. */
export function grouped(replay, at, people, order) {
  const names = new Map(people.map((n) => [n, replay.people[n].name]));
  const byName = (a, b) => names.get(a).localeCompare(names.get(b), "en");
  if (order === "name") return [{ name: "", people: [...people].sort(byName) }];
  const talking = new Set(replay.talksAt(at).flatMap(({ who }) => who));
  const groups = new Map();
  for (const n of people) {
    const name = order === "place" ? placeOf(replay, n, at) : nowOf(replay, n, at, talking);
    if (!groups.has(name)) groups.set(name, { name, people: [] });
    groups.get(name).people.push(n);
  }
  const late = (name) => (name === AWAY ? 2 : name === ON_THE_WAY ? 1 : 0);
  const inOrder = order === "place"
    ? (a, b) => late(a.name) - late(b.name) || a.name.localeCompare(b.name, "en")
    : (a, b) => NOW.indexOf(a.name) - NOW.indexOf(b.name);
  return [...groups.values()].sort(inOrder);
}
