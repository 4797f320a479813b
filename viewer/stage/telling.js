// What happens, as sentences for those who listen instead of looking.
import { NOTES, noteVerb } from "./note_words.js";

const LONGEST = 160;

function brief(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()} …` : text;
}

function named(film, who) {
  const names = who.map((n) => film.people[n]?.short || "somebody");
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** Return "Nadia and Walter talk. Nadia: ..." for a talk at a time. */
export function talkSentence(film, talk, at) {
  const line = film.lineAt(talk, at);
  const said = line ? ` ${film.people[line.n]?.short || "Somebody"}: ${brief(line.text)}` : "";
  return `${named(film, talk.who)} talk.${said}`;
}

function noteSentence(film, note) {
  const who = film.people[note.n]?.short || note.by;
  const said = `${noteVerb(note)}${brief(note.text)}`;
  return who ? `${who} ${said}` : said;
}

/** Return the one sentence most worth hearing of what happened between two seconds, or "". */
export function sentence(film, from, to, selected = null) {
  const notes = film.notes(from, to).filter((note) => NOTES[note.kind]?.loud);
  if (notes.length) return noteSentence(film, notes[notes.length - 1]);
  const talks = film.talksAt(to);
  const theirs = talks.find((talk) => talk.who.includes(selected)) || talks[talks.length - 1];
  if (theirs) return talkSentence(film, theirs, to);
  return doing(film, from, to, selected);
}

function doing(film, from, to, selected) {
  const chosen = selected === null ? film.people.map((_, n) => n) : [selected];
  for (const n of chosen) {
    const deed = film.deed(n, to);
    if (deed && deed.tick * film.tick >= from && deed.tick * film.tick <= to) {
      return `${film.people[n].short}: ${brief(deed.activity)}`;
    }
  }
  return "";
}
