// Somebody's talks as chat, newest first; of a talk that goes on, the lines said so far.

import { h, words } from "../dom.js";
import { clockTime, dayOf } from "../times.js";
import { disc, fallbackMark, goTo, longWords, oddMark, oddWords, personLink, reveal, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { personOf, placeWords } from "./words.js";

/** The section Talks. */
export class TalksSection {
  constructor(scene) {
    this.scene = scene;
    this.list = new Slices({
      className: "talks",
      label: "Talks",
      draw: (talk) => this.talk(talk),
      key: (talk) => [talk.id, this.said(talk).length, talk.end <= this.scene.at, dayOf(this.scene.at)].join("\n"),
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

  /** Return what the drawing depends on. */
  stamp() {
    const talks = this.known();
    const last = talks.at(-1);
    return [talks.length, last ? this.said(last).length : 0, last ? last.end <= this.scene.at : ""].join();
  }

  /** Draw it. */
  draw() {
    this.list.show(this.known().reverse());
  }

  /** Bring a line of a talk into view, and mark it until another one is. */
  reveal(talk, line) {
    this.marked = line;
    const index = this.list.items.findIndex(({ id }) => id === talk.id);
    const card = this.list.reach(index);
    const lines = card ? [...card.querySelectorAll(".talk-line")] : [];
    for (const each of this.root.querySelectorAll(".talk-sought")) each.classList.remove("talk-sought");
    const found = lines[talk.lines.indexOf(line)];
    if (!found) return;
    found.classList.add("talk-sought");
    reveal(found);
  }

  talk(talk) {
    const { scene } = this;
    const others = talk.who.filter((n) => n !== scene.n);
    const isOver = talk.end <= scene.at;
    const head = h(
      "div",
      { class: "talk-head" },
      others.map((n) => personLink(scene, n)),
      h("span", { class: "talk-place soft" }, goTo(scene, talk.start), ` to ${isOver ? clockTime(talk.end) : "…"}`),
      h("span", { class: "soft" }, words(placeWords(talk.place))),
      whyButton(scene, { n: scene.n, talk, label: "Why they said it" }),
    );
    const lines = h("ol", { class: "talk-lines" }, this.said(talk).map((line) => this.line(line)));
    const foot = h("p", { class: "talk-foot soft" }, isOver ? this.ending(talk) : "They are still talking.");
    return h("li", { class: "talk" }, head, lines, foot);
  }

  line(line) {
    const { replay, n } = this.scene;
    const person = personOf(replay, line.n);
    const isOwn = line.n === n;
    const name = h("span", { class: "bubble-name" }, words(person.short), " ", h("time", {}, clockTime(line.at)));
    const mark = [line.fallback ? fallbackMark() : "", line.odd ? [" ", oddMark(), oddWords(line.oddWhy)] : ""];
    const className = line.fallback ? "bubble bubble-fallback" : "bubble";
    const bubble = h("div", { class: className }, name, longWords(line.text), mark);
    const classes = ["talk-line", isOwn && "talk-own", line === this.marked && "talk-sought"].filter(Boolean);
    return h("li", { class: classes.join(" ") }, disc(person, "disc-small"), bubble);
  }

  ending(talk) {
    const { replay } = this.scene;
    const who = endedBy(talk, replay);
    if (who) return [words(who), ` ended it at ${clockTime(talk.end)}.`];
    return `It ended at ${clockTime(talk.end)}, when enough was said.`;
  }
}

/** Return the name of who ended a talk; empty where enough was said. */
export function endedBy(talk, replay) {
  return replay.people[talk.ended]?.name || "";
}
