// The panel of one person: everything as it was at the second that is shown.

import { button, clear, fill, h, words } from "../dom.js";
import { Pace } from "../pace.js";
import { Tabs } from "../tabs.js";
import { BondsSection } from "./bonds.js";
import { DaySection } from "./day.js";
import { Life } from "./life.js";
import { MemoriesSection } from "./memories.js";
import { NeedsSection } from "./needs.js";
import { NowSection } from "./now.js";
import { disc, fact } from "./pieces.js";
import { TalksSection } from "./talks.js";
import { ThoughtsSection } from "./thoughts.js";
import { placeWords } from "./words.js";

const SECTIONS = {
  Now: NowSection,
  Day: DaySection,
  Needs: NeedsSection,
  Memories: MemoriesSection,
  Bonds: BondsSection,
  Talks: TalksSection,
  Thoughts: ThoughtsSection,
};
const NAMES = Object.fromEntries(Object.keys(SECTIONS).map((name) => [name, name]));
const AGAIN = 5000;
const SMALL = 2.2;

/** Shows a person in `root`; draws only what is visible, at most four times a second. */
export class PeoplePanel {
  constructor(root, replay, source, calls) {
    this.root = root;
    this.replay = replay;
    this.source = source;
    this.calls = calls;
    this.n = null;
    this.second = 0;
    this.asked = 0;
    this.followed = null;
    this.lives = new Map();
    this.stale = new Set();
    this.waiting = 0;
    this.pace = new Pace(() => this.draw());
    replay.on((news) => this.heed(news));
  }

  /** Show a person by number, null for nobody; resolves when their life has come. */
  async show(n) {
    if (n === this.n) return;
    this.n = n;
    clear(this.root);
    this.scene = null;
    if (n === null) return;
    const life = this.lives.get(n) || null;
    const inFile = this.source.place === "file";
    this.scene = { n, replay: this.replay, calls: this.calls, inFile, life, data: life?.data || null, ...this.moment() };
    this.build();
    if (!life) await this.fetch(n);
  }

  at(second) {
    this.second = second;
    if (this.n !== null) this.pace.ask();
  }

  /** Say who is followed on the map, null for nobody. */
  follow(n) {
    this.followed = n;
    if (!this.scene) return;
    const isFollowed = n !== null && n === this.n;
    this.followButton.setAttribute("aria-pressed", String(isFollowed));
    this.followButton.textContent = isFollowed ? "Following" : "Follow";
  }

  /** The name of the section that is chosen; undefined before anybody was shown. */
  get chosen() {
    return this.tabs?.chosen;
  }

  choose(name) {
    if (name in SECTIONS) this.tabs?.choose(name);
  }

  readTalk(talk, line) {
    this.choose("Talks");
    this.section().reveal(talk, line);
  }

  moment() {
    return { at: this.second, tick: Math.floor(this.second / this.replay.tick) };
  }

  build() {
    const before = this.chosen || "Now";
    this.sections = {};
    this.head = this.header();
    this.follow(this.followed);
    const panel = h("div", { class: "tabs-panel", id: "panel-of-person" });
    const panels = Object.fromEntries(Object.keys(SECTIONS).map((name) => [name, panel]));
    this.tabs = new Tabs(NAMES, panels, "About this person", (name, isFirst) => this.turn(panel, !isFirst));
    const { name } = this.replay.people[this.n];
    this.root.append(h("section", { class: "person", "aria-label": name }, this.head, this.tabs.list, panel));
    this.tabs.choose(before, true);
  }

  /** Return who the panel is about: disc, name, age, traits, home and work, and what one can do with them. */
  header() {
    const { calls, scene } = this;
    const person = this.replay.people[this.n];
    const { name, age, traits, home, work, visitor } = person;
    this.told = h("p", { class: "person-told soft", role: "status" });
    const act = (label, go, more) => button(label, go, { class: "person-button", ...more });
    this.followButton = act("Follow", () => calls.onFollow(this.followed === this.n ? null : this.n));
    const places = [
      (home || !visitor) && fact("Home", words(placeWords(home) || "–")),
      work && fact("Work", words(placeWords(work))),
    ];
    const acts = [
      this.followButton,
      !scene.inFile && act("Take part", () => calls.onOpen("take-part", { who: name })),
      act("✕", () => calls.onClose(), { class: "person-button person-close", "aria-label": "Close" }),
    ];
    const first = visitor ? "a visitor" : age;
    return h("header", { class: "person-head" },
      h("div", { class: "person-top" }, disc(person),
        h("div", { class: "person-who" },
          h("h2", { class: "person-name", tabindex: "-1" }, words(name)),
          h("p", { class: "soft" }, first, first && traits && " · ", words(traits || "")))),
      places.some(Boolean) && h("dl", { class: "facts person-places" }, places),
      h("div", { class: "person-acts" }, acts), this.told);
  }

  /** Put the chosen section in its place; scroll back to its beginning, and in a small window on to it. */
  turn(panel, isAsked) {
    const top = this.head.offsetHeight;
    const scroller = this.root.closest(".side-panel") || this.root;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    fill(panel, this.section().root);
    this.draw();
    const isSmall = scroller.clientHeight < SMALL * top;
    // High enough to be scrolled to also while a section is short, or its life is still on its way.
    panel.style.minHeight = isSmall ? `${scroller.clientHeight - this.tabs.list.offsetHeight}px` : "";
    if (isAsked && isSmall && scroller.scrollTop < top) scroller.scrollTop = top;
  }

  section() {
    this.sections[this.chosen] ||= new SECTIONS[this.chosen](this.scene);
    return this.sections[this.chosen];
  }

  draw() {
    if (!this.scene) return;
    Object.assign(this.scene, this.moment());
    const section = this.section();
    const stamp = `${this.scene.life?.until}|${section.stamp()}`;
    if (stamp !== section.drawn) {
      section.drawn = stamp;
      section.draw();
    }
    this.renew();
  }

  heed({ deeds = [], moves = [], talks = [] }) {
    for (const [n] of [...deeds, ...moves]) this.stale.add(n);
    for (const n of talks.flatMap((talk) => talk.who)) this.stale.add(n);
    if (this.scene) this.pace.ask();
  }

  /** Fetch a life anew when something was told of this person, and what is shown lies beyond what is known. */
  renew() {
    const { life, tick, n } = this.scene;
    if (!life || tick <= life.until || !this.stale.has(n) || this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      if (this.n !== null) this.fetch(this.n);
    }, Math.max(0, this.asked + AGAIN - performance.now()));
  }

  async fetch(n) {
    this.asked = performance.now();
    this.stale.delete(n);
    try {
      this.lives.set(n, new Life(await this.source.person(n)));
    } catch (error) {
      if (this.n === n) this.told.textContent = `Their life could not be read: ${error.message}`;
      return;
    }
    if (this.n !== n) return;
    const life = this.lives.get(n);
    Object.assign(this.scene, { life, data: life.data });
    this.draw();
  }
}
