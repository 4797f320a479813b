// The stage: map, time, people and feed of one run, on one clock.
import { Announcer } from "./announce.js";
import { TimeBar } from "./bar.js";
import { Clock } from "./clock.js";
import { Company } from "./company.js";
import { Cover } from "./cover.js";
import { fill, h } from "./dom.js";
import { Feed } from "./feed.js";
import { Find } from "./find.js";
import { Header } from "./header.js";
import { openHelp } from "./help.js";
import { listenKeys } from "./keys.js";
import { Loop } from "./loop.js";
import { MiniMap } from "./map/minimap.js";
import { MapView } from "./map/view.js";
import { opening } from "./opening.js";
import { PeoplePanel } from "./people/panel.js";
import { nobody, Roster } from "./roster.js";
import { Scene } from "./scene.js";
import { completed, keepPage } from "./session.js";
import { Side } from "./side.js";
import { Starting } from "./starting.js";
import { Strip } from "./strip.js";
import { doingOf } from "./thinking.js";
import { Sounds } from "./sounds.js";
import { StageActs } from "./stage_acts.js";
import { Address, addressOf, readAddress } from "./url.js";
import { Visiting } from "./visiting.js";
import { welcome } from "./welcome.js";

/** Everything that is on the page, and what keys and clicks do to it. */
export class Stage extends StageActs {
  constructor(root, replay, source, { place, open }) {
    super();
    this.replay = replay;
    this.source = source;
    this.served = place === "served";
    this.lead = open;
    this.listeners = new Map();
    this.selected = null;
    this.followed = null;
    this.pulse = null;
    this.drawn = false;
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
    this.side = new Side({ people: "People", person: "Person", feed: "Feed" }, () => this.loop?.wake());
    this.root = h("div", { class: "stage" }, this.header.root, this.served ? this.strip.root : null,
      this.scene.root, this.side.root, this.bar.root);
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
    this.sounds = new Sounds(this);
    this.mini = new MiniMap(this.map);
    this.scene.root.append(this.mini.root);
    this.fillSide();
  }

  fillSide() {
    const calls = {
      onSeek: (at) => this.seekTo(at),
      onPick: (n, section) => {
        this.select(n);
        if (section) this.panel.choose(section);
      },
      onTalk: (n, talk, line) => this.pick({ kind: "talk", n, talk, line }),
      onOpen: (name, detail) => this.open(name, detail),
      onFollow: (n) => this.follow(n),
      onClose: () => this.deselect(),
    };
    this.roster = new Roster(this.replay, { onPick: (n) => this.select(n), onPoint: (n) => this.map.point(n) });
    this.side.panels.people.append(this.roster.root);
    this.nobody = nobody(() => this.find());
    this.personRoot = h("div", {});
    this.side.panels.person.append(this.nobody, this.personRoot);
    this.panel = new PeoplePanel(this.personRoot, this.replay, this.source, calls);
    this.feed = new Feed(this.side.panels.feed, this.replay, calls, { inFile: !this.served });
  }

  wire() {
    const { clock, replay } = this;
    clock.on((name) => this.ticked(name));
    replay.on(() => this.grew());
    this.endKeys = listenKeys(this);
    window.addEventListener("pagehide", () => keepPage(replay.head.run, this.left()));
    new ResizeObserver(() => this.map.resize()).observe(this.scene.root);
    const measured = new ResizeObserver(() => this.measure());
    for (const part of [this.root, this.scene.root, this.side.root, this.bar.root]) measured.observe(part);
    this.endLive = this.source.live(
      (tracks) => replay.add(tracks),
      (pulse) => this.beat(pulse),
      (lost) => this.strip.lose(lost),
      () => replay.watermark,
    );
  }

  /** Tell the style sheets where map and side lie, over which messages and cards of the server are laid. */
  measure() {
    for (const part of ["scene", "side"]) {
      const box = this[part].root.getBoundingClientRect();
      for (const name of ["left", "top", "width", "height"]) {
        document.documentElement.style.setProperty(`--${part}-${name}`, `${box[name]}px`);
      }
    }
  }

  /** Open at the address's moment, or shortly before the first talk. */
  begin() {
    const asked = completed(readAddress(location.search), this.replay.head);
    const whenever = (heed) => this.on("time", heed);
    const greet = (talk) => asked.at === null && this.scene.welcome(welcome(this.replay, this.clock.at, talk, whenever));
    this.request = asked.visitor ? null : asked.request;
    opening(this.replay, this.clock, asked, (talk) => {
      const spot = this.replay.position(talk.who[0], talk.at);
      if (spot) this.map.centre(spot);
      greet(talk);
    });
    if (!this.scene.hint) greet(null);
    this.meet(asked);
    this.bar.renew();
    this.loop.wake();
  }

  /** Select and follow whom the address asks for, show what the map showed, and go with the address's visitor. */
  meet({ who, follow, followed, view, visitor, returns, request, section }) {
    const [n, before] = [who, followed].map((asked) => this.replay.people.findIndex(({ name }) => name === asked));
    if (visitor && returns) this.company.rejoin(visitor);
    if (before >= 0) this.follow(before);
    if (n >= 0) this.select(n);
    if (section) this.panel.choose(section);
    if (n >= 0 && follow) this.follow(n);
    if (view) this.map.restore(view);
    else if (n >= 0 && this.followed === null) this.showThing({ kind: "person", n });
    if (!visitor || !returns) this.company.begin(visitor, request !== null);
  }

  /** Return how the page is, for when somebody comes back to it. */
  left() {
    const { at, speed, playing, who } = this.moment();
    const followed = this.followed === null ? null : this.replay.people[this.followed].name;
    const visitor = this.company.isThere ? this.company.name : null;
    const { goal, lift } = this.map.camera;
    // A card that covers the map's foot lifts what is shown again when it is there again.
    const view = { ...goal, y: goal.y - lift };
    return { at, who, speed, playing, followed, visitor, request: this.request, section: this.panel.chosen, view };
  }

  frame(seconds, now) {
    const moved = this.clock.frame(seconds);
    const again = this.map.draw(this.clock.at, now) === true;
    if (again) this.mini.draw(this.clock.at, now);
    if (again) this.scene.stepAside();
    if (again && !this.drawn) this.appear();
    this.bar.move();
    if (moved) this.address.touch();
    return moved || again;
  }

  /** Note for who measures that the town is on the screen: when the first picture has been shown. */
  appear() {
    this.drawn = true;
    setTimeout(() => performance.mark("town drawn"));
  }

  slow() {
    const { at } = this.clock;
    if (this.side.now === "people") this.roster.at(at);
    if (this.side.now === "person" && this.selected !== null) this.panel.at(at);
    if (this.side.now === "feed") this.feed.at(at);
    this.scene.renewOffers();
    this.bar.seek.tell();
    this.announcer.pass();
    this.tell("time", { at });
  }

  ticked(name) {
    this.address.touch();
    if (name === "pause") this.address.write();
    this.map.run(this.clock.playing);
    this.ponder();
    this.loop.wake();
    this.tell(name, { at: this.clock.at });
  }

  grew() {
    const known = this.replay.people.length;
    if (this.replay.strangers) this.askHead();
    if (this.roster.rows.length < known) this.roster.grow();
    this.company.renew();
    this.showState();
    this.bar.renew();
    this.loop.wake();
  }

  /** Show in the header and the strip how the run is. */
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
    const thoughts = new Map(asked.map((one) => [numbers.get(one.who), doingOf(one)]));
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

  /** Return the moment that is shown, as an address has it. */
  moment() {
    const { at, speed, live, playing } = this.clock;
    const who = this.selected === null ? null : this.replay.people[this.selected].name;
    const follow = this.followed !== null && this.followed === this.selected;
    return { at, speed, live, playing, who, follow, visitor: this.company.inAddress, request: this.request };
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
}
