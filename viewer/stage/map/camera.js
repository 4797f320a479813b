// The camera: which tile is in the middle, how large a tile is, and how it glides from one view to another.

/** Pixels that a tile may be wide at the most. */
export const NEAREST = 72;
const GLIDE = 110;
const SETTLED = 0.0015;

function between(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * A view of a town of so many tiles; lengths on the screen are in CSS pixels. `margin` is the share of the height that the
 * whole town leaves free above and below itself, for the names and people at its edges.
 */
export class Camera {
  constructor(width, height, { reducedMotion = false, margin = 0 } = {}) {
    this.town = { width, height };
    this.margin = margin;
    this.reducedMotion = reducedMotion;
    this.wide = 1;
    this.high = 1;
    this.now = { x: width / 2, y: height / 2, scale: 1 };
    this.goal = { ...this.now };
    this.anchor = null;
    this.before = 0;
    // Pixels at the foot of the screen that something lies over.
    this.below = 0;
  }

  /** Tiles by which the middle of the screen lies below the middle of what is left free of it. */
  get lift() {
    return this.below / 2 / this.goal.scale;
  }

  /** Take in how large the screen is; what is in the middle stays there. */
  resize(wide, high) {
    this.wide = Math.max(1, wide);
    this.high = Math.max(1, high);
    this.keep(this.goal);
    this.jump();
  }

  get whole() {
    return Math.min(this.wide / (this.town.width + 1), (this.high * (1 - 2 * this.margin)) / (this.town.height + 1));
  }

  /** Keep a view within the town and within what can be seen well. */
  keep(view) {
    view.scale = between(view.scale, Math.min(this.whole * 0.9, NEAREST), Math.max(NEAREST, this.whole));
    for (const [side, span, length] of [["x", this.wide, this.town.width], ["y", this.high, this.town.height]]) {
      const half = span / view.scale / 2;
      const slack = Math.min(half * 0.4, 4);
      const most = Math.max(length - half, length / 2) + slack + (side === "y" ? this.below / 2 / view.scale : 0);
      view[side] = between(view[side], Math.min(half, length / 2) - slack, most);
    }
  }

  jump() {
    this.now = { ...this.goal };
    this.anchor = null;
  }

  /** Go to a view: smoothly, or at once for those who want little motion. */
  go(view) {
    Object.assign(this.goal, view);
    this.anchor = null;
    this.keep(this.goal);
    if (this.reducedMotion) this.jump();
  }

  fit() {
    this.go({ x: this.town.width / 2, y: this.town.height / 2, scale: this.whole });
  }

  /** Move by pixels, at once: a hand is on it. */
  pan(dx, dy) {
    this.goal = { ...this.now, x: this.now.x + dx / this.now.scale, y: this.now.y + dy / this.now.scale };
    this.keep(this.goal);
    this.jump();
  }

  /** Zoom by a factor; the place below a point of the screen stays below it. */
  zoom(factor, sx = this.wide / 2, sy = this.high / 2, atOnce = false) {
    const [x, y] = this.toTown(sx, sy);
    const next = { scale: this.goal.scale * factor };
    next.scale = between(next.scale, Math.min(this.whole * 0.9, NEAREST), Math.max(NEAREST, this.whole));
    next.x = x + (this.wide / 2 - sx) / next.scale;
    next.y = y + (this.high / 2 - sy) / next.scale;
    this.goal = next;
    this.keep(this.goal);
    this.anchor = { sx, sy, x, y };
    if (atOnce || this.reducedMotion) this.jump();
  }

  /** Return the place below a point of the screen, in tiles. */
  toTown(sx, sy) {
    const { x, y, scale } = this.now;
    return [x + (sx - this.wide / 2) / scale, y + (sy - this.high / 2) / scale];
  }

  toScreen(x, y) {
    const { now } = this;
    return [(x - now.x) * now.scale + this.wide / 2, (y - now.y) * now.scale + this.high / 2];
  }

  get settled() {
    const { now, goal } = this;
    return now.x === goal.x && now.y === goal.y && now.scale === goal.scale;
  }

  /** Whether the scale stands still. */
  get steady() {
    return this.now.scale === this.goal.scale;
  }

  /** Glide on to a moment (milliseconds); return whether anything moved. */
  ease(realNow) {
    const passed = between(realNow - this.before, 0, 100);
    this.before = realNow;
    if (this.settled) return false;
    const share = 1 - Math.exp(-passed / GLIDE);
    const { now, goal, anchor } = this;
    now.scale *= (goal.scale / now.scale) ** share;
    const close = Math.abs(goal.scale / now.scale - 1) < SETTLED;
    if (anchor && !close) {
      now.x = anchor.x + (this.wide / 2 - anchor.sx) / now.scale;
      now.y = anchor.y + (this.high / 2 - anchor.sy) / now.scale;
      this.keep(now);
    } else {
      now.x += (goal.x - now.x) * share;
      now.y += (goal.y - now.y) * share;
    }
    const near = Math.hypot(goal.x - now.x, goal.y - now.y) * now.scale < 0.4;
    if (close) now.scale = goal.scale;
    if (close && near) this.jump();
    return true;
  }
}
