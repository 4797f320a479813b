// The seek bar: the whole run as one slider, with marks where something was remarkable.
import { h, say } from "./dom.js";
import { KINDS } from "./marks.js";
import { HEIGHT, paint } from "./seek_paint.js";
import { countUpTo } from "./sorted.js";
import { longTime } from "./times.js";

const HOUR = 3600;
const KEYS = {
  ArrowLeft: -300, ArrowDown: -300, ArrowRight: 300, ArrowUp: 300,
  PageDown: -HOUR, PageUp: HOUR, Home: -Infinity, End: Infinity,
};
const NEAR = 7;
const LONGEST = 160;

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
      class: "seek", role: "slider", tabindex: "0", "aria-label": "Time",
      "aria-orientation": "horizontal", "aria-valuemin": "0",
    }, this.canvas, this.head, this.tip);
    this.listen();
    this.watch = new ResizeObserver(() => this.paint());
    this.watch.observe(this.root);
    document.addEventListener("theme", () => this.paint());
  }

  listen() {
    this.root.addEventListener("pointerdown", (event) => this.grasp(event));
    this.root.addEventListener("pointermove", (event) => this.hover(event));
    this.root.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  /** The last second the bar shows: the goal while there is one to be lived up to. */
  get span() {
    const ends = this.replays.map((replay) => {
      return Math.max(replay.until, replay.living && replay.goal ? replay.goal * replay.tick : 0);
    });
    return Math.max(HOUR, ...ends);
  }

  get until() {
    return Math.max(...this.replays.map((replay) => replay.until));
  }

  /** Return where a second stands, in pixels. */
  x(at) {
    return (at / this.span) * this.root.clientWidth;
  }

  timeAt(event) {
    const box = this.root.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return share * this.span;
  }

  grasp(event) {
    if (event.button) return;
    this.root.setPointerCapture(event.pointerId);
    this.clock.seek(this.timeAt(event));
  }

  hover(event) {
    const at = this.timeAt(event);
    if (this.root.hasPointerCapture(event.pointerId)) this.clock.seek(at);
    const near = this.nearest(at);
    say(this.tip, near || longTime(this.start, Math.min(at, this.until)));
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    const x = Math.max(half, Math.min(this.root.clientWidth - half, this.x(at)));
    this.tip.style.transform = `translateX(${x - half}px)`;
  }

  /** Return what is told of the first mark near a second, with its own time; empty where there is none. */
  nearest(at) {
    const reach = (NEAR / this.root.clientWidth) * this.span;
    for (const replay of this.replays) {
      const { times, rows } = replay.marked;
      const first = countUpTo(times, at - reach);
      const mark = rows[first];
      if (mark && mark.at <= at + reach) {
        const who = replay.people[mark.n]?.short;
        return `${longTime(this.start, mark.at)} – ${who ? `${who}: ` : ""}${nameOf(mark)}`;
      }
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
    const pen = this.canvas.getContext("2d");
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    const marks = this.replays.flatMap((replay) => replay.marks());
    this.canvas.dataset.marks = marks.length;
    paint(pen, {
      width, marks, span: this.span, until: this.until, start: this.start,
      x: (at) => this.x(at), font: style.fontFamily,
      colours: (name) => style.getPropertyValue(name).trim(),
    });
    this.move();
  }

  /** Bring the playhead to the clock's time. */
  move() {
    this.head.style.transform = `translateX(${this.x(this.clock.at)}px)`;
  }

  /** Tell readers of the screen what the eyes see. */
  tell() {
    const at = Math.floor(this.clock.at);
    this.root.setAttribute("aria-valuemax", String(Math.floor(this.until)));
    this.root.setAttribute("aria-valuenow", String(at));
    this.root.setAttribute("aria-valuetext", longTime(this.start, at));
  }
}
