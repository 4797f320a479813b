// A voice for readers of the screen: calm, one sentence in five seconds at most.
import { h, say } from "./dom.js";
import { sentence } from "./telling.js";
import { longTime } from "./times.js";

const BREATH = 5000;
const SETTLED = 700;
const TOO_FAST = 8;

/** Tells in a polite live region what the eyes would see. */
export class Announcer {
  constructor(root, replay, clock, selected) {
    this.replay = replay;
    this.clock = clock;
    this.selected = selected;
    this.region = h("div", { class: "unseen", "aria-live": "polite", role: "status" });
    root.append(this.region);
    this.told = clock.at;
    this.spoken = -Infinity;
    this.timer = 0;
    clock.on((name) => {
      if (name === "seek" || name === "pause") this.settle();
    });
  }

  /** Tell where one is once seeking has come to rest. */
  settle() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.where(), SETTLED);
  }

  where() {
    const { at } = this.clock;
    const heard = sentence(this.replay, at - 60, at, this.selected());
    this.speak(`${longTime(this.replay.head.start, at)}. ${heard}`.trim());
  }

  /** Tell what happened since the last sentence, when it is time for one. */
  pass() {
    const { at, playing, speed, live } = this.clock;
    if (!playing || (speed > TOO_FAST && !live)) return;
    if (performance.now() - this.spoken < BREATH) return;
    const heard = sentence(this.replay, Math.min(this.told, at), at, this.selected());
    if (heard) this.speak(`${longTime(this.replay.head.start, at)}. ${heard}`);
  }

  speak(text) {
    this.told = this.clock.at;
    this.spoken = performance.now();
    say(this.region, text);
  }
}
