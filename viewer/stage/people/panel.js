// The panel of one person: everything as it was at the second that is shown.

import { clear, h } from "../dom.js";
import { BondsSection } from "./bonds.js";
import { CountersSection } from "./counters.js";
import { DaySection } from "./day.js";
import { PersonHeader } from "./header.js";
import { Life } from "./life.js";
import { MemoriesSection } from "./memories.js";
import { NeedsSection } from "./needs.js";
import { NowSection } from "./now.js";
import { Pace } from "./pace.js";
import { Tabs } from "./tabs.js";
import { TalksSection } from "./talks.js";
import { ThoughtsSection } from "./thoughts.js";

const SECTIONS = {
  Now: NowSection,
  Day: DaySection,
  Needs: NeedsSection,
  Memories: MemoriesSection,
  Bonds: BondsSection,
  Talks: TalksSection,
  Thoughts: ThoughtsSection,
  Counters: CountersSection,
};
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
    this.scene = this.sceneOf(n);
    this.build();
    if (!this.scene.life) await this.fetch(n);
  }

  /** Show things as they are at a second. */
  at(second) {
    this.second = second;
    if (this.n !== null) this.pace.ask();
  }

  /** Say who is followed on the map, null for nobody. */
  follow(n) {
    this.followed = n;
    this.header?.followed(n !== null && n === this.n);
  }

  /** The name of the section that is chosen; undefined before anybody was shown. */
  get chosen() {
    return this.tabs?.chosen;
  }

  /** Choose a section by its name. */
  choose(name) {
    if (this.tabs?.names.includes(name)) this.tabs.choose(name);
  }

  /** Show a line of a talk of the person who is shown, in its place in the whole talk. */
  readTalk(talk, line) {
    this.choose("Talks");
    this.section().reveal(talk, line);
  }

  sceneOf(n) {
    const inFile = this.source.place === "file";
    const life = this.lives.get(n) || null;
    const scene = { n, replay: this.replay, calls: this.calls, inFile, life, data: life?.data || null };
    return Object.assign(scene, this.moment());
  }

  moment() {
    return { at: this.second, tick: Math.floor(this.second / this.replay.tick) };
  }

  build() {
    const before = this.chosen || "Now";
    this.sections = {};
    this.header = new PersonHeader(this.scene);
    this.header.followed(this.followed === this.n);
    this.tabs = new Tabs(Object.keys(SECTIONS), "About this person", (isFirst) => this.turn(!isFirst));
    const name = this.replay.people[this.n].name;
    const body = h("section", { class: "person", "aria-label": name }, this.header.root, this.tabs.list, this.tabs.panel);
    this.root.append(body);
    this.tabs.choose(before, true);
  }

  /** Put the chosen section in its place; scroll back to its beginning, and in a small window on to it. */
  turn(isAsked) {
    const top = this.header.root.offsetHeight;
    const scroller = this.root.closest(".side-panel") || this.root;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    clear(this.tabs.panel).append(this.section().root);
    this.draw();
    const isSmall = scroller.clientHeight < SMALL * top;
    // High enough to be scrolled to also while a section is short, or its life is still on its way.
    const high = scroller.clientHeight - this.tabs.list.offsetHeight;
    this.tabs.panel.style.minHeight = isSmall ? `${high}px` : "";
    if (isAsked && isSmall && scroller.scrollTop < top) scroller.scrollTop = top;
  }

  section() {
    const name = this.tabs.chosen;
    this.sections[name] ||= new SECTIONS[name](this.scene);
    return this.sections[name];
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

  heed(news) {
    for (const n of whose(news)) this.stale.add(n);
    if (this.scene) this.pace.ask();
  }

  /** Fetch a life anew when something was told of this person, and what is shown lies beyond what is known. */
  renew() {
    const { life, tick, n } = this.scene;
    if (!life || tick <= life.until || !this.stale.has(n) || this.waiting) return;
    const wait = Math.max(0, this.asked + AGAIN - performance.now());
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      if (this.n !== null) this.fetch(this.n);
    }, wait);
  }

  async fetch(n) {
    this.asked = performance.now();
    this.stale.delete(n);
    let data;
    try {
      data = await this.source.person(n);
    } catch (error) {
      if (this.n === n) this.header.told.textContent = `Their life could not be read: ${error.message}`;
      return;
    }
    this.lives.set(n, new Life(data));
    if (this.n !== n) return;
    Object.assign(this.scene, { life: this.lives.get(n), data });
    this.draw();
  }
}

function whose(news) {
  const rows = [...(news.deeds || []), ...(news.moves || [])];
  return new Set([...rows.map((row) => row[0]), ...(news.talks || []).flatMap((talk) => talk.who)]);
}
