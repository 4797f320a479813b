// Rows in the order of time, and the search among them.

/** Return how many of the sorted numbers are at most `at`. */
export function countUpTo(numbers, at) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] <= at) low = middle + 1;
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
    const last = this.times.length - 1;
    if (last < 0 || this.times[last] <= at) {
      this.times.push(at);
      this.rows.push(row);
      return;
    }
    const place = countUpTo(this.times, at);
    this.times.splice(place, 0, at);
    this.rows.splice(place, 0, row);
  }

  /** Return the last row at or before a time, or null. */
  last(at) {
    const count = countUpTo(this.times, at);
    return count ? this.rows[count - 1] : null;
  }

  /** Return the rows from one time to another, both included. */
  between(from, to) {
    return this.rows.slice(countUpTo(this.times, from - 1e-6), countUpTo(this.times, to));
  }
}
