// Small pieces that several sections share: moments to go to, names to pick, outcomes as shapes.

import { button, h, words } from "../dom.js";
import { briefly, longTime } from "../times.js";
import { OUTCOMES, personOf } from "./words.js";

/** Return a button that shows a moment and goes there. */
export function goTo({ replay: { head }, calls, at: now }, at) {
  const title = `Go to ${longTime(head.start, at)}`;
  return button(h("time", {}, briefly(head.start, at, now)), () => calls.onSeek(at), {
    class: "moment-go", title, "aria-label": title,
  });
}

/** Return a button with a person's disc and name that picks them; a text where nobody in town has this number. */
export function personLink(scene, n, text = null) {
  const person = personOf(scene.replay, n);
  const label = words(text ?? person.name);
  if (!scene.replay.people[n]) return label;
  return button([disc(person), label], () => scene.calls.onPick(n), { class: "person-link" });
}

/** Return a person's disc: their colour with their initials, black or white, whichever is read better on it. */
export function disc({ colour, initials }) {
  const parts = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const isLight = 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179;
  return h("span", {
    class: "disc", "aria-hidden": "true", style: `background:${colour};color:${isLight ? "#000" : "#fff"}`,
  }, initials);
}

/** Return how something ended, as a shape and a word. */
export function outcomeMark(name) {
  const { shape, means } = OUTCOMES[name];
  return h("span", { class: `outcome outcome-${name}`, title: means },
    h("span", { class: "outcome-shape", "aria-hidden": "true" }, shape), name);
}

const MARKS = {
  fallback: "No model's answer could be used: the declared fallback decided this.",
  nowhere: "The model found no place that fits: it is done where they stood.",
  reused: "The task or its place came from a routine: no model was asked again.",
  odd: "The answer was accepted, and a check says that something in it makes no sense.",
};

/** Return the words that mark what a fallback decided of a deed or a line, a place not found, a routine, an odd answer. */
export function marks(of) {
  return Object.entries(MARKS).filter(([name]) => of[name]).flatMap(([name, title]) => {
    return [" ", h("span", { class: `${name}-mark`, title }, name === "odd" ? "◇ odd" : name)];
  });
}

/** Return what the checks say of an odd answer, one sentence below the other; empty if they object to nothing. */
export function oddWords(sentences) {
  if (!sentences?.length) return "";
  return h("ul", { class: "odd-why" }, sentences.map((each) => h("li", {}, longWords(each))));
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

export function fact(term, ...said) {
  return h("div", { class: "fact" }, h("dt", {}, term), h("dd", {}, ...said));
}

/** Return a select with a name: `choices` are [value, text] pairs. */
export function choice(label, choices, onChange) {
  return h("select", { "aria-label": label, class: "pick-field", onchange: (event) => onChange(event.target.value) },
    choices.map(([value, text]) => h("option", { value }, text)));
}

/** Return a search field with a name that tells what is typed, a moment after the last key. */
export function searchField(label, onType) {
  let waiting = 0;
  const field = h("input", {
    type: "search", class: "find-field", "aria-label": label, placeholder: label, autocomplete: "off",
    oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => onType(field.value.trim().toLowerCase()), 120);
    },
  });
  return field;
}

/** Scroll the panel around a node, and nothing beyond it, until the node is in its middle. */
export function reveal(node) {
  const scroller = node.closest(".side-panel");
  if (!scroller) return;
  const [from, at] = [scroller, node].map((each) => each.getBoundingClientRect());
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
  }, { class: "slices-more" });
  return h("span", {}, node, more);
}
