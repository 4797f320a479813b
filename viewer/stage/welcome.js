// One line for a first visit: what day it is, what is about to happen, and how to follow somebody.
import { button, h, words } from "./dom.js";
import { dateWords, dayOf, longTime } from "./times.js";

const KEY = "smolville-welcomed";
const YEAR = 31536000;
/** Milliseconds for which it stays. */
const LONG_ENOUGH = 45000;

/** Whether this is a first visit; null before anybody asked. */
let isFirst = null;

function known() {
  try {
    return localStorage.getItem(KEY) !== null || document.cookie.includes(KEY);
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, "1");
    // Each run is served at a port of its own: unlike that storage, a cookie is the same at all of them.
    document.cookie = `${KEY}=1; path=/; max-age=${YEAR}; SameSite=Strict`;
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

/** Return the line for a page that opens before `talk`, or at a second with none; null for who has seen it before. */
export function welcome(film, at, talk) {
  isFirst ??= !known();
  if (!isFirst) return null;
  const close = button("×", () => leave(root), { class: "welcome-close", "aria-label": "Got it" });
  // Of a town that goes on living, the minute would soon be wrong.
  const { start } = film.head;
  const when = film.living && !talk ? dateWords(start, dayOf(at)) : longTime(start, talk ? talk.from : at);
  const root = h("div", { class: "welcome", role: "note" },
    h("p", {}, h("b", {}, when), ": ", happening(film, talk),
      " Click somebody, then Follow."), close);
  // It is shown once, and goes by itself: the moment of which it tells is soon over.
  remember();
  setTimeout(() => leave(root), LONG_ENOUGH);
  return root;
}

/** Return a line that stays until it is dismissed, or somebody is followed; `act` is a button in it. */
function lasting(text, act = null) {
  const close = button("×", () => leave(root), { class: "welcome-close", "aria-label": "Got it" });
  const root = h("div", { class: "welcome", role: "note" }, h("p", {}, text), act, close);
  return root;
}

/** Return the line for whoever has just walked in as a visitor. */
export function welcomeVisitor() {
  return lasting("Click somebody to speak to them, or a place to go there. Leave the town stands beside your own name. "
    + "If you close the page, the town waits five minutes for you, then you leave.");
}

/** Return the line for a page whose visitor is no longer in town. */
export function visitorLeft(name) {
  return lasting(words(`${name} has left the town. Walk in again with Take part.`));
}

/** Return the line for a visitor whom another page has left in town; `goOn` lets this one go on with them. */
export function visitorStays(name, goOn) {
  const act = button(["Go on as ", words(name)], () => {
    leave(act.closest(".welcome"));
    goOn();
  });
  return lasting(words(`${name}, a visitor, is in town now.`), act);
}

/** Take the line away; nothing for no line. */
export function leave(line) {
  if (!line?.isConnected) return;
  line.remove();
  isFirst = false;
}
