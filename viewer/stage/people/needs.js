// What somebody needs: how much now, and how that went over the day.

import { drawing, fill, h } from "../dom.js";
import { clockTime, dayOf, startOf } from "../times.js";

/** What each need is a need for: a high level reads as a strong need, not as plenty. */
const NAMES = { hunger: "food", hygiene: "a wash", social: "company", bladder: "the toilet" };
/** Town seconds that a curve must have lasted to be seen as one, and from one of its points to the next. */
const LEAST = 1800;
const STEP = 900;
/** Shares of its bound below which a need is small, and from which on it is high. */
const SMALL = 0.4;
const HIGH = 0.75;

export class NeedsSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "needs" });
  }

  stamp() {
    const { life, at } = this.scene;
    return life ? `${Math.floor(at / 60)}` : "";
  }

  draw() {
    const { life, at } = this.scene;
    const now = life?.needs(at);
    fill(this.root, now ? h("ul", { class: "need-list" }, Object.entries(now).map(([need, level]) => this.need(need, level)))
      : h("p", { class: "soft" }, "Their needs were left out, or nothing is known of them yet."));
  }

  need(need, level) {
    const bound = this.scene.data.needs.bounds[need];
    const of = NAMES[need] || need;
    const name = `need for ${of}`;
    const isHigh = level >= HIGH * bound;
    const much = level >= bound ? "urgent" : isHigh ? "high" : level < SMALL * bound ? "small" : "middling";
    const said = `${much}, ${Math.round(level)} of 100 (urgent from ${Math.round(bound)})`;
    return h("li", { class: isHigh ? `need need-${much}` : "need" },
      h("div", { class: "need-head" }, h("span", {}, of), h("span", { class: "soft" }, said)),
      h("meter", { min: 0, max: 100, high: HIGH * bound, optimum: 0, value: level, "aria-label": name }),
      this.curve(need, name, bound));
  }

  /** Return the curve of a need from midnight to this moment; nothing at midnight. */
  curve(need, name, bound) {
    const { life, at } = this.scene;
    const from = startOf(dayOf(at));
    if (at - from < LEAST) return null;
    const points = [];
    for (let second = from; second < at + STEP; second += STEP) {
      const shown = Math.min(second, at);
      const level = life.needs(shown)?.[need];
      if (level !== undefined) points.push(`${((shown - from) / 360).toFixed(1)},${(50 - level / 2).toFixed(1)}`);
    }
    const y = (50 - bound / 2).toFixed(1);
    return drawing("svg", {
      viewBox: "0 -2 240 54", preserveAspectRatio: "none", class: "need-curve", role: "img",
      "aria-label": `${name} today, from 00:00 to ${clockTime(at)}`,
    }, drawing("line", { x1: 0, x2: 240, y1: y, y2: y, class: "need-bound" }),
    drawing("polyline", { points: points.join(" "), class: "need-line" }));
  }
}
