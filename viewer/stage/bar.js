// The time bar: play, step, speed, the clock in words, and the whole run to seek in.
import { button, fill, h, icon, say } from "./dom.js";
import { ICONS } from "./icons.js";
import { SPEEDS } from "./clock.js";
import { SeekBar } from "./seek.js";
import { longTime } from "./times.js";

function choices(clock) {
  const speeds = SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`));
  return h("select", {
    class: "bar-speed", "aria-label": "Speed", title: "Speed (< and >)",
    onchange: (event) => {
      if (event.target.value === "live") clock.goLive();
      else clock.setSpeed(Number(event.target.value));
    },
  }, speeds);
}

/** The bar of one clock, over one replay or two. */
export class TimeBar {
  constructor(clock, replays, { onLink = null } = {}) {
    this.clock = clock;
    this.replays = replays;
    this.start = replays[0].head.start;
    this.seek = new SeekBar(clock, replays);
    this.words = h("output", { class: "bar-clock", "aria-live": "off" });
    this.play = button("", () => clock.toggle(), { class: "bar-play", title: "Play or pause (space)" });
    this.speed = choices(clock);
    this.edge = h("option", { value: "live" }, "live");
    this.live = button([h("i", { class: "dot", "aria-hidden": "true" }), "Live"], () => clock.goLive(), {
      class: "bar-live", title: "To the live edge (l)",
    });
    this.skip = button("Skip quiet", () => clock.setSkipping(!clock.skipping), {
      class: "bar-skip", title: "Pass over stretches in which nobody walks, talks or changes anything (s)",
    });
    this.link = onLink && button("Copy link", () => this.copy(onLink), {
      class: "bar-link", title: "Copy a link to this moment (c)",
    });
    this.root = this.put();
    clock.on((name) => (name === "seek" ? this.move() : this.show()));
    this.show();
  }

  /** Whether there is a live edge to be at: more is lived, or its owner only waits. */
  get living() {
    return this.clock.live || this.clock.open();
  }

  put() {
    const { clock } = this;
    const back = button(icon(ICONS.back), () => clock.step(-1), {
      class: "bar-step", "aria-label": "Step back", title: "Step back (,)",
    });
    const on = button(icon(ICONS.on), () => clock.step(1), {
      class: "bar-step", "aria-label": "Step forward", title: "Step forward (.)",
    });
    const left = h("div", { class: "bar-group" }, back, this.play, on, this.speed, this.live);
    const right = h("div", { class: "bar-group bar-right" }, this.skip, this.link);
    return h("section", { class: "bar", "aria-label": "Time" },
      this.seek.root, h("div", { class: "bar-row" }, left, this.words, right));
  }

  async copy(onLink) {
    const said = (await onLink()) ? "Copied" : "Not copied";
    say(this.link, said);
    setTimeout(() => say(this.link, "Copy link"), 1500);
  }

  /** Show what the clock does: plays or not, how fast, live or not. */
  show() {
    const { clock } = this;
    fill(this.play, icon(clock.playing ? ICONS.pause : ICONS.play));
    this.play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    this.skip.setAttribute("aria-pressed", String(clock.skipping));
    this.live.setAttribute("aria-pressed", String(clock.live));
    this.live.hidden = !this.living;
    if (!this.living) this.edge.remove();
    else if (!this.edge.parentNode) this.speed.append(this.edge);
    this.speed.value = clock.live && !clock.paced ? "live" : String(clock.speed);
    this.seek.tell();
    this.move();
  }

  /** Show the time; cheap, for each picture. */
  move() {
    this.seek.move();
    say(this.words, longTime(this.start, this.clock.at));
  }

  /** Show what came. */
  renew() {
    this.seek.paint();
    this.show();
  }
}
