// Talks: who spoke with whom, when, and line by line.
import { countUpTo, Timeline } from "./sorted.js";

function talkOf(row) {
  const lines = row.lines.map(([n, at, text, fallback, odd]) => {
    return { n, at, text, fallback: Boolean(fallback), odd: Boolean(odd), oddWhy: odd ?? [] };
  });
  return { ...row, lines };
}

export class Talks {
  constructor() {
    this.all = new Timeline();
    this.people = [];
    this.ends = null;
  }

  add(row) {
    const talk = talkOf(row);
    this.all.add(talk.start, talk);
    for (const n of talk.who) (this.people[n] ||= new Timeline()).add(talk.start, talk);
    this.ends = null;
    return talk;
  }

  at(at) {
    const ends = this.latest();
    const found = [];
    for (let i = countUpTo(this.all.times, at) - 1; i >= 0 && ends[i] > at; i -= 1) {
      if (this.all.rows[i].end > at) found.unshift(this.all.rows[i]);
    }
    return found;
  }

  /** The end of the talk that lasts longest among the first ones, for each count of them. */
  latest() {
    if (this.ends) return this.ends;
    let end = -Infinity;
    this.ends = this.all.rows.map((talk) => (end = Math.max(end, talk.end)));
    return this.ends;
  }

  of(n) {
    return this.people[n]?.rows ?? [];
  }
}
