// Whether a run is just being started, from this page or with the request of a fresh fork: its owner takes seconds to appear.

/** Milliseconds between two questions to the server whether a run that nobody lives yet is still being started. */
const EVERY = 2000;

/** Knows whether a run is being started; calls `changed` when that is over without its owner's word. */
export class Starting {
  constructor(replay, source, changed) {
    this.replay = replay;
    this.source = source;
    this.changed = changed;
    this.timer = 0;
    if (replay.head.starting) this.wait();
  }

  get now() {
    return this.timer !== 0 && this.replay.until === this.from;
  }

  /** Note that the run was asked to go on. */
  begin() {
    this.wait();
    this.changed();
  }

  wait() {
    clearTimeout(this.timer);
    this.from = this.replay.until;
    this.timer = setTimeout(() => this.look(), EVERY);
  }

  /** Wait on while the server starts it: a model in a file takes a minute to be read. */
  async look() {
    const { starting } = await this.source.head().catch(() => ({ starting: false }));
    if (this.timer === 0) return;
    if (starting && this.now) this.wait();
    else this.end();
  }

  end() {
    if (this.timer === 0) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }
}
