// One line for a first visit: what day it is, what is about to happen, and how to follow somebody.
import { button, fill, h, words } from "./dom.js";
import { recall, remember } from "./memory.js";
import { clockTime, dateWords, dayOf, longTime } from "./times.js";

const KEY = "smolville-welcomed";
const YEAR = 31536000;
/** Milliseconds for which it stays. */
const LONG_ENOUGH = 45000;
/** Town seconds behind the live edge from which on it is said where that is. */
const FAR = 600;

/** Whether this is a first visit; null before anybody asked. */
let isFirst = null;

function talking(replay, { who, at }, second) {
  const names = who.map((n) => replay.people[n].short);
  const many = names.length > 1;
  const doing = second < at ? (many ? " are about to talk." : " is about to speak.") : (many ? " are talking." : " is speaking.");
  return [names.slice(0, -1).flatMap((name, i) => [i ? ", " : "", words(name)]), many ? " and " : "", words(names.at(-1)), doing];
}

/** Return what the line says of a second: the day, the talk where the page has opened, and where the town is lived. */
function told(replay, talk, opened, at) {
  const { start } = replay.head;
  const isTalk = talk && at >= talk.from && at < talk.end;
  const isBehind = replay.living && replay.until - at > FAR;
  const live = isBehind ? ` The town is being lived at ${clockTime(replay.until)}; Live goes there.` : "";
  if (isTalk) return [h("b", {}, longTime(start, at < talk.at ? talk.from : talk.at)), ": ", talking(replay, talk, at), live];
  // Of a town that goes on living, the minute would soon be wrong.
  if (talk || replay.living) {
    return [h("b", {}, dateWords(start, dayOf(at))), replay.living && !isBehind ? ": the town is living right now." : ".", live];
  }
  return [h("b", {}, longTime(start, opened)), ": the day begins."];
}

/**
 * Return the line for a page that opens before `talk`, or at a second with none; null for who has seen it before.
 * `onTime` takes what is to hear of each second that is shown, so that the line stays true.
 */
export function welcome(replay, opened, talk, onTime) {
  isFirst ??= recall(KEY) === null && !document.cookie.includes(KEY);
  if (!isFirst) return null;
  const close = button("×", () => leave(root), { class: "welcome-close", "aria-label": "Got it" });
  const line = h("p", {});
  const root = h("div", { class: "welcome", role: "note" }, line, close);
  const renew = (at) => fill(line, told(replay, talk, opened, at), " Click somebody, then Follow.");
  renew(opened);
  const off = onTime(({ at }) => (root.isConnected ? renew(at) : off()));
  // It is shown once, and goes by itself: the moment of which it tells is soon over.
  remember(KEY, "1");
  // Each run is served at a port of its own: unlike that storage, a cookie is the same at all of them.
  document.cookie = `${KEY}=1; path=/; max-age=${YEAR}; SameSite=Strict`;
  setTimeout(() => leave(root), LONG_ENOUGH);
  return root;
}

/** Return a line that stays until it is dismissed, or something is clicked; with `act`, a button in it, until that. */
function lasting(text, act = null) {
  const close = button("×", () => leave(root), { class: "welcome-close", "aria-label": "Got it" });
  const root = h("div", { class: "welcome", role: "note" }, h("p", {}, text), act, close);
  return root;
}

/** Return the line for whoever has just walked in as a visitor. */
export function welcomeVisitor() {
  return lasting("Click somebody to speak to them, or a place to go there. Leave the town stands above the map. "
    + "If you close the page, the town waits five minutes for you, then you leave.");
}

/** Return the line for a page whose visitor is no longer in town. */
export function visitorLeft(name) {
  return lasting(words(`${name} has left the town. Walk in again with Take part.`));
}

/** Return the line for whoever has just left the town, which lives on. */
export function visitorParted(name) {
  return lasting(words(`${name} has left the town. Press play to watch how it goes on.`));
}

/** Return the line for a visitor whom another page has left in town; `goOn` lets this one go on with them. */
export function visitorStays(name, goOn) {
  const act = button(["Go on as ", words(name)], () => {
    leave(act.closest(".welcome"));
    goOn();
  });
  return lasting(words(`${name}, a visitor, is in town now.`), act);
}

export function leave(line) {
  if (!line?.isConnected) return;
  line.remove();
  isFirst = false;
}
