// One person's life, read as it was at a moment: rows of later ticks are not there yet.

import { DAY } from "../times.js";

const PROVISIONAL = { event: 3, thought: 5, talk: 5, dream: 3 };

/** Return how many rows of an ascending list have a key of at most `bound`. */
export function upTo(rows, bound, key) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(rows[middle]) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

const byTick = (row) => row[0];

/** A person's file; every question is answered as of a tick. */
export class Life {
  constructor(data) {
    this.data = data;
    this.until = data.until;
    this.byId = new Map(data.memories.map((memory) => [memory.id, memory]));
    this.changes = data.memories.flatMap(changesOf).sort((a, b) => a - b);
  }

  /** Return the memories formed by a tick, oldest first. */
  memories(tick) {
    const all = this.data.memories;
    return all.slice(0, this.formed(tick));
  }

  /** Return how many memories were formed by a tick. */
  formed(tick) {
    return upTo(this.data.memories, tick, (memory) => memory.tick);
  }

  /** Return the rating a memory had at a tick: {value, reason, rated}. */
  importance(memory, tick) {
    const count = upTo(memory.importance, tick, byTick);
    if (count === 0) return { value: PROVISIONAL[memory.kind] ?? 3, reason: "", rated: false };
    const [, value, reason] = memory.importance[count - 1];
    return { value, reason: reason || "", rated: true };
  }

  /** Return how many ratings, recalls and returns of memories there were by a tick. */
  changed(tick) {
    return upTo(this.changes, tick, (each) => each);
  }

  /** Return how often the very same thing had been met by a tick. */
  strength(memory, tick) {
    const rows = memory.strength || [];
    const count = upTo(rows, tick, byTick);
    return count ? rows[count - 1][1] : 1;
  }

  /** Return how often a memory had come to mind by a tick. */
  recalled(memory, tick) {
    return upTo(memory.accessed || [], tick, (each) => each);
  }

  /** Return the plan that held at a tick for a day (from 1), or null. */
  plan(tick, day) {
    return this.#planRow(tick, day)?.[1] ?? null;
  }

  /** Return the first plan of a day that had hours, as far as it was made by a tick, or null. */
  morning(tick, day) {
    const rows = this.data.plans;
    const count = upTo(rows, tick, byTick);
    for (let i = 0; i < count; i += 1) {
      if (rows[i][1].day === day && rows[i][1].blocks.length) return rows[i][1];
    }
    return null;
  }

  #planRow(tick, day) {
    const rows = this.data.plans;
    for (let i = upTo(rows, tick, byTick) - 1; i >= 0; i -= 1) {
      if (rows[i][1].day === day) return rows[i];
    }
    return null;
  }

  /** Return what was on the mind at a tick; empty where nothing is known. */
  currently(tick) {
    const rows = this.data.currently || [];
    const count = upTo(rows, tick, byTick);
    return count ? rows[count - 1][1] : "";
  }

  /** Return what they were after at a tick; empty for nothing. */
  goal(tick) {
    const rows = this.data.goals || [];
    const count = upTo(rows, tick, byTick);
    return count ? rows[count - 1][1] : "";
  }

  /** Return how many plans were made by a tick. */
  planned(tick) {
    return upTo(this.data.plans, tick, byTick);
  }

  /** Return the changes of bonds by a tick, oldest first: [tick, name, relationship, feeling]. */
  bonds(tick) {
    return this.data.bonds.slice(0, upTo(this.data.bonds, tick, byTick));
  }

  /** Return how many bonds had changed by a tick. */
  bonded(tick) {
    return upTo(this.data.bonds, tick, byTick);
  }

  /** Return the thoughts by a tick as objects, oldest first. */
  thoughts(tick) {
    return this.data.thoughts.slice(0, this.thought(tick)).map(thoughtOf);
  }

  /** Return the levels of the needs at a second, between two moments at which they are known; null for none. */
  needs(at) {
    const rows = this.data.needs?.rows || [];
    const count = upTo(rows, at, byTick);
    if (count === 0) return null;
    const [before, levels] = rows[count - 1];
    const next = rows[count];
    if (!next) return levels;
    const share = (at - before) / (next[0] - before);
    const between = ([need, level]) => [need, level + share * ((next[1][need] ?? level) - level)];
    return Object.fromEntries(Object.entries(levels).map(between));
  }

  /** Return how many thoughts were thought by a tick. */
  thought(tick) {
    return upTo(this.data.thoughts, tick, byTick);
  }
}

function changesOf({ importance, strength, accessed }) {
  return [...importance.map(byTick), ...(strength || []).map(byTick), ...(accessed || [])];
}

function thoughtOf(row) {
  const [tick, at, stimuli, path, intent, outcome, failed, steps, calls, milliseconds, odd] = row;
  return { tick, at, stimuli, path, intent, outcome, failed, steps, calls, milliseconds, odd: Boolean(odd) };
}

/** Return the second at which a day begins. */
export function startOf(day) {
  return (day - 1) * DAY;
}
