// Somebody's talks as chat, newest first; of a talk that goes on, the lines said so far.

import { h, words } from "../dom.js";
import { clockTime, dayOf } from "../times.js";
import { disc, goTo, longWords, marks, oddWords, personLink, reveal, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { personOf, placeWords } from "./words.js";

export class TalksSection {
  constructor(scene) {
    this.scene = scene;
    this.list = new Slices({
      className: "talks",
      label: "Talks",
      draw: (talk) => this.talk(talk),
      key: (talk) => [talk.id, this.said(talk).length, talk.end <= scene.at, dayOf(scene.at)].join("\n"),
      empty: "No talk yet.",
    });
    this.root = this.list.root;
  }

  said(talk) {
    return talk.lines.filter((line) => line.at <= this.scene.at);
  }

  known() {
    const { replay, n, at } = this.scene;
    return replay.talksOf(n).filter((talk) => talk.start <= at);
  }

  stamp() {
    const talks = this.known();
    const last = talks.at(-1);
    return [talks.length, last && this.said(last).length, last && last.end <= this.scene.at].join();
  }

  draw() {
    this.list.show(this.known().reverse());
  }

  /** Bring a line of a talk into view, and mark it until another one is. */
  reveal(talk, line) {
    this.marked = line;
    const card = this.list.reach(this.list.items.findIndex(({ id }) => id === talk.id));
    for (const each of this.root.querySelectorAll(".talk-sought")) each.classList.remove("talk-sought");
    const found = card?.querySelectorAll(".talk-line")[talk.lines.indexOf(line)];
    if (!found) return;
    found.classList.add("talk-sought");
    reveal(found);
  }

  talk(talk) {
    const { scene } = this;
    const isOver = talk.end <= scene.at;
    return h("li", { class: "talk" },
      h("div", { class: "talk-head" },
        talk.who.filter((n) => n !== scene.n).map((n) => personLink(scene, n)),
        h("span", { class: "talk-place soft" }, goTo(scene, talk.start), ` to ${isOver ? clockTime(talk.end) : "…"}`),
        h("span", { class: "soft" }, words(placeWords(talk.place))),
        whyButton(scene, { n: scene.n, talk, label: "Why they said it" })),
      h("ol", { class: "talk-lines" }, this.said(talk).map((line) => this.line(line))),
      h("p", { class: "talk-foot soft" }, isOver ? this.ending(talk) : "They are still talking."));
  }

  line(line) {
    const { replay, n } = this.scene;
    const person = personOf(replay, line.n);
    const classes = ["talk-line", line.n === n && "talk-own", line === this.marked && "talk-sought"].filter(Boolean);
    return h("li", { class: classes.join(" ") }, disc(person),
      h("div", { class: line.fallback ? "bubble bubble-fallback" : "bubble" },
        h("span", { class: "bubble-name" }, words(person.short), " ", h("time", {}, clockTime(line.at))),
        longWords(line.text), marks(line), oddWords(line.oddWhy)));
  }

  ending({ ended, end }) {
    const who = this.scene.replay.people[ended];
    return who ? [words(who.name), ` ended it at ${clockTime(end)}.`] : `It ended at ${clockTime(end)}, when enough was said.`;
  }
}
