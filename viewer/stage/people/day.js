// A day: the plan on the left, what was done on the right, on one axis of time.

import { button, emoji, fill, h, say, words } from "../dom.js";
import { DAY, dateWords, dayOf, minuteOf, startOf } from "../times.js";
import { aheadItem, blockAt, pieces } from "./now.js";
import { marks, reveal, whyDone } from "./pieces.js";
import { placeWords } from "./words.js";

const HOW = {
  planned: ["", "As planned, or a part of it"],
  met: ["+", "Not in the plan: somebody was met"],
  changed: ["≠", "Other than planned"],
  free: ["", ""],
};
/** What put an entry into a plan where no model did. */
const SOURCES = {
  habit: "It stands in every day, by the persona's own words: no model was asked.",
  duty: "Today must hold it, by the persona's own words: no model was asked.",
  promise: "It was promised or heard of for today, and is kept.",
  open: "It is still to be filled.",
  need: "It sees to an urgent need.",
};
/** In what deeds are alike that are shown as one. */
const ALIKE = ["activity", "kind", "fallback", "nowhere", "reused", "place"];

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

  /** Show so many days earlier than now shown. */
  turn(days) {
    this.back = Math.max(0, this.back + days);
    this.draw();
  }

  get day() {
    return Math.max(1, dayOf(this.scene.at) - this.back);
  }

  stamp() {
    const { replay, n, at, tick, life } = this.scene;
    return [this.day, dayOf(at), replay.deed(n, at)?.tick, life?.planned(tick), Math.floor(at / 300)].join();
  }

  draw() {
    const { replay, n, at, life } = this.scene;
    const { day } = this;
    const today = dayOf(at);
    this.back = Math.min(this.back, today - 1);
    say(this.title, dateWords(replay.head.start, day));
    this.before.disabled = day <= 1;
    this.after.disabled = day >= today;
    const known = Math.min(at, startOf(day + 1) - 1);
    const tick = Math.floor(known / replay.tick);
    const morning = life?.morning(tick, day);
    const present = life?.plan(tick, day);
    const now = day === today ? Math.round((at - startOf(day)) / 60) : null;
    fill(this.body, strokes(present), this.grid({ morning, present, day, now }, doneOn(replay.deeds(n), day, known)));
    if (!this.isFresh || !morning) return;
    this.isFresh = false;
    const line = this.body.querySelector(".day-now");
    if (line) reveal(line);
  }

  grid({ morning, present, day, now }, done) {
    const hours = morning?.blocks ?? [];
    const { lines, heights } = axis([...hours, ...done], now);
    const at = (stretch, node) => {
      node.style.gridRow = rowsOf(lines, stretch);
      return node;
    };
    let before = "";
    const told = done.map((each) => {
      const stands = against(each.deed, this.scene.life, day, morning);
      const node = at(each, this.done(each, stands, stands.part === before));
      if (stands.how !== "met") before = stands.part;
      return node;
    });
    const planned = hours.map((hour) => at(hour, this.planned(hour, now, present)));
    const grid = h("div", { class: "day-grid" },
      h("ol", { class: "day-column", "aria-label": "Planned" }, planned,
        !hours.length && h("li", { class: "day-none soft" }, "No plan yet.")),
      h("ol", { class: "day-column", "aria-label": "Done" }, told),
      now !== null && h("div", { class: "day-now", style: `grid-row:${lines.indexOf(now) + 1}` },
        h("span", { class: "unseen" }, "Now")));
    grid.style.gridTemplateRows = heights.map((height) => `minmax(${height.toFixed(1)}px, auto)`).join(" ");
    const names = h("div", { class: "day-names", "aria-hidden": "true" }, h("span", {}, "Planned"), h("span", {}, "Done"));
    return [names, grid, legend()];
  }

  planned(hour, now, plan) {
    const present = plan ? blockAt(plan, (hour.start + hour.end) / 2)?.activity ?? "" : hour.activity;
    const isChanged = present !== hour.activity;
    const isAhead = now !== null && hour.start > now;
    return h("li", { class: `day-item day-plan${isAhead ? " day-ahead" : ""}${isChanged ? " day-dropped" : ""}` },
      h("span", { class: "day-clock" }, minuteOf(hour.start)),
      h("span", { class: "day-what" }, words(hour.activity)),
      hour.source && h("span", { class: "day-source soft", title: SOURCES[hour.source] }, hour.source),
      isChanged && noteOf("then: ", present));
  }

  done({ deed, start, isNow }, { how, meant, part }, isSamePart) {
    const [sign, title] = HOW[how];
    const label = [
      h("span", { class: "day-clock" }, minuteOf(start)),
      emoji(deed.emoji),
      sign && h("span", { class: "day-sign", title }, sign, h("span", { class: "unseen" }, title)),
      h("span", { class: "day-what" }, words(deed.activity)),
    ];
    const go = () => this.scene.calls.onSeek(deed.start);
    const className = `day-item day-done day-${how}${deed.fallback ? " day-fallback" : ""}`;
    return h("li", { class: className, "aria-current": isNow ? "true" : null },
      button(label, go, { class: "day-go", title: placeWords(deed.place) }), whyDone(this.scene, deed),
      how === "changed" && meant ? noteOf("instead of: ", meant) : part && !isSamePart && noteOf("part of: ", part),
      marks(deed));
  }
}

function strokes(plan) {
  return plan?.strokes?.length > 0 && h("details", { class: "day-strokes" },
    h("summary", {}, "The day in broad strokes"),
    h("ol", { class: "ahead" }, plan.strokes.map(([start, activity]) => aheadItem(start, activity))));
}

function noteOf(before, activity) {
  return h("span", { class: "day-instead" }, before, words(activity));
}

function legend() {
  const sign = (text) => h("span", { class: "day-sign" }, text);
  const colour = h("span", { class: "day-key", "aria-hidden": "true" });
  const keys = [[colour, " as planned, or a part of it"], [sign("≠"), " other than planned"], [sign("+"), " somebody was met"]];
  return h("p", { class: "day-legend soft" }, keys.map((key) => h("span", {}, key)));
}

/** Return what was done on a day up to a second: {start, end, deed, isNow} in minutes of the day. */
function doneOn(deeds, day, at) {
  const [from, to] = [startOf(day), startOf(day + 1)];
  const minutes = (seconds) => Math.round((seconds - from) / 60);
  const found = [];
  deeds.forEach((deed, i) => {
    const next = deeds[i + 1];
    const over = Math.min(deed.end, next && next.start <= at ? next.start : Infinity);
    const end = Math.min(over, at, to);
    if (deed.start > at || deed.start >= to || (end <= from && deed.start < from)) return;
    const start = Math.max(deed.start, from);
    const last = found.at(-1);
    const entry = { end: minutes(Math.max(end, start)), isNow: over > at };
    if (last && ALIKE.every((name) => last.deed[name] === deed[name])) Object.assign(last, entry);
    else found.push({ deed, start: minutes(start), ...entry });
  });
  return found;
}

/**
 * Return how a deed stands to the plan: {how: "planned"|"met"|"changed"|"free", meant, part}.
 * `part` is the planned activity of which a deed with words of its own is a part.
 */
function against(deed, life, day, morning) {
  if (deed.kind === "talk" || deed.kind === "wait") return { how: "met", meant: "", part: "" };
  if (!morning) return { how: "free", meant: "", part: "" };
  const minute = (deed.start - startOf(day)) / 60;
  const meant = blockAt(morning, minute)?.activity ?? "";
  const hours = morning.blocks.map((block) => block.activity);
  if (hours.includes(deed.activity)) return { how: "planned", meant, part: "" };
  // The part of a plan that a deed comes from: of several with its words the one of its minute.
  const same = pieces(life.plan(deed.tick, day) || morning).filter((each) => each.activity === deed.activity);
  const piece = same.find((each) => each.start <= minute && minute < each.end) || same[0];
  return hours.includes(piece?.hour) ? { how: "planned", meant, part: piece.hour } : { how: "changed", meant, part: "" };
}

/** Return the axis of some stretches: the minutes at which a row begins, and each row's height. */
function axis(stretches, now) {
  const edges = new Set([0, DAY / 60, ...stretches.flatMap(({ start, end }) => [start, end])]);
  if (now !== null) edges.add(now);
  const lines = [...edges].filter((edge) => edge >= 0 && edge <= DAY / 60).sort((a, b) => a - b);
  const heights = lines.slice(1).map((edge, i) => Math.min(34, Math.max(2, (edge - lines[i]) * 0.28)));
  return { lines, heights };
}

/** Return a stretch's rows on the grid; one that lasted no minute has the row that follows. */
function rowsOf(lines, { start, end }) {
  const first = lines.indexOf(start) + 1;
  return `${first} / ${Math.max(first + 1, lines.indexOf(end) + 1)}`;
}
