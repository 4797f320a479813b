// Somebody's life in numbers, up to this moment.

import { fill, h } from "../dom.js";
import { upTo } from "./life.js";
import { outcomeMark } from "./pieces.js";
import { endOf } from "./thoughts.js";
import { KINDS, lasting } from "./words.js";

/** The section Counters. */
export class CountersSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "counters" });
  }

  /** Return what the drawing depends on. */
  stamp() {
    const { replay, n, at, tick, life } = this.scene;
    const talk = replay.talksAt(at).find((each) => each.who.includes(n));
    const lines = talk ? talk.lines.filter((line) => line.at <= at).length : 0;
    return [replay.deed(n, at)?.tick, tick > 0, life?.formed(tick), life?.thought(tick), talk?.id, lines].join();
  }

  /** Draw it. */
  draw() {
    fill(this.root, this.days(), this.memories(), this.thoughts());
  }

  days() {
    const { replay, n, at, tick } = this.scene;
    const byTick = (deed) => deed.tick;
    const deeds = replay.deeds(n).slice(0, upTo(replay.deeds(n), tick, byTick));
    const refused = upTo(replay.refused(n), tick, byTick);
    const talks = replay.talksOf(n).filter((talk) => talk.start <= at);
    const lines = talks.flatMap((talk) => talk.lines).filter((line) => line.n === n && line.at <= at);
    const spoken = talks.reduce((sum, talk) => sum + Math.min(talk.end, at) - talk.start, 0);
    const partners = new Set(talks.flatMap((talk) => talk.who));
    return group("What was done", [
      ["actions", deeds.length],
      ["decided by a fallback", deeds.filter((deed) => deed.fallback).length],
      ["with no fitting place", deeds.filter((deed) => deed.nowhere).length],
      ["from a routine", deeds.filter((deed) => deed.reused).length],
      ["refused by the town", refused],
      ["talks", talks.length],
      ["lines said", lines.length],
      ["people talked with", Math.max(0, partners.size - 1)],
      ["time in talks", lasting(spoken)],
    ]);
  }

  memories() {
    const { life, tick } = this.scene;
    const found = life ? life.memories(tick) : [];
    const rows = Object.entries(KINDS).map(([kind, { many }]) => [many, found.filter((each) => each.kind === kind).length]);
    const rated = found.filter((each) => life.importance(each, tick).rated).length;
    return group("Memories", [["in all", found.length], ...rows, ["rated", rated]]);
  }

  thoughts() {
    const { life, tick } = this.scene;
    const found = life ? life.thoughts(tick) : [];
    const counts = new Map();
    for (const each of found) counts.set(endOf(each), (counts.get(endOf(each)) || 0) + 1);
    const sum = (key) => found.reduce((total, each) => total + (each[key] || 0), 0);
    const ends = [...counts].map(([name, count]) => [outcomeMark(name), count]);
    return group("Thoughts", [["in all", found.length], ...ends, ["steps", sum("steps")], ["calls", sum("calls")]]);
  }
}

function group(title, rows) {
  const facts = rows.map(([term, value]) =>
    h("div", { class: "count" }, h("dt", {}, term), h("dd", {}, typeof value === "number" ? value.toLocaleString("en") : value)),
  );
  return h("section", { class: "count-group" }, h("h3", { class: "small-title" }, title), h("dl", { class: "counts" }, facts));
}
