// Whether a run is just being started, from this page or with the request of a fresh fork: its owner takes seconds to appear.

/** Milliseconds after which a run that nobody lives is taken for one that did not start. */
const LONG_ENOUGH = 30000;

/** Knows whether a run is being started; calls `changed` when that is over without its owner's word. */
export class Starting {
  constructor(film, changed) {
    this.film = film;
    this.changed = changed;
    this.timer = 0;
    const { waiting = [] } = film.head;
    if (new URLSearchParams(location.search).has("asked") && waiting.length) this.wait();
  }

  /** Whether the run is being started now. */
  get now() {
    return this.timer !== 0 && this.film.until === this.from;
  }

  /** Note that the run was asked to go on. */
  begin() {
    this.wait();
    this.changed();
  }

  wait() {
    clearTimeout(this.timer);
    this.from = this.film.until;
    this.timer = setTimeout(() => this.end(), LONG_ENOUGH);
  }

  /** Note that it has begun, or will not. */
  end() {
    if (this.timer === 0) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }
}
