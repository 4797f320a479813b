// A long list that is drawn in slices: the first sixty, and more when they are asked for.

import { button, h } from "../dom.js";
import { glideInto } from "../gliding.js";

const SLICE = 60;

/** A list whose items keep their nodes while they stay in it, so that focus and place stay too. */
export class Slices {
  /** `draw(item)` gives a node; `key(item)` changes whenever the node must be drawn anew. */
  constructor({ tag = "ol", className, draw, key, empty, label, role = null }) {
    this.draw = draw;
    this.key = key;
    this.shown = SLICE;
    this.items = [];
    this.nodes = new Map();
    this.list = h(tag, { class: className, "aria-label": label, role });
    this.more = button("", () => this.grow(), { class: "slices-more" });
    this.none = h("p", { class: "soft slices-none" }, empty);
    this.found = h("p", { class: "unseen", role: "status" });
    this.root = h("div", { class: "slices" }, this.list, this.none, this.more, this.found);
  }

  /** Show these items; from the start again, and their number told to listeners, when `anew`. */
  show(items, anew = false) {
    if (anew) {
      this.shown = SLICE;
      this.found.textContent = `${items.length} found`;
    }
    this.items = items;
    this.fill(anew);
  }

  /** Show one more slice; where that was the last, its first item has the focus. */
  grow() {
    const node = this.reach(this.shown);
    if (!node || !this.more.hidden) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
  }

  /** Return the node of the item at `index`, drawn if it was not yet. */
  reach(index) {
    if (index >= this.shown) {
      this.shown = Math.ceil((index + 1) / SLICE) * SLICE;
      this.fill();
    }
    return this.list.children[index];
  }

  fill(atOnce = false) {
    const wanted = this.items.slice(0, this.shown).map((item) => [this.key(item), item]);
    this.nodes = new Map(wanted.map(([key, item]) => [key, this.nodes.get(key) || this.draw(item)]));
    glideInto(this.list, [...this.nodes.values()], atOnce);
    const left = this.items.length - wanted.length;
    this.none.hidden = this.items.length > 0;
    this.more.hidden = left === 0;
    this.more.textContent = `Show more (${left.toLocaleString("en")} left)`;
  }
}
