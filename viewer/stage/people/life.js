// One person's life, read as it was at a moment: rows of later ticks are not there yet.

import { countUpTo } from "../sorted.js";

const PROVISIONAL = { event: 3, thought: 5, talk: 5, dream: 3 };

const byTick = (row) => row[0];
const lastOf = (rows, tick) => rows[countUpTo(rows, tick, byTick) - 1];

/** A person's file; every question is answered as of a tick. */
export class Life {
  constructor(data) {
    this.data = data;
    this.until = data.until;
    this.byId = new Map(data.memories.map((memory) => [memory.id, memory]));
    this.changes = data.memories.flatMap(({ importance, strength, accessed }) => {
      return [...importance.map(byTick), ...strength.map(byTick), ...accessed];
    }).sort((a, b) => a - b);
  }

  formed(tick) {
    return countUpTo(this.data.memories, tick, (memory) => memory.tick);
  }

  memories(tick) {
    return this.data.memories.slice(0, this.formed(tick));
  }

  /** Return the rating a memory had at a tick: {value, reason, rated}. */
  importance(memory, tick) {
    const [, value, reason] = lastOf(memory.importance, tick) ?? [];
    if (value === undefined) return { value: PROVISIONAL[memory.kind] ?? 3, reason: "", rated: false };
    return { value, reason: reason || "", rated: true };
  }

  /** Return how many ratings, recalls and returns of memories there were by a tick. */
  changed(tick) {
    return countUpTo(this.changes, tick);
  }

  /** Return how often the very same thing had been met by a tick. */
  strength(memory, tick) {
    return lastOf(memory.strength, tick)?.[1] ?? 1;
  }

  /** Return how often a memory had come to mind by a tick. */
  recalled(memory, tick) {
    return countUpTo(memory.accessed, tick);
  }

  plans(tick, day) {
    const rows = this.data.plans.slice(0, this.planned(tick));
    return rows.map(([, plan]) => plan).filter((plan) => plan.day === day);
  }

  plan(tick, day) {
    return this.plans(tick, day).at(-1) ?? null;
  }

  /** Return the first plan of a day that had hours, as far as it was made by a tick, or null. */
  morning(tick, day) {
    return this.plans(tick, day).find(({ blocks }) => blocks.length) ?? null;
  }

  planned(tick) {
    return countUpTo(this.data.plans, tick, byTick);
  }

  /** Return what was on the mind at a tick; empty where nothing is known. */
  currently(tick) {
    return lastOf(this.data.currently, tick)?.[1] ?? "";
  }

  /** Return what they were after at a tick; empty for nothing. */
  goal(tick) {
    return lastOf(this.data.goals || [], tick)?.[1] ?? "";
  }

  /** Return the changes of bonds by a tick, oldest first: [tick, name, relationship, feeling]. */
  bonds(tick) {
    return this.data.bonds.slice(0, countUpTo(this.data.bonds, tick, byTick));
  }

  thought(tick) {
    return countUpTo(this.data.thoughts, tick, byTick);
  }

  /** Return the thoughts by a tick as objects, oldest first; `end` is how the worst step ended. */
  thoughts(tick) {
    return this.data.thoughts.slice(0, this.thought(tick)).map((row) => {
      const [when, at, stimuli, path, intent, outcome, failed, steps, calls, milliseconds, odd] = row;
      const end = failed ? "failed" : outcome || "no model asked";
      return { tick: when, at, stimuli, path, intent, end, failed, steps, calls, milliseconds, odd: Boolean(odd) };
    });
  }

  /** Return the levels of the needs at a second, between two moments at which they are known; null for none. */
  needs(at) {
    const rows = this.data.needs?.rows || [];
    const count = countUpTo(rows, at, byTick);
    if (count === 0) return null;
    const [before, levels] = rows[count - 1];
    const next = rows[count];
    if (!next) return levels;
    const share = (at - before) / (next[0] - before);
    const between = ([need, level]) => [need, level + share * ((next[1][need] ?? level) - level)];
    return Object.fromEntries(Object.entries(levels).map(between));
  }
}
