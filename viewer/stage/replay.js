// The replay of a run: who was where, did what and said what, at any second of it.
// Times are seconds from 00:00 of day 1; asking costs a binary search.
import { countUpTo, Timeline } from "./sorted.js";
import { Stirs } from "./stirs.js";
import { Talks } from "./talks.js";
import { Walk } from "./walks.js";
import { skyOf } from "./map/weather.js";

const PACE = 10;
const UNMARKED = ["keeps", "thought", "dream", "plan", "mended", "repaired", "escalated", "weather"];
const OF_THE_TOWN = ["news", "closing", "market", "power cut", "letter", "notice"];
// Whatever else a note tells was done from outside.
const MARKS = new Map([
  ["insight", "insight"], ["fallback", "fallback"], ["failure", "failure"],
  ...UNMARKED.map((kind) => [kind, null]), ...OF_THE_TOWN.map((kind) => [kind, "town"]),
]);

function deedOf(row) {
  const [n, tick, kind, activity, place, start, end, emoji, object, objectState, objectEmoji] = row;
  const [partners, flags, reason, oddWhy = []] = row.slice(11);
  const [fallback, refused, nowhere, odd, reused] = [1, 2, 4, 8, 16].map((flag) => Boolean(flags & flag));
  return {
    n, tick, kind, activity, place, start, end, emoji, object, objectState, objectEmoji, partners,
    fallback, refused, nowhere, odd, reused, oddWhy, reason,
  };
}

export class Replay {
  constructor(head) {
    this.watermark = -1;
    this.walks = [];
    this.doings = [];
    this.refusals = [];
    this.states = [];
    this.talks = new Talks();
    this.told = new Timeline();
    this.skies = new Timeline();
    this.marked = new Timeline();
    this.markNames = new Set();
    this.stirring = new Stirs();
    this.listeners = new Set();
    this.firstWalk = Infinity;
    this.renew(head);
  }

  /** Return the replay of a source with all that is known now. */
  static async open(source) {
    const replay = new Replay(await source.head());
    replay.add(await source.tracks(-1));
    return replay;
  }

  /** Take in another head: people that came, what state the run is in. */
  renew(head) {
    this.head = head;
    this.tick = head.tick;
    this.pace = head.pace || PACE;
    this.people = head.people;
    this.map = head.map;
    this.state = head.state;
    this.goal = head.goal;
    this.heed({});
  }

  /** Add rows of tracks.json; those that are here already are passed over. */
  add(tracks) {
    const { moves = [], deeds = [], objects = [], talks = [], notes = [] } = tracks;
    const known = this.watermark;
    const fresh = (tick) => tick > known;
    const stretches = [];
    for (const row of moves) if (fresh(row[1])) this.walk(row, stretches);
    for (const row of deeds) if (fresh(row[1])) this.begin(row);
    for (const row of objects) if (fresh(row[1])) this.change(row, stretches);
    for (const talk of talks) if (fresh(talk.tick)) this.talk(talk, stretches);
    for (const row of notes) if (fresh(row[0])) this.note(row, stretches);
    this.stirring.add(stretches);
    this.watermark = Math.max(known, tracks.until);
    this.people = tracks.people || this.people;
    this.state = tracks.state || this.state;
    this.goal = tracks.goal === undefined ? this.goal : tracks.goal;
    this.heed(tracks);
  }

  walk([n, tick, endTick, x, y, path], stretches) {
    const walk = new Walk(tick * this.tick, endTick * this.tick, x, y, path, this.pace);
    (this.walks[n] ||= new Timeline()).add(walk.start, walk);
    this.firstWalk = Math.min(this.firstWalk, walk.start);
    stretches.push([walk.start, walk.end]);
  }

  begin(row) {
    const deed = deedOf(row);
    const where = deed.refused ? this.refusals : this.doings;
    (where[deed.n] ||= new Timeline()).add(deed.tick * this.tick, deed);
    for (const kind of ["fallback", "nowhere", "odd"]) {
      if (deed[kind]) this.mark(deed.tick * this.tick, kind, deed.n, deed.activity);
    }
  }

  change([object, tick, state, sign, by], stretches) {
    const at = tick * this.tick;
    (this.states[object] ||= new Timeline()).add(at, { state, emoji: sign, by, at });
    stretches.push([at, at + this.tick]);
  }

  talk(row, stretches) {
    const talk = this.talks.add(row);
    stretches.push([talk.start, talk.end]);
    this.mark(talk.start, "talk", talk.who[0], "");
    for (const line of talk.lines) if (line.odd) this.mark(line.at, "odd", line.n, line.text);
  }

  note([tick, n, kind, text, whose = ""], stretches) {
    const at = tick * this.tick;
    this.told.add(at, { at, tick, n, kind, text, by: whose && whose[0].toUpperCase() + whose.slice(1) });
    if (kind === "weather") this.skies.add(at, skyOf(text));
    const mark = MARKS.has(kind) ? MARKS.get(kind) : "operator";
    if (mark === "operator" || mark === "town") stretches.push([at, at + this.tick]);
    if (mark) this.mark(at, mark, n, text);
  }

  mark(at, kind, n, text) {
    const name = `${at} ${kind} ${n}`;
    if (this.markNames.has(name)) return;
    this.markNames.add(name);
    this.marked.add(at, { at, kind, n, text });
  }

  heed(news) {
    for (const listener of this.listeners) listener(news);
  }

  /** Call a function with each delta; return what takes it off again. */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The second up to which everything is known. */
  get until() {
    return (this.watermark + 1) * this.tick;
  }

  /** Whether somebody did something whom the head did not name: a visitor came since. */
  get strangers() {
    return Math.max(this.walks.length, this.doings.length) > this.people.length;
  }

  /** Whether more may come. */
  get living() {
    return this.state === "running" || this.state === "new";
  }

  /** Return whether a person is in town at a time; visitors come and go, some more than once. */
  present(n, at) {
    const person = this.people[n];
    if (!person) return false;
    const stays = person.stays?.length ? person.stays : [[person.from, person.to]];
    return stays.some(([came, left]) => at >= (came || 0) * this.tick && at < (left ?? Infinity) * this.tick);
  }

  /**
   * Return where a person is: x, y in tiles, the way they face, and whether they walk;
   * null when not in town.
   */
  position(n, at) {
    if (!this.present(n, at)) return null;
    const walk = this.walks[n]?.last(at);
    if (walk) return walk.at(at);
    const [x, y] = this.people[n].at;
    return { x, y, dx: 0, dy: 0, walking: false };
  }

  /** Return the first and the last tile of the walk that a person is on at a time, or null. */
  way(n, at) {
    const walk = this.walks[n]?.last(at);
    return walk?.at(at).walking ? [walk.passed()[0], walk.passed().at(-1)] : null;
  }

  /** Return what a person does at a time, or null. */
  deed(n, at) {
    const line = this.doings[n];
    const deed = line ? line.last(at) : null;
    if (deed?.kind !== "talk" || at < deed.end || !this.people[n]?.visitor) return deed;
    // A visitor goes on with what a talk has interrupted, of which no row tells.
    return line.rows.findLast(({ kind, tick }) => kind !== "talk" && tick <= deed.tick) || null;
  }

  deeds(n) {
    return this.doings[n]?.rows ?? [];
  }

  /** Return what the town did not let a person do, in its order. */
  refused(n) {
    return this.refusals[n]?.rows ?? [];
  }

  /** Return an object's state at a time, or null where nothing was said of it. */
  objectState(object, at) {
    return this.states[object]?.last(at) ?? null;
  }

  /** Return the states of all objects at a time: a Map from object to state. */
  statesAt(at) {
    const found = new Map();
    this.states.forEach((line, object) => {
      const state = line.last(at);
      if (state) found.set(object, state);
    });
    return found;
  }

  /** Return the sky over the town at a time: "rain", "clear"; "" before anything was told of it. */
  skyAt(at) {
    return this.skies.last(at) || "";
  }

  talksAt(at) {
    return this.talks.at(at);
  }

  talksOf(n) {
    return this.talks.of(n);
  }

  /** Return the line of a talk that was said last, or null before the first. */
  lineAt(talk, at) {
    return talk.lines.findLast((line) => line.at <= at) ?? null;
  }

  /** Return notes from one time to another, both included. */
  notes(from, to) {
    return this.told.between(from, to);
  }

  /** Return all marks of the seek bar, in order: at, kind (see `marks.js`), n, text. */
  marks() {
    return this.marked.rows;
  }

  markAfter(at) {
    return this.marked.rows[countUpTo(this.marked.times, at)] || null;
  }

  /** Return the next second, from `at` on, at which somebody walks or talks or something changes. */
  stirs(at) {
    return this.stirring.next(at);
  }
}
