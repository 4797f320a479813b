// One line for a first visit: what day it is, what is about to happen, and how to follow somebody.
import { button, h, words } from "./dom.js";
import { dateWords, dayOf, longTime } from "./times.js";

const KEY = "smolville-welcomed";

function known() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, "1");
  } catch {
    // A page from disk may have no memory.
  }
}

function happening(film, talk) {
  if (!talk) return film.living ? "the town is living right now." : "the day begins.";
  const names = talk.who.map((n) => film.people[n].short);
  return [names.slice(0, -1).flatMap((name, i) => [i ? ", " : "", words(name)]), names.length > 1 ? " and " : "",
    words(names.at(-1)), names.length > 1 ? " are about to talk." : " is about to speak."];
}

/** Return the line for a page that opens before `talk`, or at a second with none; null for who has read it before. */
export function welcome(film, at, talk) {
  if (known()) return null;
  const close = button("×", () => leave(root), { class: "welcome-close", "aria-label": "Got it" });
  // Of a town that goes on living, the minute would soon be wrong.
  const { start } = film.head;
  const when = film.living && !talk ? dateWords(start, dayOf(at)) : longTime(start, talk ? talk.from : at);
  const root = h("div", { class: "welcome", role: "note" },
    h("p", {}, h("b", {}, when), ": ", happening(film, talk),
      " Click somebody, then Follow."), close);
  return root;
}

/** Take the line away and remember that it was read; nothing for no line. */
export function leave(line) {
  if (!line || !line.isConnected) return;
  line.remove();
  remember();
}
