// Who thinks just now: dots that pass in a bubble over their heads, so that a slow model's town is no still picture.

const BEAT = 500;

/** The people whose thoughts are being waited for; `spoil` draws the map again with each beat. */
export class Thinkers {
  constructor(spoil, { reducedMotion = false } = {}) {
    this.spoil = spoil;
    this.reducedMotion = reducedMotion;
    this.who = new Set();
    this.phase = 0;
    this.timer = 0;
  }

  /** Show that these people think, and nobody else. */
  set(numbers) {
    const same = numbers.length === this.who.size && numbers.every((n) => this.who.has(n));
    if (same) return;
    this.who = new Set(numbers);
    clearInterval(this.timer);
    this.timer = numbers.length && !this.reducedMotion ? setInterval(() => this.beat(), BEAT) : 0;
    this.spoil();
  }

  beat() {
    if (document.hidden) return;
    this.phase = (this.phase + 1) % 3;
    this.spoil();
  }
}
