// Town words for what the replay tells in machine words.

import { clockTime, dateWords, dayOf } from "../times.js";

const WHY = {
  new_day: "a new day",
  action_ended: "what was done is over",
  sight: "something new in sight",
  talk_ended: "a talk ended",
  inner_voice: "an inner voice",
  refused: "it could not be done",
  need: "a need was felt",
};

const NODES = {
  feel_needs: "feel needs",
  perceive: "look around",
  conclude_talk: "conclude the talk",
  keep_appointments: "keep what was agreed",
  hear_whispers: "hear a voice",
  heed_inner_voice: "heed the voice",
  rate_importance: "rate memories",
  draw_for_dream: "memories come up",
  dream: "dream",
  draw_for_wander: "memories come up",
  wander: "think of something new",
  revise_identity: "revise who I am",
  revise_goal: "think about a goal",
  plan_day: "plan the day",
  plan_hours: "plan the hours",
  react: "react",
  replan: "plan anew",
  decompose: "split the hour",
  reuse_places: "the same place again",
  place_named: "go where it says",
  ground_block: "find the place",
  act: "act",
  say: "say something",
  choose_place: "choose a place",
  reflect_questions: "ask myself",
  reflect_insights: "reflect",
  choose_happening: "let something happen in town",
  advance_plot: "carry the story on",
};

/** How a step can end: a shape, a word and what it means, from good to bad. */
export const OUTCOMES = {
  clean: { shape: "●", word: "clean", means: "the first answer was right" },
  mended: { shape: "◐", word: "mended", means: "right after a mend in code" },
  repaired: { shape: "◆", word: "repaired", means: "right after it was told what was wrong" },
  escalated: { shape: "▲", word: "escalated", means: "answered by the strong model" },
  fallback: { shape: "□", word: "fallback", means: "given up: the declared fallback was used" },
  odd: { shape: "◇", word: "odd", means: "accepted, and something in an answer makes no sense" },
  failed: { shape: "✕", word: "failed", means: "the thought failed and left nothing behind" },
  none: { shape: "–", word: "no model asked", means: "no model was asked" },
};

/** Emoji of a memory's kind, and its name for one and for many. */
export const KINDS = {
  event: { emoji: "👀", one: "event", many: "events" },
  thought: { emoji: "💭", one: "thought", many: "thoughts" },
  talk: { emoji: "💬", one: "talk", many: "talks" },
  dream: { emoji: "🌙", one: "dream", many: "dreams" },
};

/** Return the date of a day counted from 1, `Tuesday 7 May`; `day 2` where no date is known. */
export function dateOf(start, day) {
  return start ? dateWords(start, day) : `day ${day}`;
}

/** Return date and clock of a town second, `Tuesday 7 May, 14:30`. */
export function whenOf(start, at) {
  return `${dateOf(start, dayOf(at))}, ${clockTime(at)}`;
}

/** Return the clock of a minute of the day; the last one reads `24:00`. */
export function minuteOf(minute) {
  return minute === 1440 ? "24:00" : clockTime(minute * 60);
}

/** Return the clock, after the short date where it is of another day than `now`. */
export function briefly(start, at, now) {
  if (dayOf(at) === dayOf(now)) return clockTime(at);
  const [week, number, month] = dateOf(start, dayOf(at)).split(" ");
  return month ? `${week.slice(0, 3)} ${number} ${month.slice(0, 3)}, ${clockTime(at)}` : `day ${number}, ${clockTime(at)}`;
}

/** Return a number with its word: `1 talk`, `3 talks`. */
export function many(count, one, more = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
}

/** Return each word once, with how often it came: `an inner voice ×3`. */
export function counted(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) || 0) + 1);
  return [...counts].map(([word, count]) => (count > 1 ? `${word} ×${count}` : word));
}

/** Return why a thought was thought, in words. */
export function because(stimuli) {
  return counted(stimuli.map((each) => WHY[each] || each.replaceAll("_", " "))).join(", ");
}

/** Return a node's name in words. */
export function nodeWords(name) {
  return NODES[name] || name.replaceAll("_", " ");
}

/** Return an address's parts from the nearest: `kitchen, Fern Cottage`. */
export function placeWords(address) {
  return (address || "").split(": ").filter(Boolean).reverse().join(", ");
}

/** Return an activity as a sentence about somebody, without its full stop. */
export function told(name, activity) {
  const first = activity.split(" ", 1)[0];
  return first.endsWith("ing") ? `${name} is ${activity}` : `${name}: ${activity}`;
}

const STRANGER = { name: "Somebody", short: "Somebody", initials: "?", colour: "#777777" };

/** Return a person of a replay; somebody unknown where it has none of this number. */
export function personOf(replay, n) {
  return replay.people[n] || STRANGER;
}

/** Return names as they are listed: `Ada, Ben and Cora`. */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Return a duration in words: `25 min`, `2 h 5 min`. */
export function lasting(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.round(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ""}`;
}
