// Two towns side by side, on one clock and one time bar.
import { TimeBar } from "./bar.js";
import { Clock } from "./clock.js";
import { Differences } from "./differences.js";
import { button, fill, h, words } from "./dom.js";
import { Replay } from "./replay.js";
import { fillHead } from "./header.js";
import { openHelp } from "./help.js";
import { listenKeys } from "./keys.js";
import { Loop } from "./loop.js";
import { Half } from "./pair_half.js";
import { PAN, PlayActs } from "./play_acts.js";
import { longTime } from "./times.js";
import { Address, addressOf, readAddress } from "./url.js";

async function replayOf(source) {
  const replay = new Replay(await source.head());
  replay.add(await source.tracks(-1));
  return replay;
}

/** Both towns with what keys and buttons do to them. */
class Pair extends PlayActs {
  constructor(root, replays, said) {
    super();
    this.replays = replays;
    this.parts = said.parts;
    this.told = said.told;
    this.clock = new Clock({
      tick: replays[0].tick,
      end: () => Math.max(...replays.map((replay) => replay.until)),
      stirs: (second) => Math.min(...replays.map((replay) => replay.stirs(second))),
      open: () => replays.some((replay) => replay.living),
    });
    this.loop = new Loop((seconds, now) => this.frame(seconds, now), () => this.slow());
    this.halves = replays.map((replay) => new Half(replay, () => this.loop.wake(), (name) => this.follow(name)));
    this.moveTogether();
    this.differences = this.list(said);
    this.address = new Address(() => this.where());
    this.bar = new TimeBar(this.clock, replays, { onLink: () => this.address.copy() });
    this.choice();
    this.line = this.parting();
    this.root = h("div", { class: "pair" }, this.head(), this.line,
      h("main", { class: "pair-towns" }, this.halves.map((half) => half.root)), this.differences.root, this.bar.root);
    fill(root, this.root);
    this.wire();
  }

  head() {
    const runs = this.replays.map(({ head }) => head.run);
    const title = h("h1", { class: "head-run" }, words(runs.join(" and ")));
    return fillHead(h("header"), { run: runs[0], here: "Compare", title, help: () => this.help() });
  }

  choice() {
    const names = [...new Set(this.replays.flatMap(({ people }) => people.map(({ name }) => name)))].sort();
    this.who = h("select", { "aria-label": "Follow in both towns", onchange: () => this.follow(this.who.value) },
      h("option", { value: "" }, "follow nobody"), names.map((name) => h("option", { value: name }, name)));
  }

  parting() {
    const { told, parts } = this;
    const when = parts === null ? null : button(`To ${longTime(this.replays[0].head.start, parts)}`,
      () => this.clock.seek(parts), { class: "pair-when" });
    return h("div", { class: "pair-parts" }, when, h("p", { tabindex: "0" }, words(told)), this.who);
  }

  list(said) {
    return new Differences(said, this.replays[0].head.start, (at, name) => this.goTo(at, name));
  }

  /** Tell anew how the runs differ, as one of them has lived on; a list that is open or closed stays so. */
  renew(said) {
    const { root: old } = this.differences;
    const top = old.querySelector(".pair-list").scrollTop;
    this.parts = said.parts;
    this.told = said.told;
    this.differences = this.list(said);
    const { root } = this.differences;
    if (old.querySelector(".pair-act")) root.open = old.open;
    const unfolded = new Set([...old.querySelectorAll(".pair-entries[open]")].map(({ dataset }) => dataset.who));
    for (const entries of root.querySelectorAll(".pair-entries")) entries.open = unfolded.has(entries.dataset.who);
    old.replaceWith(root);
    root.querySelector(".pair-list").scrollTop = top;
    const line = this.parting();
    this.line.replaceWith(line);
    this.line = line;
  }

  wire() {
    const resized = new ResizeObserver(() => {
      for (const { map } of this.halves) map.resize();
    });
    for (const half of this.halves) resized.observe(half.canvas.parentElement);
    this.clock.on(() => {
      this.address.touch();
      this.move((map) => map.run(this.clock.playing));
      this.loop.wake();
    });
    listenKeys(this);
  }

  /** Let hands on one map move both: the same place, as large, except where somebody is followed. */
  moveTogether() {
    const [one, other] = this.halves.map(({ map }) => map);
    one.onLook = (view) => other.look(view);
    other.onLook = (view) => one.look(view);
  }

  /** Show a second in both towns, and follow somebody where they live. */
  goTo(at, name) {
    this.clock.pause();
    this.clock.seek(at);
    this.follow(this.replays.some(({ people }) => people.some((person) => person.name === name)) ? name : "");
  }

  frame(seconds, now) {
    const moved = this.clock.frame(seconds);
    const again = this.halves.map((half) => half.draw(this.clock.at, now));
    this.bar.move();
    return moved || again.some(Boolean);
  }

  slow() {
    this.bar.seek.tell();
    for (const half of this.halves) half.tell(this.clock.at);
  }

  /** Follow somebody in both towns; nobody for an empty name. */
  follow(name) {
    this.who.value = name;
    for (const half of this.halves) half.select(name);
    this.lookThere();
    this.address.touch();
    this.loop.wake();
  }

  /** Where they live in one town only, look at the same place in the other. */
  lookThere() {
    const home = this.halves.find(({ n }) => n !== null);
    const spot = home && home.replay.position(home.n, this.clock.at);
    if (!spot) return;
    for (const { n, map } of this.halves) if (n === null) map.look({ ...spot, scale: home.map.camera.goal.scale });
  }

  where() {
    const { at, speed, live, playing } = this.clock;
    const [a, b] = this.replays.map(({ head }) => encodeURIComponent(head.run));
    const who = this.who.value || null;
    return `a=${a}&b=${b}&${addressOf({ at, speed, live, playing, who, follow: false })}`;
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

  /** Hear what comes in one of the towns; return what ends it. */
  hear(source, replay) {
    replay.on(() => {
      this.bar.renew();
      this.loop.wake();
    });
    return source.live((tracks) => replay.add(tracks), () => {}, () => {}, () => replay.watermark);
  }

  help() {
    openHelp(this.root, { town: true });
  }

  deselect() {
    this.follow("");
  }

  pan([x, y]) {
    this.move((map) => map.pan(x * PAN, y * PAN));
  }

  zoom(factor) {
    this.move((map) => map.zoom(factor));
  }

  fit() {
    this.move((map) => map.fit());
  }

  move(act) {
    for (const { map } of this.halves) act(map);
  }
}

/**
 * Show two runs in `root` on one clock, and return them as {clock, replays, halves, end}. `said` is what the server found:
 * `told` says how they part, `parts` is the second from which they do (null: never), `first` and `people` what differs.
 * It begins at the address's moment, or where they part.
 */
export async function mountPair(root, sources, said) {
  fill(root, h("p", { class: "opening", role: "status" }, "Opening both towns …"));
  const replays = await Promise.all(sources.map(replayOf));
  const pair = new Pair(root, replays, said);
  pair.begin();
  const ends = sources.map((source, i) => pair.hear(source, replays[i]));
  pair.end = () => ends.forEach((end) => end());
  return pair;
}
