// Somebody's thoughts, newest first: why each was thought, how well a model answered.

import { h, words } from "../dom.js";
import { dayOf } from "../times.js";
import { choice, goTo, longWords, outcomeMark, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { OUTCOMES, because, many, placeWords, stepWords } from "./words.js";

export class ThoughtsSection {
  constructor(scene) {
    this.scene = scene;
    this.outcome = "";
    const { visitor } = scene.replay.people[scene.n];
    this.count = h("p", { class: "soft list-count" });
    this.list = new Slices({
      className: "thoughts",
      label: "Thoughts",
      draw: (thought) => this.thought(thought),
      key: (thought) => `${thought.tick} ${dayOf(this.scene.at)}`,
      empty: visitor ? "A visitor has no thoughts of their own: somebody at a page or a terminal acts for them." : "No thought like this yet.",
    });
    const ends = Object.entries(OUTCOMES).map(([name, { shape }]) => [name, `${shape} ${name}`]);
    const filter = choice("How thoughts ended", [["", "every outcome"], ...ends], (value) => {
      this.outcome = value;
      this.draw(true);
    });
    this.root = h("div", {}, !visitor && [h("div", { class: "filters" }, filter), this.count], this.list.root);
  }

  stamp() {
    const { life, tick, at } = this.scene;
    return life ? `${life.thought(tick)} ${dayOf(at)}` : "";
  }

  draw(anew = false) {
    const { life, tick } = this.scene;
    const all = life ? life.thoughts(tick).reverse() : [];
    const found = this.outcome ? all.filter(({ end, odd }) => end === this.outcome || (this.outcome === "odd" && odd)) : all;
    const of = found.length === all.length ? "" : ` of ${all.length.toLocaleString("en")}`;
    this.count.textContent = `${found.length.toLocaleString("en")}${of} ${all.length === 1 ? "thought" : "thoughts"}`;
    this.list.show(found, anew);
  }

  thought({ tick, at, stimuli, path, intent, end, failed, calls, milliseconds, odd }) {
    const { scene } = this;
    const ms = milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString("en");
    const spent = [calls && many(calls, "call"), `${ms} ms`].filter(Boolean);
    const steps = path.map((name) => stepWords(scene.replay, name)).join(" → ");
    return h("li", { class: "thought" },
      h("div", { class: "thought-head" }, goTo(scene, at), outcomeMark(end), odd && outcomeMark("odd"),
        whyButton(scene, { n: scene.n, tick, label: `Why this thought? ${because(stimuli)}` })),
      failed ? h("p", { class: "thought-failed" }, "Failed: ", longWords(failed)) : h("p", {}, intended(intent)),
      h("p", { class: "soft thought-why" }, "Because: ", because(stimuli)),
      h("p", { class: "soft thought-path" }, [steps, ...spent].join(" · ")));
  }
}

function intended(intent) {
  const [what, place] = intent.split(" @ ");
  if (!what) return "Goes on as before.";
  return [words(what), place && h("span", { class: "soft" }, " · ", words(placeWords(place)))];
}
