// A voice for readers of the screen: calm, one sentence in five seconds at most.
import { h, say } from "./dom.js";
import { NOTES, noteVerb } from "./note_words.js";
import { listed, personOf } from "./people/words.js";
import { longTime } from "./times.js";

const BREATH = 5000;
const SETTLED = 700;
const TOO_FAST = 8;
const LONGEST = 160;

/** Tells in a polite live region what the eyes would see. */
export class Announcer {
  constructor(root, replay, clock, selected) {
    this.replay = replay;
    this.clock = clock;
    this.selected = selected;
    this.region = h("div", { class: "unseen", "aria-live": "polite", role: "status" });
    root.append(this.region);
    this.told = clock.at;
    this.spoken = -Infinity;
    this.timer = 0;
    clock.on((name) => {
      if (name !== "seek" && name !== "pause") return;
      // Where one is, is told once seeking has come to rest.
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.speak(sentence(replay, clock.at - 60, clock.at, selected())), SETTLED);
    });
  }

  /** Tell what happened since the last sentence, when it is time for one. */
  pass() {
    const { at, playing, speed, live } = this.clock;
    if (!playing || (speed > TOO_FAST && !live)) return;
    if (performance.now() - this.spoken < BREATH) return;
    const heard = sentence(this.replay, Math.min(this.told, at), at, this.selected());
    if (heard) this.speak(heard);
  }

  speak(heard) {
    this.told = this.clock.at;
    this.spoken = performance.now();
    say(this.region, `${longTime(this.replay.head.start, this.told)}. ${heard}`.trim());
  }
}

function brief(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()} …` : text;
}

/** Return the one sentence most worth hearing of what happened between two seconds, or "". */
export function sentence(replay, from, to, selected = null) {
  const note = replay.notes(from, to).findLast(({ kind }) => NOTES[kind]?.loud);
  if (note) {
    const who = replay.people[note.n]?.short || note.by;
    return `${who ? `${who} ` : ""}${noteVerb(note)}${brief(note.text)}`;
  }
  const talks = replay.talksAt(to);
  const talk = talks.find((each) => each.who.includes(selected)) || talks.at(-1);
  if (talk) {
    const line = replay.lineAt(talk, to);
    const said = line ? ` ${personOf(replay, line.n).short}: ${brief(line.text)}` : "";
    return `${listed(talk.who.map((n) => personOf(replay, n).short))} talk.${said}`;
  }
  const n = replay.people.findIndex((_, i) => {
    const at = (selected ?? i) === i && replay.deed(i, to) ? replay.deed(i, to).tick * replay.tick : -1;
    return at >= from && at >= 0 && at <= to;
  });
  return n < 0 ? "" : `${replay.people[n].short}: ${brief(replay.deed(n, to).activity)}`;
}
