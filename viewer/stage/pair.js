// Two towns side by side, on one clock and one time bar.
import { TimeBar } from "./bar.js";
import { Clock } from "./clock.js";
import { Differences } from "./differences.js";
import { button, fill, h, words } from "./dom.js";
import { fillHead } from "./header.js";
import { openHelp } from "./help.js";
import { listenKeys } from "./keys.js";
import { Loop } from "./loop.js";
import { MapView, PAN } from "./map/view.js";
import { Replay } from "./replay.js";
import { doing } from "./roster.js";
import { longTime } from "./times.js";
import { Address, addressOf, readAddress } from "./url.js";

/** One of the towns: its name, its map, and what the one who is followed does there. `onPick` hears a name. */
class Half {
  constructor(replay, wake, onPick) {
    const { run, town } = replay.head;
    this.replay = replay;
    this.n = null;
    this.page = `/run/${encodeURIComponent(run)}`;
    this.canvas = h("canvas", {
      class: "map", tabindex: "0", role: "img",
      "aria-label": `Map of ${town} in ${run}. Arrows move both maps, plus and minus bring them closer or farther.`,
    });
    this.line = h("p", { class: "pair-line" });
    this.root = h("section", { class: "pair-half", "aria-label": run },
      h("div", { class: "pair-title" }, h("h2", { class: "pair-name" }, h("a", { href: this.page }, words(run))), this.line),
      h("div", { class: "pair-map" }, this.canvas));
    this.map = new MapView(this.canvas, replay, wake, {
      onPick: (thing) => this.pick(thing, onPick),
      reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches,
      whole: true,
    });
  }

  pick({ kind, n, isCut }, onPick) {
    if (n === undefined || kind === "object") return;
    const { name } = this.replay.people[n];
    // There is no room for a card here: the rest of what is said is on the town's own page.
    if (isCut) location.assign(`${this.page}?${addressOf({ at: this.map.last.at, speed: 1, who: name })}`);
    else onPick(name);
  }

  /** Follow somebody by name; nobody where they do not live here. */
  select(name) {
    const n = this.replay.people.findIndex((person) => person.name === name);
    this.n = n < 0 ? null : n;
    this.map.selected = this.n;
    this.map.follow(this.n);
  }

  /** Say how far the town has come where it is behind, else what the followed one does. */
  tell(at) {
    const { replay, n } = this;
    if (at > replay.until) {
      fill(this.line, h("span", { class: "soft" }, `lived up to ${longTime(replay.head.start, replay.until)}`));
    } else if (n === null) fill(this.line);
    else {
      const { activity, place } = doing(replay, n, at);
      fill(this.line, h("b", {}, words(replay.people[n].short)), " ", words(activity), " ", h("span", { class: "soft" }, words(place)));
    }
  }
}

/** Both towns with what keys and buttons do to them. */
class Pair {
  constructor(root, replays, said) {
    this.replays = replays;
    this.clock = new Clock({
      tick: replays[0].tick,
      end: () => Math.max(...replays.map((replay) => replay.until)),
      stirs: (second) => Math.min(...replays.map((replay) => replay.stirs(second))),
      open: () => replays.some((replay) => replay.living),
    });
    this.loop = new Loop((seconds, now) => this.frame(seconds, now), () => this.slow());
    this.halves = replays.map((replay) => new Half(replay, () => this.loop.wake(), (name) => this.follow(name)));
    this.maps = this.halves.map(({ map }) => map);
    // Hands on one map move both: the same place, as large, except where somebody is followed.
    this.maps.forEach((map, i) => {
      map.onLook = (view) => this.maps[1 - i].look(view);
    });
    this.address = new Address(() => this.where());
    this.bar = new TimeBar(this.clock, replays, { onLink: () => this.address.copy() });
    const names = [...new Set(replays.flatMap(({ people }) => people.map(({ name }) => name)))].sort();
    this.who = h("select", { "aria-label": "Follow in both towns", onchange: () => this.follow(this.who.value) },
      h("option", { value: "" }, "follow nobody"), names.map((name) => h("option", { value: name }, name)));
    const { start } = replays[0].head;
    this.parts = said.parts;
    this.differences = new Differences(said, start, (at, name) => this.goTo(at, name));
    const when = said.parts !== null && button(`To ${longTime(start, said.parts)}`, () => this.clock.seek(said.parts), { class: "pair-when" });
    const line = h("div", { class: "pair-parts" }, when, h("p", { tabindex: "0" }, words(said.told)), this.who);
    const runs = replays.map(({ head }) => head.run);
    const title = h("h1", { class: "head-run" }, words(runs.join(" and ")));
    const head = fillHead(h("header"), { run: runs[0], here: "Compare", title, help: () => this.help() });
    this.root = h("div", { class: "pair" }, head, line,
      h("main", { class: "pair-towns" }, this.halves.map((half) => half.root)), this.differences.root, this.bar.root);
    fill(root, this.root);
    this.wire();
  }

  wire() {
    const resized = new ResizeObserver(() => this.maps.forEach((map) => map.resize()));
    for (const half of this.halves) resized.observe(half.canvas.parentElement);
    this.clock.on(() => {
      this.address.touch();
      for (const map of this.maps) map.weather.run(this.clock.playing);
      this.loop.wake();
    });
    for (const replay of this.replays) {
      replay.on(() => {
        this.bar.renew();
        this.loop.wake();
      });
    }
    listenKeys(this);
  }

  /** Show a second in both towns, and follow somebody where they live. */
  goTo(at, name) {
    this.clock.pause();
    this.clock.seek(at);
    this.follow(this.replays.some(({ people }) => people.some((person) => person.name === name)) ? name : "");
  }

  frame(seconds, now) {
    const moved = this.clock.frame(seconds);
    // A town that has not come so far shows its last second.
    const again = this.halves.map(({ map, replay }) => map.draw(Math.min(this.clock.at, replay.until), now));
    this.bar.move();
    return moved || again.some(Boolean);
  }

  slow() {
    this.bar.seek.tell();
    for (const half of this.halves) half.tell(this.clock.at);
  }

  /** Follow somebody in both towns; nobody for an empty name. Who lives in one only is looked for at the same place in the other. */
  follow(name) {
    this.who.value = name;
    for (const half of this.halves) half.select(name);
    const home = this.halves.find(({ n }) => n !== null);
    const spot = home && home.replay.position(home.n, this.clock.at);
    for (const { n, map } of spot ? this.halves : []) {
      if (n === null) map.look({ ...spot, scale: home.map.camera.goal.scale });
    }
    this.address.touch();
    this.loop.wake();
  }

  where() {
    const { at, speed, live, playing } = this.clock;
    const [a, b] = this.replays.map(({ head }) => encodeURIComponent(head.run));
    return `a=${a}&b=${b}&${addressOf({ at, speed, live, playing, who: this.who.value || null, follow: false })}`;
  }

  /** Open at the address's moment, else where they part, else where the first town begins to move. */
  begin() {
    const asked = readAddress(location.search);
    if (Number(asked.speed)) this.clock.setSpeed(asked.speed);
    this.clock.seek(asked.at ?? this.parts ?? Math.min(...this.replays.map((replay) => replay.firstWalk)));
    if (asked.who) this.follow(asked.who);
    if (asked.play) this.clock.play();
    this.bar.renew();
    this.loop.wake();
  }

  help() {
    openHelp(this.root, { town: true });
  }

  deselect() {
    this.follow("");
  }

  pan(x, y) {
    for (const map of this.maps) map.pan(x * PAN, y * PAN);
  }

  zoom(factor) {
    for (const map of this.maps) map.zoom(factor);
  }

  fit() {
    for (const map of this.maps) map.fit();
  }
}

/**
 * Show two runs in `root` on one clock. `said` is what the server found: `told` says how they part, `parts` is the second
 * from which they do (null: never), `first` and `people` what differs.
 */
export async function mountPair(root, sources, said) {
  fill(root, h("p", { class: "opening", role: "status" }, "Opening both towns …"));
  const replays = await Promise.all(sources.map((source) => Replay.open(source)));
  const pair = new Pair(root, replays, said);
  pair.begin();
  sources.forEach((source, i) => source.live((tracks) => replays[i].add(tracks), () => {}, () => {}, () => replays[i].watermark));
  return pair;
}
