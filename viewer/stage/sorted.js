// Rows in the order of time, and the search among them.

/** Return how many rows of an ascending list have a key of at most `bound`. */
export function countUpTo(rows, bound, key = (row) => row) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (key(rows[middle]) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows in the order of a time each of them has; adding at the end is the usual case. */
export class Timeline {
  constructor() {
    this.times = [];
    this.rows = [];
  }

  /** Add a row where its time says, behind rows of the same time. */
  add(at, row) {
    const place = this.times.length && this.times.at(-1) > at ? countUpTo(this.times, at) : this.times.length;
    this.times.splice(place, 0, at);
    this.rows.splice(place, 0, row);
  }

  /** Return the last row at or before a time, or null. */
  last(at) {
    return this.rows[countUpTo(this.times, at) - 1] ?? null;
  }

  /** Return the rows from one time to another, both included. */
  between(from, to) {
    return this.rows.slice(countUpTo(this.times, from - 1e-6), countUpTo(this.times, to));
  }
}
