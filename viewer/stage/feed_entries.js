// What the feed tells: entries of the replay in the order of time, each of a group, with its words.

import { NOTES, noteVerb } from "./note_words.js";
import { listed, nodeWords, personOf, placeWords, told } from "./people/words.js";
import { wayWords, whereabouts } from "./whereabouts.js";

/** The groups by which the feed is filtered, and their names. */
export const GROUPS = {
  deed: "actions",
  talk: "talks",
  thought: "insights and plans",
  town: "weather and happenings",
  outside: "from outside",
  trouble: "failures and fallbacks",
};

/** What stands between a changed thing and what was made of it. */
const IS_NOW = " is now: ";
const OTHER = { group: "outside", emoji: "•" };

/** All entries of a replay, oldest first; grows with it. */
export class Entries {
  constructor(replay) {
    this.replay = replay;
    this.all = [];
    this.watermark = -1;
    this.doing = new Map();
  }

  /** Take in what the replay has learned since; return whether there was anything. */
  grow() {
    const { replay } = this;
    if (replay.watermark <= this.watermark) return false;
    const found = [];
    const count = Math.max(replay.doings.length, replay.refusals.length);
    for (let n = 0; n < count; n += 1) {
      for (const deed of this.fresh(replay.deeds(n))) this.deed(deed, found);
      for (const deed of this.fresh(replay.refused(n))) found.push(refusal(deed, replay));
    }
    for (const talk of this.fresh(replay.talks.all.rows)) found.push(talkEntry(talk));
    const notes = this.fresh(replay.told.rows);
    for (const note of notes) if (note.kind !== "hears") found.push(noteEntry(note));
    found.sort((a, b) => a.at - b.at || a.rank - b.rank || a.n - b.n);
    this.all = this.all.concat(found);
    this.watermark = replay.watermark;
    const hearers = notes.filter(({ kind }) => kind === "hears");
    for (const note of hearers) this.hear(note);
    for (const note of notes) {
      if (note.change) this.see(note);
      else if (note.kind === "object") this.replace(note);
    }
    return found.length > 0 || hearers.length > 0;
  }

  /** Add who heard an announcement to its entry: at once, or when they woke or had talked. */
  hear({ n, at, text }) {
    this.entryOf("announcement", text, at)?.heard.push({ n, at });
  }

  /** Add to the entry of a changed object who has noticed it, once each, or that the change is over. */
  see({ kind, n, at, change }) {
    const told = this.entryOf("object", change, at);
    if (!told) return;
    if (kind === "ended") told.over = { n, at };
    else if (!told.heard.some((each) => each.n === n)) told.heard.push({ n, at });
  }

  /** Note that an earlier change of the same thing is over, as another one from outside takes its place. */
  replace({ at, text }) {
    const [thing] = text.split(IS_NOW);
    const before = this.all.findLast((entry) => entry.kind === "object" && entry.at < at && entry.text.split(IS_NOW)[0] === thing);
    if (before) before.over ||= { n: -1, at };
  }

  entryOf(kind, text, at) {
    return this.all.findLast((entry) => entry.kind === kind && entry.text === text && entry.at <= at);
  }

  /** Return the rows of later ticks than are known here; rows come in the order of their ticks. */
  fresh(rows) {
    let first = rows.length;
    while (first > 0 && rows[first - 1].tick > this.watermark) first -= 1;
    return rows.slice(first);
  }

  deed(deed, found) {
    const before = this.doing.get(deed.n);
    const same = before && before.activity === deed.activity && before.place === deed.place;
    if (deed.kind !== "talk") this.doing.set(deed.n, deed);
    if (deed.kind === "talk" || (same && !deed.fallback && !deed.nowhere && !deed.odd)) return;
    found.push(deedEntry(deed, this.replay));
  }
}

function deedEntry(deed, replay) {
  const where = whereabouts(replay, deed.n, deed.tick * replay.tick);
  const activity = where.from ? `is on the way, for ${deed.activity}` : told("", deed.activity).trim();
  const verb = deed.kind === "sleep" ? "goes to bed" : activity;
  return {
    id: `d${deed.n}/${deed.tick}`, tick: deed.tick, at: deed.tick * replay.tick, rank: 1, n: deed.n, people: [deed.n],
    group: "deed", emoji: deed.emoji, verb: verb.startsWith(":") ? verb : ` ${verb}`, quote: "",
    place: where.from ? wayWords(where.from, where.to) : placeWords(deed.place), fallback: deed.fallback, nowhere: deed.nowhere, reused: deed.reused, odd: deed.odd,
    oddWhy: deed.oddWhy, text: deed.activity,
  };
}

function refusal(deed, replay) {
  const verb = deed.kind === "talk"
    ? ` would talk with ${listed(deed.partners.map((n) => personOf(replay, n).name))}, but `
    : ` wanted: ${deed.activity}, but `;
  return {
    id: `r${deed.n}/${deed.tick}`, tick: deed.tick, at: deed.tick * replay.tick, rank: 1, n: deed.n, people: [deed.n],
    group: "trouble", emoji: "🚫", verb: `${verb}${deed.reason || "it could not be"}.`, quote: "",
    place: "", fallback: deed.fallback, text: [deed.activity, deed.reason].join(" "),
  };
}

function talkEntry(talk) {
  const [first, ...others] = talk.who;
  return {
    id: `t${talk.id}`, tick: talk.tick, at: talk.start, rank: 2, n: first, people: talk.who, group: "talk",
    emoji: "💬", verb: " talks with ", others, quote: "", place: placeWords(talk.place), talk,
    fallback: false, text: talk.lines.map((line) => line.text).join(" "),
  };
}

function noteEntry(note) {
  const { group, emoji, quoted, steps } = NOTES[note.kind] || OTHER;
  const verb = noteVerb(note);
  const quote = steps ? note.text.split(", ").map(nodeWords).join(", ") : note.text;
  const isOfOne = note.n >= 0;
  const by = note.by ? `${note.by} ` : "";
  return {
    id: `n${note.tick}/${note.kind}/${note.n}/${note.text}`, tick: note.tick, at: note.at, rank: group === "outside" || group === "town" ? 0 : 3,
    n: note.n, people: isOfOne ? [note.n] : [], group, emoji, verb: isOfOne ? ` ${verb}` : `${by}${verb}`,
    quote, quoted, place: "", fallback: note.kind === "fallback", text: note.text, kind: note.kind, heard: [],
  };
}
