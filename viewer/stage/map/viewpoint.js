// What the map looks at: moved and zoomed by hand, on a place, or with people who are kept in the middle.
import { rectOf } from "./picking.js";

/** Pixels of a tile from which one can tell who is there. */
export const NEAR_ENOUGH = 26;

/** The view of a map that has a `camera`, a `replay`, and `spoil` to be drawn anew. */
export class Viewpoint {
  constructor() {
    this.following = null;
    // Who talk beside a card of the page: they go before who is followed.
    this.gathered = [];
  }

  /** Zoom by a factor, around the middle or a point of the canvas. */
  zoom(factor, x, y, atOnce) {
    this.camera.zoom(factor, x, y, atOnce);
    this.spoil();
  }

  /** Move the view by pixels; nobody is followed any more. */
  pan(dx, dy) {
    this.gathered = [];
    if (this.following !== null) this.follow(null);
    this.camera.pan(dx, dy);
    this.spoil();
  }

  /** Look where another map looks: at the same place, as large; who is followed stays in the middle. */
  look({ x, y, scale }) {
    this.camera.go(this.following === null ? { x, y, scale } : { scale });
    this.spoil();
  }

  /** Show at once what a map of this town has shown, as large; who is followed stays in the middle. */
  restore(view) {
    this.look(view);
    this.camera.jump();
  }

  /** Show the whole town. */
  fit() {
    this.gathered = [];
    this.follow(null);
    this.camera.fit();
    this.spoil();
  }

  /**
   * Show a place: an address, a pick, a rectangle `[x, y, w, h]`, a tile `[x, y]`,
   * or what has a `rect` or `x` and `y`.
   */
  show(thing) {
    const place = Array.isArray(thing) ? thing : thing.rect || rectOf(thing, this.map) || this.spotOf(thing);
    const [x, y, w = 1, h = 1] = place;
    if (!Number.isFinite(x + y)) return;
    const room = Math.min(this.camera.wide / (w + 6), this.camera.high / (h + 6), 44);
    const scale = w > 1 || h > 1 ? room : Math.max(this.camera.goal.scale, NEAR_ENOUGH);
    this.goTo({ x: x + w / 2, y: y + h / 2, scale });
  }

  /** Go to a view with a spot in the middle; nobody is followed any more. */
  goTo(view) {
    this.gathered = [];
    this.follow(null);
    this.camera.go(view);
    this.spoil();
  }

  spotOf(thing) {
    const place = thing.kind === "person" ? this.replay.position(thing.n, this.last.at) : thing;
    return place ? [place.x, place.y] : [];
  }

  /** Have a tile in the middle at once, where not the whole town is seen anyway. */
  centre({ x, y }) {
    if (this.camera.goal.scale <= this.camera.whole) return;
    this.camera.go({ x: x + 0.5, y: y + 0.5 });
    this.camera.jump();
    this.spoil();
  }

  /** Note how many pixels at the foot are covered; what was in the middle goes to the middle of what is left free. */
  cover(below) {
    const before = this.camera.lift;
    this.camera.below = below;
    this.camera.go({ y: this.camera.goal.y + this.camera.lift - before });
    this.spoil();
  }

  /** Keep people who talk together in what is left free of the map, near enough to tell who is there; nobody: no more. */
  gather(numbers) {
    this.gathered = numbers;
    if (numbers.length) this.camera.go({ scale: Math.max(this.camera.goal.scale, NEAR_ENOUGH) });
    this.spoil();
  }

  /** Keep somebody in the middle; null for nobody. */
  follow(n) {
    if (n === this.following) return;
    this.gathered = [];
    this.following = n;
    if (n !== null && this.camera.goal.scale < NEAR_ENOUGH) this.camera.go({ scale: NEAR_ENOUGH });
    this.spoil();
    this.onFollow(n);
  }

  /** Let the camera go with those who are kept in the middle. */
  keepUp(at) {
    const kept = this.gathered.length || this.following === null ? this.gathered : [this.following];
    if (kept.length) this.keepInView(kept, at);
  }

  keepInView(people, at) {
    const places = people.map((n) => this.replay.position(n, at)).filter(Boolean);
    if (!places.length) return;
    const { goal } = this.camera;
    const middle = (side) => places.reduce((sum, place) => sum + place[side], 0) / places.length + 0.5;
    const [x, y] = [middle("x"), middle("y") + this.camera.lift];
    if (Math.hypot(goal.x - x, goal.y - y) < 0.01) return;
    this.camera.go({ x, y });
  }
}
