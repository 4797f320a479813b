// A day's plan and deeds laid on one axis of time: pure arithmetic, no drawing.

import { startOf } from "./life.js";
import { pieces } from "./now.js";

const MINUTE = 60;
const DAY_MINUTES = 1440;

/** Return what was done on a day up to a second: {start, end, deed, isNow} in minutes of the day. */
export function doneOn(deeds, day, at) {
  const from = startOf(day);
  const to = from + DAY_MINUTES * MINUTE;
  const found = [];
  deeds.forEach((deed, i) => {
    if (deed.start > at || deed.start >= to) return;
    const next = deeds[i + 1];
    const over = Math.min(deed.end, next && next.start <= at ? next.start : Infinity);
    const end = Math.min(over, at, to);
    if (end <= from && deed.start < from) return;
    const start = Math.max(deed.start, from);
    found.push({ deed, start: minutes(start - from), end: minutes(Math.max(end, start) - from), isNow: over > at });
  });
  return merged(found);
}

function minutes(seconds) {
  return Math.round(seconds / MINUTE);
}

/** Return the stretches with those put together that go on with the very same thing. */
function merged(found) {
  const kept = [];
  for (const each of found) {
    const last = kept.at(-1);
    const isSame =
      last &&
      last.deed.activity === each.deed.activity &&
      last.deed.kind === each.deed.kind &&
      last.deed.fallback === each.deed.fallback &&
      last.deed.nowhere === each.deed.nowhere &&
      last.deed.reused === each.deed.reused &&
      last.deed.place === each.deed.place;
    if (isSame) Object.assign(last, { end: each.end, isNow: each.isNow });
    else kept.push(each);
  }
  return kept;
}

/**
 * Return how a deed stands to the plan: {how: "planned"|"met"|"changed"|"free", meant, part}.
 * `part` is the planned activity of which a deed with words of its own is a part.
 */
export function against(deed, life, day, morning) {
  if (deed.kind === "talk" || deed.kind === "wait") return { how: "met", meant: "", part: "" };
  if (!morning) return { how: "free", meant: "", part: "" };
  const minute = (deed.start - startOf(day)) / MINUTE;
  const meant = hourAt(morning, minute);
  const piece = pieceOf(deed, life.plan(deed.tick, day) || morning, minute);
  const hours = new Set(morning.blocks.map((block) => block.activity));
  if (hours.has(deed.activity)) return { how: "planned", meant, part: "" };
  return piece && hours.has(piece.hour) ? { how: "planned", meant, part: piece.hour } : { how: "changed", meant, part: "" };
}

/** Return the part of a plan that a deed comes from: of several with its words the one of its minute. */
function pieceOf(deed, plan, minute) {
  const same = pieces(plan).filter((each) => each.activity === deed.activity);
  return same.find((each) => each.start <= minute && minute < each.end) || same[0];
}

/** Return what a plan holds at a minute of the day. */
export function hourAt(plan, minute) {
  const block = plan.blocks.find((each) => each.start <= minute && minute < each.end);
  return block ? block.activity : "";
}

/** Return the axis of some stretches: the minutes at which a row begins, and each row's height. */
export function axis(stretches, now) {
  const edges = new Set([0, DAY_MINUTES]);
  for (const { start, end } of stretches) edges.add(start).add(end);
  if (now !== null) edges.add(now);
  const lines = [...edges].filter((edge) => edge >= 0 && edge <= DAY_MINUTES).sort((a, b) => a - b);
  const heights = lines.slice(1).map((edge, i) => Math.min(34, Math.max(2, (edge - lines[i]) * 0.28)));
  return { lines, heights };
}

/** Return a stretch's rows on the grid; one that lasted no minute has the row that follows. */
export function rowsOf(lines, { start, end }) {
  const first = lines.indexOf(start) + 1;
  return `${first} / ${Math.max(first + 1, lines.indexOf(end) + 1)}`;
}
