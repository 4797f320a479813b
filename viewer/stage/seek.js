// The seek bar: the whole run as one slider, with marks where something was remarkable.
import { h, say } from "./dom.js";
import { bins, drawMark, KINDS, LANES } from "./marks.js";
import { countUpTo } from "./sorted.js";
import { clockTime, dateShort, DAY, longTime } from "./times.js";

const HOUR = 3600;
const KEYS = {
  ArrowLeft: -300, ArrowDown: -300, ArrowRight: 300, ArrowUp: 300,
  PageDown: -HOUR, PageUp: HOUR, Home: -Infinity, End: Infinity,
};
const NEAR = 7;
const LONGEST = 160;

const LANE = 9;
const TOP = 3;
const BIN = 8;
const DUSK = 21 * HOUR;
const DAWN = 6 * HOUR;
/** Hours from one figure on the axis to the next, and the pixels that one needs. */
const HOURS = [1, 2, 3, 6, 12];
const ROOM = 62;
/** Where the axis begins, below the lanes, and how high the picture is. */
const AXIS = TOP + LANE * LANES + 2;
const HEIGHT = AXIS + 18;

function nameOf({ kind, text }) {
  const { name } = KINDS[kind];
  if (kind === "fallback") return name;
  const told = text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
  return [name, told].filter(Boolean).join(": ");
}

/** A slider over one replay, or over two that share a clock. */
export class SeekBar {
  constructor(clock, replays) {
    this.clock = clock;
    this.replays = replays;
    this.start = replays[0].head.start;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.head = h("i", { class: "seek-head", "aria-hidden": "true" });
    this.tip = h("div", { class: "seek-tip", "aria-hidden": "true", hidden: true });
    this.root = h("div", {
      class: "seek", role: "slider", tabindex: "0", "aria-label": "Time", "aria-orientation": "horizontal", "aria-valuemin": "0",
      onpointerdown: (event) => this.grasp(event),
      onpointermove: (event) => this.hover(event),
      onpointerleave: () => (this.tip.hidden = true),
      onkeydown: (event) => this.key(event),
    }, this.canvas, this.head, this.tip);
    new ResizeObserver(() => this.paint()).observe(this.root);
    document.addEventListener("theme", () => this.paint());
  }

  /** The last second the bar shows: the goal while there is one to be lived up to. */
  get span() {
    const ends = this.replays.map(({ until, living, goal, tick }) => Math.max(until, living && goal ? goal * tick : 0));
    return Math.max(HOUR, ...ends);
  }

  get until() {
    return Math.max(...this.replays.map((replay) => replay.until));
  }

  x(at) {
    return (at / this.span) * this.root.clientWidth;
  }

  timeAt(event) {
    const box = this.root.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.span;
  }

  grasp(event) {
    if (event.button) return;
    this.root.setPointerCapture(event.pointerId);
    this.clock.seek(this.timeAt(event));
  }

  hover(event) {
    const at = this.timeAt(event);
    if (this.root.hasPointerCapture(event.pointerId)) this.clock.seek(at);
    say(this.tip, this.nearest(at) || longTime(this.start, Math.min(at, this.until)));
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    const x = Math.max(half, Math.min(this.root.clientWidth - half, this.x(at)));
    this.tip.style.transform = `translateX(${x - half}px)`;
  }

  /** Return what is told of the first mark near a second, with its own time; empty where there is none. */
  nearest(at) {
    const reach = (NEAR / this.root.clientWidth) * this.span;
    for (const { marked: { times, rows }, people } of this.replays) {
      const mark = rows[countUpTo(times, at - reach)];
      if (!mark || mark.at > at + reach) continue;
      const who = people[mark.n]?.short;
      return `${longTime(this.start, mark.at)} – ${who ? `${who}: ` : ""}${nameOf(mark)}`;
    }
    return "";
  }

  key(event) {
    const jump = KEYS[event.key];
    if (jump === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.clock.seek(this.clock.at + jump);
  }

  /** Draw the bar anew: when it is known what came, when it has another width, by another light. */
  paint() {
    const width = this.root.clientWidth;
    if (!width) return;
    const dense = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * dense);
    this.canvas.height = Math.round(HEIGHT * dense);
    this.canvas.style.height = `${HEIGHT}px`;
    const style = getComputedStyle(this.root);
    const marks = this.replays.flatMap((replay) => replay.marks());
    this.canvas.dataset.marks = marks.length;
    const pen = this.canvas.getContext("2d");
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.font = `11px ${style.fontFamily}`;
    pen.textBaseline = "middle";
    draw(pen, {
      width, marks, span: this.span, until: this.until, start: this.start, x: (at) => this.x(at),
      colours: (name) => style.getPropertyValue(name).trim(),
    });
    this.move();
  }

  /** Bring the playhead to the clock's time. */
  move() {
    this.head.style.transform = `translateX(${this.x(this.clock.at)}px)`;
  }

  tell() {
    const at = Math.floor(this.clock.at);
    this.root.setAttribute("aria-valuemax", String(Math.floor(this.until)));
    this.root.setAttribute("aria-valuenow", String(at));
    this.root.setAttribute("aria-valuetext", longTime(this.start, at));
  }
}

/** Draw what lies below the playhead: nights, what is not lived yet, days, hours, marks in lanes. */
function draw(pen, view) {
  const { width, marks, span, x, colours } = view;
  pen.clearRect(0, 0, width, HEIGHT);
  pen.fillStyle = colours("--sunken");
  for (let day = 0; day * DAY < span + DAY; day += 1) {
    const from = x((day - 1) * DAY + DUSK);
    pen.fillRect(from, 0, x(day * DAY + DAWN) - from, AXIS);
  }
  unlived(pen, view);
  pen.fillStyle = colours("--line");
  pen.fillRect(0, AXIS - 1, width, 1);
  days(pen, view);
  hours(pen, view);
  const found = bins(marks, x, BIN);
  for (const [kind, { lane }] of Object.entries(KINDS)) {
    for (const [bin, count] of found[kind]) {
      const radius = 1.9 + Math.min(1.6, Math.log2(count) * 0.6);
      drawMark(pen, kind, bin * BIN + BIN / 2, TOP + LANE * (lane + 0.5), radius, colours);
    }
  }
}

function days(pen, { width, span, start, x, colours }) {
  pen.strokeStyle = colours("--soft");
  pen.fillStyle = colours("--ink");
  pen.lineWidth = 1;
  for (let day = 0; day * DAY < span; day += 1) {
    const left = Math.round(x(day * DAY)) + 0.5;
    pen.beginPath();
    pen.moveTo(left, 0);
    pen.lineTo(left, HEIGHT);
    pen.stroke();
    if (Math.min(x((day + 1) * DAY), width) - left > 44) pen.fillText(dateShort(start, day + 1), left + 5, AXIS + 10);
  }
}

function hours(pen, { width, span, x, colours }) {
  const step = HOURS.find((count) => x(count * HOUR) >= ROOM) * HOUR;
  if (!step) return;
  pen.fillStyle = colours("--soft");
  for (let at = step; at < span; at += step) {
    if (at % DAY === 0 || x(at) > width - 34) continue;
    pen.fillRect(Math.round(x(at)), AXIS, 1, 4);
    pen.fillText(clockTime(at), x(at) - 14, AXIS + 10);
  }
}

function unlived(pen, { width, until, x, colours }) {
  const from = x(until);
  if (from >= width - 1) return;
  pen.save();
  pen.beginPath();
  pen.rect(from, 0, width - from, AXIS);
  pen.clip();
  pen.strokeStyle = colours("--line");
  pen.lineWidth = 1;
  pen.beginPath();
  for (let at = from - AXIS; at < width; at += 7) {
    pen.moveTo(at, AXIS);
    pen.lineTo(at + AXIS, 0);
  }
  pen.stroke();
  pen.restore();
  pen.fillStyle = colours("--good");
  pen.fillRect(from - 1, 0, 2, AXIS);
}
