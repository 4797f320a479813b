// What keys and buttons do to time, on one map or two.

/** Pixels by which a key moves a map. */
export const PAN = 90;

/** Acts on `this.clock`, the same for a town and for two of them. */
export class PlayActs {
  /** Play or pause. */
  togglePlay() {
    this.clock.toggle();
  }

  /** Hold time and go ticks on or back. */
  step(ticks) {
    this.clock.step(ticks);
  }

  /** Go faster. */
  faster() {
    this.clock.faster();
  }

  /** Go slower. */
  slower() {
    this.clock.slower();
  }

  /** Go to a second. */
  seekTo(at) {
    this.clock.seek(at);
  }

  /** Skip what is quiet, or not. */
  toggleSkip() {
    this.clock.setSkipping(!this.clock.skipping);
  }
}
