// The head of the page: which run, how it is, where else to go, what to do with it.
import { button, fill, h, words } from "./dom.js";
import { themeButton } from "./theme_button.js";

const PLACES = [["Town", ""], ["Story", "/story"], ["News", "/news"], ["People", "/relations"], ["Model", "/charts"]];
const STATES = {
  living: ["●", "living", "more is being lived right now"],
  paused: ["❚❚", "paused", "its owner waits"],
  stopped: ["◼", "stopped", "nobody lives it at present; it can go on"],
  over: ["✓", "over", "it was lived to its end"],
  new: ["○", "about to begin", "nothing was lived yet"],
};

// What one can do about a run that does not live, by its state.
const RESUMED = { paused: "Go on", stopped: "Go on", over: "Another day" };

/** Return how a run is, in one of the words living, paused, stopped, over, new. */
export function stateOf(film, pulse) {
  if (pulse && pulse.state === "paused") return "paused";
  if (film.state === "finished") return "over";
  if (film.state === "paused") return "stopped";
  if (film.state === "new") return pulse ? "living" : "new";
  return "living";
}

/** The header of the town page; what leads to Python is left out of a file. */
export class Header {
  constructor(film, { served, act, help }) {
    this.film = film;
    this.chip = h("span", { class: "chip", role: "status" });
    this.go = served ? this.actions(act) : null;
    const run = film.head.run;
    const name = h(served ? "a" : "b", { href: served && "/", class: "head-name" }, "Smolville");
    this.more = h("div", { class: "head-more" }, served ? this.ways(run) : null, this.go);
    const menu = served && button("Menu", () => this.fold(), { class: "head-menu", "aria-expanded": "false" });
    this.menu = menu;
    const icons = h("div", { class: "head-icons" }, menu, themeButton(),
      button("?", help, { class: "head-icon", "aria-label": "Help", title: "Keys and marks (?)" }));
    const title = h("h1", { class: "head-run", title: film.head.models || "" }, words(run));
    this.root = h("header", { class: "head" }, name, title, this.chip, this.more, icons);
    this.show(null);
  }

  ways(run) {
    const root = `/run/${encodeURIComponent(run)}`;
    const links = PLACES.map(([name, path]) => {
      return h("a", { href: root + path, "aria-current": path === "" ? "page" : false }, name);
    });
    return h("nav", { "aria-label": "Pages" }, links, h("a", { href: "/start" }, "Runs"));
  }

  actions(act) {
    const make = (name, label, title) => button(label, () => act(name), { "data-act": name, title });
    this.buttons = {
      "take-part": make("take-part", "Take part", "Talk, whisper, announce, visit, change an object"),
      pause: make("pause", "Pause run", "Let the run wait; its people hold still"),
      resume: make("resume", "Go on", "Let the run be lived on"),
      fork: make("fork", "Fork here", "Begin another run from this moment"),
      compare: make("compare", "Compare", "Two runs side by side"),
    };
    return h("div", { class: "head-acts" }, Object.values(this.buttons));
  }

  fold() {
    const open = this.root.classList.toggle("is-open");
    this.menu.setAttribute("aria-expanded", String(open));
  }

  /** Show how the run is. */
  show(pulse) {
    const state = stateOf(this.film, pulse);
    if (state === this.state) return;
    this.state = state;
    const [shape, word, meaning] = STATES[state];
    fill(this.chip, h("i", { "aria-hidden": "true" }, shape), ` ${word}`);
    this.chip.className = `chip is-${state}`;
    this.chip.title = meaning;
    if (!this.go) return;
    const { pause, resume } = this.buttons;
    const fixed = Boolean(this.film.head.about);
    this.buttons["take-part"].hidden = fixed;
    const held = document.activeElement === pause || document.activeElement === resume;
    pause.hidden = state !== "living";
    resume.hidden = fixed || !RESUMED[state];
    resume.textContent = RESUMED[state] || "";
    // Whoever pressed the one that goes finds the other under their hand.
    if (held) (pause.hidden ? resume : pause).focus();
  }
}
