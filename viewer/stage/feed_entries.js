// What the feed tells: entries of the replay in the order of time, each of a group, with its words.

import { NOTES, noteVerb } from "./note_words.js";
import { listed, personOf, placeWords, stepWords, told } from "./people/words.js";
import { wayWords, whereabouts } from "./whereabouts.js";

export const GROUPS = {
  deed: "actions",
  talk: "talks",
  thought: "insights and plans",
  town: "weather and happenings",
  outside: "from outside",
  trouble: "failures and fallbacks",
};

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
      for (const deed of this.fresh(replay.deeds(n))) if (this.isTold(deed)) found.push(deedEntry(deed, replay));
      for (const deed of this.fresh(replay.refused(n))) found.push(refusal(deed, replay));
    }
    for (const talk of this.fresh(replay.talks.all.rows)) found.push(talkEntry(talk));
    for (const note of this.fresh(replay.told.rows)) found.push(noteEntry(note, replay));
    found.sort((a, b) => a.at - b.at || a.rank - b.rank || a.n - b.n);
    this.all = this.all.concat(found);
    this.watermark = replay.watermark;
    return found.length > 0;
  }

  /** Return the rows of later ticks than are known here; rows come in the order of their ticks. */
  fresh(rows) {
    return rows.slice(rows.findLastIndex(({ tick }) => tick <= this.watermark) + 1);
  }

  /** Return whether a deed is something new: talks have entries of their own, and going on with the same is none. */
  isTold(deed) {
    if (deed.kind === "talk") return false;
    const before = this.doing.get(deed.n);
    this.doing.set(deed.n, deed);
    const isSame = before && before.activity === deed.activity && before.place === deed.place;
    return !isSame || deed.fallback || deed.nowhere || deed.odd;
  }
}

function deedEntry(deed, replay) {
  const at = deed.tick * replay.tick;
  const { from, to } = whereabouts(replay, deed.n, at);
  const activity = from ? ` is on the way, for ${deed.activity}` : told(deed.activity);
  return {
    ...deed, id: `d${deed.n}/${deed.tick}`, at, rank: 1, people: [deed.n], group: "deed", quote: "",
    verb: deed.kind === "sleep" ? " goes to bed" : activity, text: deed.activity,
    place: from ? wayWords(from, to) : placeWords(deed.place),
  };
}

function refusal({ n, tick, kind, activity, partners, reason, fallback }, replay) {
  const wish = kind === "talk" ? `would talk with ${listed(partners.map((each) => personOf(replay, each).name))}` : `wanted: ${activity}`;
  return {
    id: `r${n}/${tick}`, tick, at: tick * replay.tick, rank: 1, n, people: [n], group: "trouble", emoji: "🚫",
    verb: ` ${wish}, but ${reason || "it could not be"}.`, quote: "", place: "", fallback, text: `${activity} ${reason}`,
  };
}

function talkEntry(talk) {
  const [n, ...others] = talk.who;
  return {
    id: `t${talk.id}`, tick: talk.tick, at: talk.start, rank: 2, n, people: talk.who, group: "talk", emoji: "💬",
    verb: " talks with ", others, quote: "", place: placeWords(talk.place), talk, fallback: false,
    text: talk.lines.map((line) => line.text).join(" "),
  };
}

function noteEntry(note, replay) {
  const { tick, at, n, kind, text, by } = note;
  const { group, emoji, quoted, steps } = NOTES[kind] || OTHER;
  const isOfOne = n >= 0;
  return {
    id: `n${tick}/${kind}/${n}/${text}`, tick, at, rank: group === "outside" || group === "town" ? 0 : 3,
    n, people: isOfOne ? [n] : [], group, emoji, verb: `${isOfOne ? " " : by && `${by} `}${noteVerb(note)}`,
    quote: steps ? text.split(", ").map((step) => stepWords(replay, step)).join(", ") : text,
    quoted, place: "", fallback: kind === "fallback", text,
  };
}
