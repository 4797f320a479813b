// Keeps slower drawing calm: at most four times a second, and the last wish is always carried out.

const BETWEEN = 250;

/** Calls `draw` at once, or a little later when it was called just now. */
export class Pace {
  constructor(draw) {
    this.draw = draw;
    this.last = -Infinity;
    this.timer = 0;
  }

  ask() {
    if (this.timer) return;
    const wait = this.last + BETWEEN - performance.now();
    if (wait <= 0) this.run();
    else this.timer = setTimeout(() => this.run(), wait);
  }

  run() {
    this.timer = 0;
    this.last = performance.now();
    this.draw();
  }
}
