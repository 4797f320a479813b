// Pictures one after another, only while something changes; and slower parts four times a second.

const SLOW = 250;
const LONGEST = 0.1;

/** Calls `frame(seconds, now)` for each picture while it returns true, and `slow()` at most four times a second. */
export class Loop {
  constructor(frame, slow) {
    this.frame = frame;
    this.slow = slow;
    this.asked = 0;
    this.wanted = false;
    this.before = 0;
    this.slowAt = -Infinity;
    this.timer = 0;
    this.turn = this.turn.bind(this);
  }

  /** Draw at least one more picture. */
  wake() {
    this.wanted = true;
    if (this.asked) return;
    this.before = 0;
    this.asked = requestAnimationFrame(this.turn);
  }

  turn(now) {
    const seconds = this.before ? Math.min(LONGEST, (now - this.before) / 1000) : 0;
    this.before = now;
    // The first picture of a row has no time behind it, so that it says nothing of whether things move.
    this.wanted = seconds === 0;
    try {
      if (this.frame(seconds, now)) this.wanted = true;
    } finally {
      this.asked = this.wanted ? requestAnimationFrame(this.turn) : 0;
    }
    this.ease();
  }

  /** Bring the slower parts up to date, now or as soon as their time has come. */
  ease() {
    const wait = this.slowAt + SLOW - performance.now();
    if (wait <= 0) this.settle();
    else if (!this.timer) this.timer = setTimeout(() => this.settle(), wait);
  }

  settle() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.slowAt = performance.now();
    this.slow();
  }

  /** Draw nothing any more. */
  end() {
    cancelAnimationFrame(this.asked);
    clearTimeout(this.timer);
  }
}
