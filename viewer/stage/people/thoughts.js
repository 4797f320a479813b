// Somebody's thoughts, newest first: why each was thought, what came of it, how well a model answered.

import { h, words } from "../dom.js";
import { choice, goTo, longWords, outcomeMark, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { OUTCOMES, because, many, nodeWords, placeWords } from "./words.js";

/** The section Thoughts. */
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
      key: (thought) => `${thought.tick} ${Math.floor(this.scene.at / 86400)}`,
      empty: visitor ? "A visitor has no thoughts of their own: somebody at a page or a terminal acts for them." : "No thought like this yet.",
    });
    const ends = Object.entries(OUTCOMES).map(([name, { shape, word }]) => [name, `${shape} ${word}`]);
    const choices = [["", "every outcome"], ...ends];
    const filter = choice("How thoughts ended", choices, (value) => {
      this.outcome = value;
      this.draw(true);
    });
    this.root = h("div", {}, visitor ? "" : [h("div", { class: "filters" }, filter), this.count], this.list.root);
  }

  /** Return what the drawing depends on. */
  stamp() {
    const { life, tick, at } = this.scene;
    return life ? `${life.thought(tick)} ${Math.floor(at / 86400)}` : "";
  }

  /** Draw it; from the first slice again when `anew`. */
  draw(anew = false) {
    const { life, tick } = this.scene;
    const all = life ? life.thoughts(tick).reverse() : [];
    const found = this.outcome ? all.filter((each) => endOf(each) === this.outcome || (this.outcome === "odd" && each.odd)) : all;
    const of = found.length === all.length ? "" : ` of ${all.length.toLocaleString("en")}`;
    this.count.textContent = `${found.length.toLocaleString("en")}${of} ${all.length === 1 ? "thought" : "thoughts"}`;
    this.list.show(found, anew);
  }

  thought(thought) {
    const path = thought.path.map(nodeWords).join(" → ");
    const spent = [];
    if (thought.calls) spent.push(many(thought.calls, "call"));
    spent.push(milliseconds(thought.milliseconds));
    const came = thought.failed
      ? h("p", { class: "thought-failed" }, "Failed: ", longWords(thought.failed))
      : h("p", { class: "thought-came" }, intended(thought.intent));
    const head = [goTo(this.scene, thought.at), outcomeMark(endOf(thought))];
    if (thought.odd) head.push(outcomeMark("odd"));
    const label = `Why this thought? ${because(thought.stimuli)}`;
    head.push(whyButton(this.scene, { n: this.scene.n, tick: thought.tick, label }));
    return h(
      "li",
      { class: "thought" },
      h("div", { class: "thought-head" }, head),
      came,
      h("p", { class: "soft thought-why" }, "Because: ", because(thought.stimuli)),
      h("p", { class: "soft thought-path" }, [path, ...spent].join(" · ")),
    );
  }
}

function milliseconds(spent) {
  return `${spent < 10 ? spent.toFixed(1) : Math.round(spent).toLocaleString("en")} ms`;
}

function intended(intent) {
  const [what, place] = intent.split(" @ ");
  if (!what) return "Goes on as before.";
  return [words(what), place ? h("span", { class: "soft" }, " · ", words(placeWords(place))) : ""];
}

/** Return how a thought ended: its worst step's outcome, "failed", or "none" when it asked nothing. */
export function endOf(thought) {
  if (thought.failed) return "failed";
  return thought.outcome || "none";
}
