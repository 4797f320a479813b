// The head of every page: where else to go, which run, how it is, what to do with it.
import { button, fill, h, words } from "./dom.js";
import { themeButton } from "./theme.js";

const PLACES = [["Town", ""], ["Story", "/story"], ["News", "/news"], ["People", "/relations"]];
const STATES = {
  living: ["●", "living", "more is being lived right now"],
  paused: ["❚❚", "paused", "its owner waits"],
  stopped: ["◼", "stopped", "nobody lives it at present; it can go on"],
  over: ["✓", "over", "it was lived to its end"],
  starting: ["○", "starting", "it is being started, which takes some seconds"],
  new: ["○", "about to begin", "nothing was lived yet"],
};
// What one can do about a run that does not live, by its state.
const RESUMED = { paused: "Go on", stopped: "Go on", over: "Another day" };

/** Return how a run is, in one of the words living, paused, stopped, over, new. */
function stateOf(replay, pulse) {
  if (pulse?.state === "paused") return "paused";
  return { finished: "over", paused: "stopped", new: pulse ? "living" : "new" }[replay.state] || "living";
}

function pages(run, here) {
  const link = (name, address) => h("a", { href: address, "aria-current": name === here && "page" }, name);
  const root = `/run/${encodeURIComponent(run)}`;
  return h("nav", { "aria-label": "Pages" }, link("Runs", "/start"),
    run && PLACES.map(([name, path]) => link(name, root + path)),
    run && link("Compare", `/compare?a=${encodeURIComponent(run)}`));
}

/**
 * Fill a header, the same on every page: links to the pages of `run`, of which `here` is shown, its name in `title`,
 * and what is `beside` the name. `acts` are buttons of this page; without `served` nothing leads out.
 */
export function fillHead(root, { run = "", here = "", title = null, beside = null, acts = null, served = true, help }) {
  const more = h("div", { class: "head-more" }, served && pages(run, here), acts);
  const fold = (isOpen) => menu.setAttribute("aria-expanded", String(root.classList.toggle("is-open", isOpen)));
  const menu = button("Menu", () => fold(), { class: "head-menu", "aria-expanded": "false" });
  // Whatever was chosen needs the room that the menu takes on a phone; the keyboard stays at the menu.
  more.addEventListener("click", (event) => {
    if (!event.target.closest("button")) return;
    fold(false);
    if (more.contains(document.activeElement)) menu.focus();
  });
  // So does whatever is chosen beside it, such as a person; Escape closes it and nothing else.
  document.addEventListener("click", (event) => root.contains(event.target) || fold(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !root.classList.contains("is-open")) return;
    event.stopPropagation();
    fold(false);
    menu.focus();
  }, true);
  root.className = "head";
  return fill(root, h(served ? "a" : "b", { href: served && "/", class: "head-name" }, "Smolville"), title, beside,
    served && menu, more,
    h("div", { class: "head-icons" }, themeButton(),
      button("?", help, { class: "head-icon", "aria-label": "Help", title: "Help (?)" })));
}

/** The header of the town page; what leads to Python is left out of a file. */
export class Header {
  constructor(replay, { served, act, help }) {
    this.replay = replay;
    this.chip = h("span", { class: "chip", role: "status" });
    const { run, models } = replay.head;
    const make = (name, label, title) => button(label, () => act(name), { "data-act": name, title });
    this.buttons = {
      "take-part": make("take-part", "Take part", "Talk, whisper, announce, visit, change an object"),
      pause: make("pause", "Pause run", "Let the run wait; its people hold still"),
      resume: make("resume", "Go on", "Let the town live on"),
      fork: make("fork", "Fork here", "Begin another run from this moment"),
    };
    // The same file that `smolville export` writes.
    const file = h("a", {
      class: "head-export", href: `/replay/${encodeURIComponent(run)}/export.html`, download: `${run}.html`,
      title: "Save this run as one file that plays in any browser, without a server",
    }, "Export");
    const acts = served && h("div", { class: "head-acts" }, Object.values(this.buttons), file);
    const title = h("h1", { class: "head-run", title: models || "" }, words(run));
    this.root = fillHead(h("header"), { run, here: "Town", title, beside: this.chip, acts, served, help });
    // The link to Compare leads to the moment that is shown.
    this.root.querySelector("nav a[href^='/compare']")?.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      act("compare");
    });
    this.show(null);
  }

  /** Show how the run is; what is being started needs nobody to let it go on. */
  show(pulse, isStarting = false) {
    const known = stateOf(this.replay, pulse);
    const state = isStarting && known !== "living" ? "starting" : known;
    if (state === this.state) return;
    this.state = state;
    const [shape, word, meaning] = STATES[state];
    fill(this.chip, h("i", { "aria-hidden": "true" }, shape), ` ${word}`);
    this.chip.className = `chip is-${state}`;
    this.chip.title = meaning;
    const { pause, resume } = this.buttons;
    const isFixed = Boolean(this.replay.head.about);
    this.buttons["take-part"].hidden = isFixed;
    const isHeld = [pause, resume].includes(document.activeElement);
    pause.hidden = state !== "living";
    resume.hidden = isFixed || !RESUMED[state];
    resume.textContent = RESUMED[state] || "";
    // Whoever pressed the one that goes finds the other under their hand.
    if (isHeld) (pause.hidden ? resume : pause).focus();
  }
}
