// When the town stirs: the stretches in which somebody walks, talks or changes something.
import { countUpTo } from "./sorted.js";

/** Stretches of time that do not touch, in their order. */
export class Stirs {
  constructor() {
    this.starts = [];
    this.ends = [];
  }

  /** Take in stretches [start, end], of any order. */
  add(stretches) {
    const sorted = stretches.slice().sort((a, b) => a[0] - b[0]);
    if (!sorted.length) return;
    const known = this.starts.length ? this.starts[this.starts.length - 1] : -Infinity;
    if (sorted[0][0] < known) this.begin(sorted);
    else for (const [start, end] of sorted) this.extend(start, end);
  }

  begin(sorted) {
    const all = this.starts.map((start, i) => [start, this.ends[i]]).concat(sorted);
    this.starts = [];
    this.ends = [];
    for (const [start, end] of all.sort((a, b) => a[0] - b[0])) this.extend(start, end);
  }

  extend(start, end) {
    const last = this.ends.length - 1;
    if (last >= 0 && start <= this.ends[last]) {
      this.ends[last] = Math.max(this.ends[last], end);
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
  }

  /** Return the next second, from `at` on, at which something happens; Infinity when nothing does. */
  next(at) {
    const count = countUpTo(this.starts, at);
    if (count && this.ends[count - 1] > at) return at;
    return count < this.starts.length ? this.starts[count] : Infinity;
  }
}
