// Pictures one after another, only while something changes; and slower parts four times a second.
import { Pace } from "./pace.js";

const LONGEST = 0.1;

/** Calls `frame(seconds, now)` for each picture while it returns true, and `slow()` now and then. */
export class Loop {
  constructor(frame, slow) {
    this.frame = frame;
    this.slow = new Pace(slow);
    this.asked = 0;
    this.wanted = false;
    this.before = 0;
  }

  wake() {
    this.wanted = true;
    if (this.asked) return;
    this.before = 0;
    this.asked = requestAnimationFrame((now) => this.turn(now));
  }

  turn(now) {
    const seconds = this.before ? Math.min(LONGEST, (now - this.before) / 1000) : 0;
    this.before = now;
    // The first picture of a row has no time behind it, so that it says nothing of whether things move.
    this.wanted = seconds === 0;
    try {
      if (this.frame(seconds, now)) this.wanted = true;
    } finally {
      this.asked = this.wanted ? requestAnimationFrame((next) => this.turn(next)) : 0;
    }
    this.slow.ask();
  }
}
