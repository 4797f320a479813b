// Small pieces that several sections share: moments to go to, names to pick, outcomes as shapes.

import { button, h, words } from "../dom.js";
import { OUTCOMES, briefly, personOf, whenOf } from "./words.js";

/** Return a button that shows a moment and goes there. */
export function goTo(scene, at) {
  const { replay, calls } = scene;
  const full = whenOf(replay.head.start, at);
  return button(h("time", {}, briefly(replay.head.start, at, scene.at)), () => calls.onSeek(at), {
    class: "moment-go",
    title: `Go to ${full}`,
    "aria-label": `Go to ${full}`,
  });
}

/** Return a button with somebody's name that picks them; a text where nobody in town has it. */
export function nameOf(scene, name) {
  const n = scene.replay.people.findIndex((person) => person.name === name);
  return n < 0 ? words(name) : personLink(scene, n);
}

/** Return a button with a person's disc and name that picks them. */
export function personLink(scene, n, text = null) {
  const person = personOf(scene.replay, n);
  const label = text ?? person.name;
  if (!scene.replay.people[n]) return words(label);
  return button([disc(person, "disc-small"), words(label)], () => scene.calls.onPick(n), {
    class: "person-link",
  });
}

/** Return a person's disc: their colour with their initials. */
export function disc(person, className = "") {
  const node = h("span", { class: `disc ${className}`, "aria-hidden": "true" }, person.initials);
  node.style.setProperty("--person", person.colour);
  node.style.setProperty("--on-person", readable(person.colour));
  return node;
}

/** Return black or white, whichever is read better on a colour `#rrggbb`. */
export function readable(colour) {
  const parts = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return light > 0.179 ? "#000000" : "#ffffff";
}

/** Return how something ended, as a shape and a word. */
export function outcomeMark(name) {
  const { shape, word, means } = OUTCOMES[name] || OUTCOMES.none;
  return h(
    "span",
    { class: `outcome outcome-${name || "none"}`, title: means },
    h("span", { class: "outcome-shape", "aria-hidden": "true" }, shape),
    word,
  );
}

/** Return the words that mark what a declared fallback decided. */
export function fallbackMark() {
  const title = "No model's answer could be used: the declared fallback decided this.";
  return h("span", { class: "fallback-mark", title }, "fallback");
}

/** Return the word that marks an answer that was accepted and makes no sense. */
export function oddMark() {
  const title = "The answer was accepted, and a check says that something in it makes no sense.";
  return h("span", { class: "odd-mark", title }, "◇ odd");
}

/** Return what the checks say of an odd answer, one sentence below the other; empty if they object to nothing. */
export function oddWords(sentences) {
  if (!sentences?.length) return "";
  return h("ul", { class: "odd-why" }, sentences.map((each) => h("li", {}, longWords(each))));
}

/** Return the word that marks what was done as before, without asking a model. */
function reusedMark() {
  const title = "The task or its place came from a routine: no model was asked again.";
  return h("span", { class: "reused-mark", title }, "reused");
}

/** Return the words that mark what a fallback decided of a deed, a place not found, a routine, an odd answer. */
export function deedMarks({ fallback, nowhere, reused, odd }) {
  const title = "The model found no place that fits: it is done where they stood.";
  const unplaced = () => h("span", { class: "nowhere-mark", title }, "nowhere");
  return [fallback && fallbackMark(), nowhere && unplaced(), reused && reusedMark(), odd && oddMark()].filter(Boolean).flatMap((mark) => [" ", mark]);
}

/**
 * Return the button that leads to why somebody thought something at a tick, or to why a talk went as it did. Empty in a
 * file, which has no such pages, and for a visitor, who has no thoughts.
 */
export function whyButton({ replay, calls, inFile }, { n, tick, talk = null, label }) {
  const who = personOf(replay, n);
  if (inFile || (!talk && who.visitor)) return "";
  const go = talk ? () => calls.onOpen("talk", { id: talk.id }) : () => calls.onOpen("why", { who: who.name, tick });
  return button("Why?", go, { class: "link-button why-button", "aria-label": label });
}

/** Return the button that leads to why somebody did something: of a talk to the whole talk. */
export function whyDone(scene, { n, tick, kind, activity }) {
  const talk = kind === "talk" ? scene.replay.talksOf(n).find((each) => each.tick === tick) : null;
  return whyButton(scene, { n, tick, talk, label: `Why ${activity}?` });
}

/** Return a term and what is said of it, for a description list. */
export function fact(term, ...said) {
  return h("div", { class: "fact" }, h("dt", {}, term), h("dd", {}, ...said));
}

/** Return a select with a name: `choices` are [value, text] pairs. */
export function choice(label, choices, onChange) {
  const options = choices.map(([value, text]) => h("option", { value }, text));
  const select = h("select", { "aria-label": label, class: "pick-field" }, ...options);
  select.addEventListener("change", () => onChange(select.value));
  return select;
}

/** Return a search field with a name that tells what is typed, a moment after the last key. */
export function searchField(label, onType) {
  const field = h("input", {
    type: "search",
    class: "find-field",
    "aria-label": label,
    placeholder: label,
    autocomplete: "off",
  });
  let waiting = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => onType(field.value.trim().toLowerCase()), 120);
  });
  return field;
}

/** Scroll the panel around a node, and nothing beyond it, until the node is in its middle. */
export function reveal(node) {
  const scroller = node.closest(".side-panel");
  if (!scroller) return;
  const from = scroller.getBoundingClientRect();
  const at = node.getBoundingClientRect();
  scroller.scrollTop += at.top + at.height / 2 - from.top - from.height / 2;
}

const LONG = 600;

/** Return a text; of a very long one the beginning, and the rest when it is asked for. */
export function longWords(text) {
  if (text.length <= LONG) return words(text);
  const node = words(`${text.slice(0, LONG)}…`);
  const more = button(`Show all ${text.length.toLocaleString("en")} letters`, () => {
    node.textContent = text;
    more.remove();
  });
  more.className = "slices-more";
  return h("span", {}, node, more);
}
