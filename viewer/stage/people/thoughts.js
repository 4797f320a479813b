// Somebody's thoughts, newest first, and their life in numbers: why each was thought, how well a model answered.

import { fill, h, words } from "../dom.js";
import { countUpTo } from "../sorted.js";
import { dayOf, lasting } from "../times.js";
import { choice, goTo, longWords, outcomeMark, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { KINDS, OUTCOMES, because, many, placeWords, stepWords } from "./words.js";

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

export class CountersSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "counters" });
  }

  stamp() {
    const { replay, n, at, tick, life } = this.scene;
    const talk = replay.talksAt(at).find((each) => each.who.includes(n));
    const lines = talk?.lines.filter((line) => line.at <= at).length;
    return [replay.deed(n, at)?.tick, tick > 0, life?.formed(tick), life?.thought(tick), talk?.id, lines].join();
  }

  draw() {
    fill(this.root, this.days(), this.memories(), this.thoughts());
  }

  days() {
    const { replay, n, at, tick } = this.scene;
    const until = (rows) => rows.slice(0, countUpTo(rows, tick, (deed) => deed.tick));
    const deeds = until(replay.deeds(n));
    const talks = replay.talksOf(n).filter((talk) => talk.start <= at);
    const lines = talks.flatMap((talk) => talk.lines).filter((line) => line.n === n && line.at <= at);
    const spoken = talks.reduce((sum, talk) => sum + Math.min(talk.end, at) - talk.start, 0);
    const partners = new Set(talks.flatMap((talk) => talk.who));
    const having = (mark) => deeds.filter((deed) => deed[mark]).length;
    return group("What was done", [
      ["actions", deeds.length],
      ["decided by a fallback", having("fallback")],
      ["with no fitting place", having("nowhere")],
      ["from a routine", having("reused")],
      ["refused by the town", until(replay.refused(n)).length],
      ["talks", talks.length],
      ["lines said", lines.length],
      ["people talked with", Math.max(0, partners.size - 1)],
      ["time in talks", lasting(spoken)],
    ]);
  }

  memories() {
    const { life, tick } = this.scene;
    const found = life ? life.memories(tick) : [];
    const rows = Object.entries(KINDS).map(([kind, { many: name }]) => [name, found.filter((each) => each.kind === kind).length]);
    const rated = found.filter((each) => life.importance(each, tick).rated).length;
    return group("Memories", [["in all", found.length], ...rows, ["rated", rated]]);
  }

  thoughts() {
    const { life, tick } = this.scene;
    const found = life ? life.thoughts(tick) : [];
    const counts = new Map();
    for (const { end } of found) counts.set(end, (counts.get(end) || 0) + 1);
    const sum = (key) => found.reduce((total, each) => total + each[key], 0);
    const ends = [...counts].map(([name, count]) => [outcomeMark(name), count]);
    return group("Thoughts", [["in all", found.length], ...ends, ["steps", sum("steps")], ["calls", sum("calls")]]);
  }
}

function group(title, rows) {
  const facts = rows.map(([term, value]) => h("div", { class: "count" }, h("dt", {}, term), h("dd", {}, value.toLocaleString("en"))));
  return h("section", { class: "count-group" }, h("h3", { class: "small-title" }, title), h("dl", { class: "counts" }, facts));
}
