// The stage: map, time, people and feed of one run, on one clock, and what keys, clicks and cards do to them.
import { Announcer } from "./announce.js";
import { TimeBar } from "./bar.js";
import { Clock } from "./clock.js";
import { Company } from "./company.js";
import { Cover } from "./cover.js";
import { button, fill, h, icon } from "./dom.js";
import { Feed } from "./feed.js";
import { Find } from "./find.js";
import { Header } from "./header.js";
import { openHelp } from "./help.js";
import { ICONS } from "./icons.js";
import { listenKeys } from "./keys.js";
import { Loop } from "./loop.js";
import { MapView, PAN } from "./map/view.js";
import { followNewTime, opening } from "./opening.js";
import { PeoplePanel } from "./people/panel.js";
import { nobody, Roster } from "./roster.js";
import { Scene } from "./scene.js";
import { Starting } from "./starting.js";
import { doingOf, Strip } from "./strip.js";
import { Tabs } from "./tabs.js";
import { Address, addressOf, readAddress } from "./url.js";
import { Visiting } from "./visiting.js";

/** Everything that is on the page; `open(name, detail)` leads out of it, to pages and cards of the server. */
export class Stage {
  constructor(root, replay, source, { place, open }) {
    this.replay = replay;
    this.source = source;
    this.served = place === "served";
    this.lead = open;
    this.listeners = new Map();
    this.selected = null;
    this.followed = null;
    this.pulse = null;
    this.drawn = false;
    /** Holds time nowhere that is still to come. */
    this.letGo = () => {};
    this.clock = new Clock({
      tick: replay.tick,
      end: () => replay.until,
      stirs: (at) => replay.stirs(at),
      open: () => replay.living || Boolean(this.pulse),
    });
    this.loop = new Loop((seconds, now) => this.frame(seconds, now), () => this.slow());
    this.build(root);
    this.wire();
  }

  build(root) {
    const { replay, clock, source } = this;
    this.address = new Address(() => addressOf(this.moment()));
    this.starting = new Starting(replay, source, () => this.showState());
    this.header = new Header(replay, { served: this.served, act: (name) => this.open(name), help: () => this.help() });
    this.strip = new Strip(replay, {
      company: () => this.company?.said ?? "", isStarting: () => this.starting.now,
      canLeave: () => this.visiting?.canLeave, leave: () => this.visiting.leave(),
    });
    this.showState();
    this.scene = new Scene(this, replay);
    this.bar = new TimeBar(clock, [replay], { onLink: this.served ? () => this.address.copy() : null });
    this.buildSide();
    this.root = h("div", { class: "stage" }, this.header.root, this.served ? this.strip.root : null,
      this.scene.root, this.sideRoot, this.bar.root);
    fill(root, this.root);
    this.finder = new Find(replay, (thing) => this.go(thing));
    this.root.append(this.finder.root);
    this.announcer = new Announcer(this.root, replay, clock, () => this.selected);
    this.map = new MapView(this.scene.canvas, replay, () => this.loop.wake(), {
      onPick: (thing) => this.pick(thing),
      onFollow: (n) => this.follow(n),
      reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
    this.cover = new Cover(this.map);
    this.visiting = new Visiting(this, replay, this.map.town, (name, detail) => this.ask(name, detail));
    this.company = new Company(this, (rate, visitor) => this.lead("pace", { run: replay.head.run, rate, visitor }));
  }

  /** Make the side of the town: tabs with everybody, one person, and what happened. */
  buildSide() {
    const calls = {
      onSeek: (at) => this.clock.seek(at),
      onPick: (n, section) => {
        this.select(n);
        if (section) this.panel.choose(section);
      },
      onTalk: (n, talk, line) => this.pick({ kind: "talk", n, talk, line }),
      onOpen: (name, detail) => this.open(name, detail),
      onFollow: (n) => this.follow(n),
      onClose: () => this.deselect(),
    };
    const names = { people: "People", person: "Person", feed: "Feed" };
    const panels = Object.fromEntries(Object.keys(names).map((key) => [key, h("div", { class: "side-panel" })]));
    this.side = new Tabs(names, panels, "Beside the map", () => this.loop.wake());
    this.side.choose("people");
    const size = button(icon(ICONS.up), () => {
      const isLarge = this.root.classList.toggle("has-large-side");
      size.setAttribute("aria-expanded", String(isLarge));
      size.setAttribute("aria-label", isLarge ? "Smaller panel" : "Larger panel");
      fill(size, icon(isLarge ? ICONS.down : ICONS.up));
    }, { class: "side-size", "aria-expanded": "false", "aria-label": "Larger panel" });
    this.sideRoot = h("aside", { class: "side", "aria-label": "Beside the map" },
      h("div", { class: "side-head-row" }, this.side.list, size), Object.values(panels));
    this.roster = new Roster(this.replay, { onPick: (n) => this.select(n), onPoint: (n) => this.map.point(n) });
    panels.people.append(this.roster.root);
    this.nobody = nobody(() => this.finder.open());
    const person = h("div", {});
    panels.person.append(this.nobody, person);
    this.panel = new PeoplePanel(person, this.replay, this.source, calls);
    this.feed = new Feed(panels.feed, this.replay, calls, { inFile: !this.served });
  }

  wire() {
    const { clock, replay } = this;
    clock.on((name) => this.ticked(name));
    replay.on(() => this.grew());
    listenKeys(this);
    new ResizeObserver(() => this.map.resize()).observe(this.scene.root);
    const measured = new ResizeObserver(() => this.measure());
    for (const part of [this.root, this.scene.root, this.sideRoot, this.bar.root]) measured.observe(part);
    this.source.live(
      (tracks) => replay.add(tracks),
      (pulse) => this.beat(pulse),
      (lost) => this.strip.lose(lost),
      () => replay.watermark,
    );
  }

  /** Tell the style sheets where map and side lie, over which messages and cards of the server are laid. */
  measure() {
    for (const [part, root] of [["scene", this.scene.root], ["side", this.sideRoot]]) {
      const box = root.getBoundingClientRect();
      for (const name of ["left", "top", "width", "height"]) {
        document.documentElement.style.setProperty(`--${part}-${name}`, `${box[name]}px`);
      }
    }
  }

  /** Open at the address's moment, or shortly before the first talk. */
  begin() {
    const asked = readAddress(location.search);
    opening(this.replay, this.clock, asked, (talk) => {
      const spot = this.replay.position(talk.who[0], talk.at);
      if (spot) this.map.centre(spot);
    });
    this.meet(asked);
    this.bar.renew();
    this.loop.wake();
  }

  /** Select and follow whom the address asks for, and go with the address's visitor. */
  meet({ who, follow, visitor, request, section }) {
    const n = this.replay.people.findIndex(({ name }) => name === who);
    if (n >= 0) this.select(n);
    if (section) this.panel.choose(section);
    if (n >= 0 && follow) this.follow(n);
    if (n >= 0 && this.followed === null) this.map.show({ kind: "person", n }, this.clock.at);
    this.company.begin(visitor, request !== null);
  }

  frame(seconds, now) {
    const moved = this.clock.frame(seconds);
    const again = this.map.draw(this.clock.at, now);
    if (again && !this.drawn) {
      this.drawn = true;
      // Noted for who measures: when the first picture has been shown.
      setTimeout(() => performance.mark("town drawn"));
    }
    this.bar.move();
    if (moved) this.address.touch();
    return moved || again;
  }

  slow() {
    const { at } = this.clock;
    if (this.side.chosen === "people") this.roster.at(at);
    if (this.side.chosen === "person" && this.selected !== null) this.panel.at(at);
    if (this.side.chosen === "feed") this.feed.at(at);
    this.scene.renewOffers();
    this.bar.seek.tell();
    this.announcer.pass();
    this.tell("time", { at });
  }

  ticked(name) {
    this.address.touch();
    if (name === "pause") this.address.write();
    this.map.weather.run(this.clock.playing);
    this.ponder();
    this.loop.wake();
    this.tell(name, { at: this.clock.at });
  }

  grew() {
    if (this.replay.strangers) this.askHead();
    this.roster.grow();
    this.company.renew();
    this.showState();
    this.bar.renew();
    this.loop.wake();
  }

  showState() {
    this.header.show(this.pulse, this.starting.now);
    this.strip.show();
  }

  async askHead() {
    if (this.asking) return;
    this.asking = true;
    try {
      this.replay.renew(await this.source.head());
      this.company.renew();
    } finally {
      this.asking = false;
    }
  }

  beat(pulse) {
    this.pulse = pulse;
    if (pulse) this.starting.end();
    this.header.show(pulse, this.starting.now);
    this.strip.beat(pulse);
    this.bar.show();
    this.ponder();
    this.tell("pulse", pulse);
  }

  /** Show on the map and in the list who thinks; only at the live edge, as a thought is about what comes next. */
  ponder() {
    const { pulse, replay, clock } = this;
    const isNow = replay.living && pulse && pulse.state !== "paused" && replay.until - clock.at <= replay.tick;
    const numbers = new Map(replay.people.map(({ name }, n) => [name, n]));
    const asked = isNow ? (pulse.thinking || []).filter(({ who }) => numbers.has(who)) : [];
    const thoughts = new Map(asked.map((one) => [numbers.get(one.who), doingOf(replay, one)]));
    this.map.thinkers.set([...thoughts.keys()]);
    this.roster.think(thoughts);
  }

  /** Call a function when something happens: time, seek, play, pause, select, pulse; return what takes it off. */
  on(name, listener) {
    const those = this.listeners.get(name) || new Set();
    this.listeners.set(name, those.add(listener));
    return () => those.delete(listener);
  }

  tell(name, detail) {
    for (const listener of this.listeners.get(name) || []) listener(detail);
  }

  moment() {
    const { at, speed, live, playing } = this.clock;
    const who = this.selected === null ? null : this.replay.people[this.selected].name;
    const follow = this.followed !== null && this.followed === this.selected;
    return { at, speed, live, playing, who, follow, visitor: this.company.inAddress };
  }

  /** Pass on what a visitor is to do; it happens at the live edge, so that is shown. */
  ask(name, detail) {
    this.open(name, detail);
    if (name !== "visitor") return;
    this.company.join(detail.visitor);
    this.follow(this.visiting.visitor);
    if (this.replay.living) this.clock.goLive();
  }

  /** Lead out of the stage, with the moment and who is selected. */
  open(name, detail) {
    const { at, who } = this.moment();
    this.address.write();
    const moment = { run: this.replay.head.run, at: Math.floor(at), tick: Math.floor(at / this.replay.tick) };
    this.lead(name, { ...moment, ...(who ? { who } : {}), ...detail });
  }

  help() {
    openHelp(this.root, { town: true });
  }

  /** Put a link to this moment where it can be pasted from. */
  copyLink() {
    if (this.served) this.bar.copy();
  }

  nextMark() {
    const mark = this.replay.markAfter(this.clock.at);
    if (mark) this.clock.seek(mark.at);
  }

  /** Go to the live edge, or to the end of a run that is over. */
  live() {
    if (this.replay.living) this.clock.goLive();
    else this.clock.seek(Infinity);
  }

  /** Show what is lived from now on, as the run is about to go on. */
  goOn() {
    if (!this.pulse) this.starting.begin();
    followNewTime(this.replay, this.clock);
  }

  /** Hold time at a second, as soon as the replay has come so far. */
  holdAt(at) {
    const arrive = () => {
      if (this.replay.until < at && this.replay.living) return;
      this.letGo();
      this.clock.pause();
      this.clock.seek(at);
    };
    this.letGo();
    this.letGo = this.replay.on(arrive);
    arrive();
  }

  /** Show a second, and there whom or what something was about: a person's name, with a tab of theirs, or an object's address. */
  reveal({ at, target, tab }) {
    this.holdAt(at);
    const n = this.replay.people.findIndex(({ name }) => name === target);
    const index = this.replay.map.objects.findIndex(({ address }) => address === target);
    if (n >= 0) {
      this.go({ kind: "person", n });
      this.panel.choose(tab);
    } else if (index >= 0) this.go({ kind: "object", index });
    else this.side.choose("feed");
  }

  pan(x, y) {
    this.follow(null);
    this.map.pan(x * PAN, y * PAN);
  }

  zoom(factor) {
    this.map.zoom(factor);
  }

  fit() {
    this.follow(null);
    this.map.fit();
  }

  /** Select the next person in the list who is in town, or the one before. */
  nextPerson(way) {
    const listed = this.roster.listed().filter((n) => this.replay.present(n, this.clock.at));
    if (!listed.length) return;
    const here = listed.indexOf(this.selected);
    const n = listed.at(here < 0 ? Math.min(0, way) : (here + way) % listed.length);
    this.select(n);
    if (this.followed === null) this.map.show({ kind: "person", n }, this.clock.at);
  }

  pick(thing) {
    if (thing.n !== undefined && thing.kind !== "object") {
      this.select(thing.n);
      if (thing.talk) this.panel.readTalk(thing.talk, thing.line);
      return;
    }
    this.map.selected = thing;
    this.scene.name(thing);
  }

  go(thing) {
    this.follow(null);
    this.pick(thing);
    this.map.show(thing, this.clock.at);
  }

  /** Have those who talk in what a visitor's card leaves free of the map. */
  watchTalk(names) {
    const numbers = names.map((name) => this.replay.people.findIndex((person) => person.name === name));
    this.map.gather(numbers.filter((n) => n >= 0));
  }

  select(n) {
    this.selected = n;
    this.map.selected = n;
    this.roster.select(n);
    this.nobody.hidden = n !== null;
    this.panel.show(n);
    this.panel.at(this.clock.at);
    this.side.tabs.person.firstChild.textContent = n === null ? "Person" : this.replay.people[n].short;
    if (n !== null) this.side.choose("person");
    // Whoever is in town as a visitor looks at others, and stays with themselves.
    if (this.followed !== null && !this.company.isOwn(this.followed)) this.follow(n);
    this.scene.show();
    this.address.touch();
    this.loop.wake();
    this.tell("select", n);
  }

  deselect() {
    if (!this.company.isOwn(this.followed)) this.follow(null);
    this.select(null);
    this.side.choose("people");
  }

  /** Keep a person in the middle of the map; null for nobody. */
  follow(n) {
    if (n === this.followed) return;
    this.followed = n;
    if (n !== null && n !== this.selected) this.select(n);
    this.map.follow(n);
    this.panel.follow(n);
    this.scene.show();
    this.address.touch();
    this.loop.wake();
  }

  /** Follow the selected person; where they are followed already, or nobody is selected, nobody any more. */
  toggleFollow() {
    this.follow(this.followed === this.selected ? null : this.selected);
  }
}
