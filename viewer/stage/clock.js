// The clock of what is shown: it plays, skips what is quiet, and stays within what is known.

/** How fast it can go; 1 is ten town seconds in a second. */
export const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
/** Town seconds in a second at speed 1: a person walks about a tile. */
export const PACE = 10;
/** A stretch this long without anything to see is skipped. */
export const QUIET = 300;
const RUSH_SECONDS = 0.4;
const LEAD = 10;

/**
 * Where the playhead is; `end()`, `stirs(at)`, `open()` say what is known, what happens next, and whether more may come.
 */
export class Clock {
  constructor({ end, stirs, open = () => false, tick = 10 }) {
    this.end = end;
    this.stirs = stirs;
    this.open = open;
    this.tick = tick;
    this.at = 0;
    this.speed = 8;
    this.playing = false;
    this.live = false;
    // Whether the town is lived at this clock's speed, so that a speed does not leave the live edge.
    this.paced = false;
    this.skipping = true;
    this.rush = null;
    this.listeners = new Set();
  }

  /** Call a function with the name of each thing done: seek, play, pause, speed, live, skip; return what takes it off. */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  heed(name) {
    for (const listener of this.listeners) listener(name);
  }

  /** Whether the playhead stands at the last second that is known. */
  get atEdge() {
    return this.at >= this.end();
  }

  /** Let time run; from the beginning where a finished run stands at its end. */
  play() {
    if (this.atEdge && !this.open() && !this.live) this.at = 0;
    this.playing = true;
    this.heed("play");
  }

  pause() {
    this.playing = false;
    this.live = false;
    this.rush = null;
    this.heed("pause");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Pass quickly over what lies before a second, as over a quiet stretch. */
  hurry(to) {
    if (to > this.at) this.rush = { to, pace: Math.max(PACE * this.speed, (to - this.at) / RUSH_SECONDS) };
  }

  /** Go to a second; it is kept within what is known. */
  seek(at) {
    this.live = false;
    this.rush = null;
    this.at = Math.min(Math.max(0, at), this.end());
    this.heed("seek");
  }

  /** Hold time and go whole ticks on or back. */
  step(ticks) {
    if (this.playing) this.pause();
    const from = ticks > 0 ? Math.floor(this.at / this.tick) : Math.ceil(this.at / this.tick);
    this.seek((from + ticks) * this.tick);
  }

  /** Set the speed, and leave the live edge, where that goes at its own. */
  setSpeed(speed) {
    this.speed = SPEEDS.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a));
    this.live = this.live && this.paced;
    this.rush = null;
    this.heed("speed");
  }

  /** Take the next higher speed, or with -1 the next lower one. */
  change(by) {
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(this.speed) + by))]);
  }

  /** Stay at the last second that is known. */
  goLive() {
    this.live = true;
    this.playing = true;
    this.rush = null;
    this.at = this.end();
    this.heed("live");
  }

  setSkipping(skipping) {
    this.skipping = skipping;
    this.rush = null;
    this.heed("skip");
  }

  /** Let real seconds pass; return whether the playhead moved. */
  frame(seconds) {
    if (!this.playing) return false;
    const before = this.at;
    if (this.live) this.follow(seconds);
    else this.advance(seconds);
    const end = this.end();
    if (this.at >= end) this.arrive(end);
    return this.at !== before;
  }

  advance(seconds) {
    const pace = PACE * this.speed;
    if (!this.rush && this.skipping) this.rush = this.quiet(pace);
    if (!this.rush) {
      this.at += pace * seconds;
      return;
    }
    this.at += this.rush.pace * seconds;
    if (this.at < this.rush.to) return;
    this.at = this.rush.to;
    this.rush = null;
  }

  /** The quiet stretch that begins now, as where it ends and how fast it passes; null when something happens soon. */
  quiet(pace) {
    const next = Math.min(this.stirs(this.at), this.end());
    const to = next - LEAD;
    if (next - this.at <= QUIET) return null;
    return { to, pace: Math.max(pace, (to - this.at) / RUSH_SECONDS) };
  }

  /** Close in on the live edge, fast when far from it, so that nobody jumps. */
  follow(seconds) {
    const behind = this.end() - this.at;
    this.at += behind < 1 ? behind : behind * (1 - Math.exp(-3 * seconds));
  }

  arrive(end) {
    this.at = end;
    this.rush = null;
    if (!this.open()) this.pause();
  }
}
