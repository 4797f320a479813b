// A day: the plan on the left, what was done on the right, on one axis of time.

import { button, emoji, fill, h, say, words } from "../dom.js";
import { against, axis, doneOn, hourAt, rowsOf } from "./day_rows.js";
import { dayOf } from "../times.js";
import { startOf } from "./life.js";
import { deedMarks, reveal, whyDone } from "./pieces.js";
import { dateOf, minuteOf, placeWords } from "./words.js";

const HOW = {
  planned: ["", "As planned, or a part of it"],
  met: ["+", "Not in the plan: somebody was met"],
  changed: ["≠", "Other than planned"],
  free: ["", ""],
};

/** The section Day; it shows the day of the moment until another one is chosen. */
export class DaySection {
  constructor(scene) {
    this.scene = scene;
    this.back = 0;
    this.title = h("h3", { class: "day-title", "aria-live": "polite" });
    this.before = button("‹", () => this.turn(1), { class: "quiet-button", "aria-label": "The day before" });
    this.after = button("›", () => this.turn(-1), { class: "quiet-button", "aria-label": "The day after" });
    this.isFresh = true;
    this.body = h("div", { class: "day-body" });
    this.root = h("div", { class: "day" }, h("div", { class: "day-head" }, this.before, this.title, this.after), this.body);
  }

  /** Show `steps` days earlier than now shown. */
  turn(steps) {
    this.back = Math.max(0, this.back + steps);
    this.draw();
  }

  get day() {
    return Math.max(1, dayOf(this.scene.at) - this.back);
  }

  /** Return what the drawing depends on. */
  stamp() {
    const { replay, n, at, tick, life } = this.scene;
    const deed = replay.deed(n, at);
    return [this.day, dayOf(at), deed?.tick, life?.planned(tick), Math.floor(at / 300)].join();
  }

  /** Draw it. */
  draw() {
    const { replay, n, at, life } = this.scene;
    const { day } = this;
    const today = dayOf(at);
    this.back = Math.min(this.back, today - 1);
    say(this.title, dateOf(replay.head.start, day));
    this.before.disabled = day <= 1;
    this.after.disabled = day >= today;
    const known = Math.min(at, startOf(day + 1) - 1);
    const tick = Math.floor(known / replay.tick);
    const plan = life?.morning(tick, day) || null;
    const done = doneOn(replay.deeds(n), day, known);
    fill(this.body, this.strokes(life?.plan(tick, day)), this.grid(plan, done, day, day === today, tick));
    if (!this.isFresh || !plan) return;
    this.isFresh = false;
    const line = this.body.querySelector(".day-now");
    if (line) reveal(line);
  }

  strokes(plan) {
    if (!plan?.strokes?.length) return "";
    const items = plan.strokes.map(([start, activity]) =>
      h("li", {}, h("span", { class: "ahead-time" }, minuteOf(start)), words(activity)),
    );
    const title = h("summary", {}, "The day in broad strokes");
    return h("details", { class: "day-strokes" }, title, h("ol", { class: "ahead" }, items));
  }

  grid(plan, done, day, isToday, tick) {
    const hours = plan ? plan.blocks : [];
    const now = isToday ? Math.round((this.scene.at - startOf(day)) / 60) : null;
    const { lines, heights } = axis([...hours, ...done], now);
    const left = h("ol", { class: "day-column", "aria-label": "Planned" });
    const right = h("ol", { class: "day-column", "aria-label": "Done" });
    for (const hour of hours) left.append(at(lines, hour, this.planned(hour, now, day, tick)));
    let before = "";
    for (const each of done) {
      const stands = against(each.deed, this.scene.life, day, plan);
      right.append(at(lines, each, this.done(each, stands, stands.part === before)));
      if (stands.how !== "met") before = stands.part;
    }
    if (!hours.length) left.append(h("li", { class: "day-none soft" }, "No plan yet."));
    const grid = h("div", { class: "day-grid" }, left, right);
    if (now !== null) grid.append(nowLine(lines, now));
    grid.style.gridTemplateRows = heights.map((height) => `minmax(${height.toFixed(1)}px, auto)`).join(" ");
    const names = h("div", { class: "day-names", "aria-hidden": "true" }, h("span", {}, "Planned"), h("span", {}, "Done"));
    return [names, grid, legend()];
  }

  planned(hour, now, day, tick) {
    const plan = this.scene.life.plan(tick, day);
    const present = plan ? hourAt(plan, (hour.start + hour.end) / 2) : hour.activity;
    const isChanged = present !== hour.activity;
    const isAhead = now !== null && hour.start > now;
    return h(
      "li",
      { class: `day-item day-plan${isAhead ? " day-ahead" : ""}${isChanged ? " day-dropped" : ""}` },
      h("span", { class: "day-clock" }, minuteOf(hour.start)),
      h("span", { class: "day-what" }, words(hour.activity)),
      hour.source ? h("span", { class: "day-source soft", title: SOURCES[hour.source] }, hour.source) : "",
      isChanged ? h("span", { class: "day-instead" }, "then: ", words(present)) : "",
    );
  }

  done({ deed, start, isNow }, { how, meant, part }, isSamePart) {
    const [sign, title] = HOW[how];
    const place = placeWords(deed.place);
    const note = how === "changed" && meant ? noteOf("instead of: ", meant) : part && !isSamePart ? noteOf("part of: ", part) : "";
    const label = button(
      [
        h("span", { class: "day-clock" }, minuteOf(start)),
        emoji(deed.emoji),
        sign ? h("span", { class: "day-sign", title }, sign, h("span", { class: "unseen" }, title)) : "",
        h("span", { class: "day-what" }, words(deed.activity)),
      ],
      () => this.scene.calls.onSeek(deed.start),
      { class: "day-go", title: place },
    );
    const className = `day-item day-done day-${how}${deed.fallback ? " day-fallback" : ""}`;
    return h("li", { class: className, "aria-current": isNow ? "true" : null }, label, whyDone(this.scene, deed), note, deedMarks(deed));
  }
}

/** What put an entry into a plan where no model did. */
const SOURCES = {
  habit: "It stands in every day, by the persona's own words: no model was asked.",
  duty: "Today must hold it, by the persona's own words: no model was asked.",
  promise: "It was promised or heard of for today, and is kept.",
  open: "It is still to be filled.",
  need: "It sees to an urgent need.",
};

function noteOf(before, activity) {
  return h("span", { class: "day-instead" }, before, words(activity));
}

function at(lines, stretch, node) {
  node.style.gridRow = rowsOf(lines, stretch);
  return node;
}

function nowLine(lines, now) {
  const node = h("div", { class: "day-now" }, h("span", { class: "unseen" }, "Now"));
  node.style.gridRow = String(lines.indexOf(now) + 1);
  return node;
}

function legend() {
  const sign = (text) => h("span", { class: "day-sign" }, text);
  const colour = h("span", { class: "day-key", "aria-hidden": "true" });
  const keys = [[colour, " as planned, or a part of it"], [sign("≠"), " other than planned"], [sign("+"), " somebody was met"]];
  return h("p", { class: "day-legend soft" }, keys.map((key) => h("span", {}, key)));
}
