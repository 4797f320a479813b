// The time bar: play, step, speed, the clock in words, and the whole run to seek in.
import { button, fill, h, icon, say } from "./dom.js";
import { ICONS } from "./icons.js";
import { SPEEDS } from "./clock.js";
import { SeekBar } from "./seek.js";
import { longTime } from "./times.js";

/** The bar of one clock, over one replay or two. */
export class TimeBar {
  constructor(clock, replays, { onLink = null } = {}) {
    this.clock = clock;
    this.start = replays[0].head.start;
    this.onLink = onLink;
    this.seek = new SeekBar(clock, replays);
    this.words = h("output", { class: "bar-clock", "aria-live": "off" });
    this.play = button("", () => clock.toggle(), { class: "bar-play", title: "Play or pause (space)" });
    this.edge = h("option", { value: "live" }, "live");
    this.speed = h("select", {
      class: "bar-speed", "aria-label": "Speed", title: "Speed (< and >)",
      onchange: ({ target: { value } }) => (value === "live" ? clock.goLive() : clock.setSpeed(Number(value))),
    }, SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`)));
    this.live = button([h("i", { class: "dot", "aria-hidden": "true" }), "Live"], () => clock.goLive(), {
      class: "bar-live", title: "To the live edge (l)",
    });
    this.skip = button("Skip quiet", () => clock.setSkipping(!clock.skipping), {
      class: "bar-skip", title: "Pass over stretches in which nobody walks, talks or changes anything (s)",
    });
    this.link = onLink && button("Copy link", () => this.copy(), { class: "bar-link", title: "Copy a link to this moment (c)" });
    const step = (sign, name, ticks, key) => button(icon(ICONS[sign]), () => clock.step(ticks), {
      class: "bar-step", "aria-label": name, title: `${name} (${key})`,
    });
    this.root = h("section", { class: "bar", "aria-label": "Time" }, this.seek.root, h("div", { class: "bar-row" },
      h("div", { class: "bar-group" }, step("back", "Step back", -1, ","), this.play, step("on", "Step forward", 1, "."),
        this.speed, this.live),
      this.words, h("div", { class: "bar-group bar-right" }, this.skip, this.link)));
    clock.on((name) => (name === "seek" ? this.move() : this.show()));
    this.show();
  }

  async copy() {
    say(this.link, (await this.onLink()) ? "Copied" : "Not copied");
    setTimeout(() => say(this.link, "Copy link"), 1500);
  }

  /** Show what the clock does: plays or not, how fast, live or not. */
  show() {
    const { clock } = this;
    // There is a live edge to be at where more is lived, or its owner only waits.
    const isLiving = clock.live || clock.open();
    fill(this.play, icon(clock.playing ? ICONS.pause : ICONS.play));
    this.play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    this.skip.setAttribute("aria-pressed", String(clock.skipping));
    this.live.setAttribute("aria-pressed", String(clock.live));
    this.live.hidden = !isLiving;
    if (!isLiving) this.edge.remove();
    else if (!this.edge.parentNode) this.speed.append(this.edge);
    this.speed.value = clock.live && !clock.paced ? "live" : String(clock.speed);
    this.seek.tell();
    this.move();
  }

  move() {
    this.seek.move();
    say(this.words, longTime(this.start, this.clock.at));
  }

  renew() {
    this.seek.paint();
    this.show();
  }
}
