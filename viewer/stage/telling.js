// What happens, as sentences for those who listen instead of looking.
import { NOTES, noteVerb } from "./note_words.js";

const LONGEST = 160;

function brief(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()} …` : text;
}

function named(replay, who) {
  const names = who.map((n) => replay.people[n]?.short || "somebody");
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** Return "Nadia and Walter talk. Nadia: ..." for a talk at a time. */
export function talkSentence(replay, talk, at) {
  const line = replay.lineAt(talk, at);
  const said = line ? ` ${replay.people[line.n]?.short || "Somebody"}: ${brief(line.text)}` : "";
  return `${named(replay, talk.who)} talk.${said}`;
}

function noteSentence(replay, note) {
  const who = replay.people[note.n]?.short || note.by;
  const said = `${noteVerb(note)}${brief(note.text)}`;
  return who ? `${who} ${said}` : said;
}

/** Return the one sentence most worth hearing of what happened between two seconds, or "". */
export function sentence(replay, from, to, selected = null) {
  const notes = replay.notes(from, to).filter((note) => NOTES[note.kind]?.loud);
  if (notes.length) return noteSentence(replay, notes[notes.length - 1]);
  const talks = replay.talksAt(to);
  const theirs = talks.find((talk) => talk.who.includes(selected)) || talks[talks.length - 1];
  if (theirs) return talkSentence(replay, theirs, to);
  return doing(replay, from, to, selected);
}

function doing(replay, from, to, selected) {
  const chosen = selected === null ? replay.people.map((_, n) => n) : [selected];
  for (const n of chosen) {
    const deed = replay.deed(n, to);
    if (deed && deed.tick * replay.tick >= from && deed.tick * replay.tick <= to) {
      return `${replay.people[n].short}: ${brief(deed.activity)}`;
    }
  }
  return "";
}
