// What somebody needs: how much now, and how that went over the day.

import { fill, h } from "../dom.js";
import { clockTime, dayOf } from "../times.js";
import { startOf } from "./life.js";

/** What each need is a need for: a high level reads as a strong need, not as plenty. */
const NAMES = { hunger: "food", hygiene: "a wash", social: "company", bladder: "the toilet" };
const SVG = "http://www.w3.org/2000/svg";
const HOURS = 24;
/** Town seconds that a curve must have lasted to be seen as one. */
const LEAST = 1800;
/** Shares of its bound below which a need is small, and from which on it is high. */
const SMALL = 0.4;
const HIGH = 0.75;

/** The section Needs. */
export class NeedsSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "needs" });
  }

  /** Return what the drawing depends on. */
  stamp() {
    const { life, at } = this.scene;
    return life ? `${Math.floor(at / 60)}` : "";
  }

  /** Draw it. */
  draw() {
    const { life, at } = this.scene;
    const now = life?.needs(at);
    if (!now) {
      fill(this.root, h("p", { class: "soft" }, "Their needs were left out, or nothing is known of them yet."));
      return;
    }
    const rows = Object.entries(now).map(([need, level]) => this.need(need, level));
    fill(this.root, h("ul", { class: "need-list" }, rows));
  }

  need(need, level) {
    const { at } = this.scene;
    const bound = this.scene.data.needs.bounds[need];
    const of = NAMES[need] || need;
    const name = `need for ${of}`;
    const said = `${howMuch(level, bound)}, ${Math.round(level)} of 100 (urgent from ${Math.round(bound)})`;
    const state = level >= bound ? "need need-urgent" : level >= HIGH * bound ? "need need-high" : "need";
    return h(
      "li",
      { class: state },
      h("div", { class: "need-head" }, h("span", {}, of), h("span", { class: "soft" }, said)),
      h("meter", { min: 0, max: 100, high: HIGH * bound, optimum: 0, value: level, "aria-label": name }),
      // At midnight there is nothing yet of the day to draw.
      at - startOf(dayOf(at)) < LEAST ? null : this.curve(need, name, bound, startOf(dayOf(at)), at),
    );
  }

  /** Return the curve of a need from midnight to this moment. */
  curve(need, name, bound, from, at) {
    const { life } = this.scene;
    const seconds = [...Array(HOURS * 4 + 1).keys()].map((i) => from + i * 900).filter((each) => each < at);
    const points = [...seconds, at].map((each) => [(each - from) / 3600, life.needs(each)?.[need]]);
    const known = points.filter(([, level]) => level !== undefined);
    const line = known.map(([hour, level]) => `${(hour * 10).toFixed(1)},${(50 - level / 2).toFixed(1)}`).join(" ");
    const title = `${name} today, from 00:00 to ${clockTime(at)}`;
    const drawing = piece("svg", {
      viewBox: "0 -2 240 54",
      preserveAspectRatio: "none",
      class: "need-curve",
      role: "img",
      "aria-label": title,
    });
    const y = (50 - bound / 2).toFixed(1);
    drawing.append(piece("line", { x1: 0, x2: 240, y1: y, y2: y, class: "need-bound" }));
    drawing.append(piece("polyline", { points: line, class: "need-line" }));
    return drawing;
  }
}

function howMuch(level, bound) {
  if (level >= bound) return "urgent";
  if (level >= HIGH * bound) return "high";
  return level < SMALL * bound ? "small" : "middling";
}

function piece(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}
