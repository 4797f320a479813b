// The side of the town: tabs with everybody, one person, and what happened.
import { fill, h, icon, say } from "./dom.js";
import { ICONS } from "./icons.js";

const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Tabs over panels; each is named by a key. */
export class Side {
  constructor(names, onTurn) {
    this.names = Object.keys(names);
    this.onTurn = onTurn;
    this.tabs = {};
    this.panels = {};
    for (const [key, name] of Object.entries(names)) this.make(key, name);
    this.list = h("div", { class: "side-tabs", role: "tablist", "aria-label": "Beside the map" },
      this.names.map((key) => this.tabs[key]));
    this.size = h("button", {
      type: "button", class: "side-size", "aria-expanded": "false", "aria-label": "Larger panel",
      onclick: () => this.resize(),
    }, icon(ICONS.up));
    this.root = h("aside", { class: "side", "aria-label": "Beside the map" },
      h("div", { class: "side-head-row" }, this.list, this.size), this.names.map((key) => this.panels[key]));
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.turn(this.names[0]);
  }

  make(key, name) {
    this.tabs[key] = h("button", {
      type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`,
      onclick: () => this.turn(key),
    }, h("bdi", {}, name));
    this.panels[key] = h("div", {
      class: "side-panel", role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, tabindex: "0",
    });
  }

  /** Show a panel. */
  turn(key) {
    this.now = key;
    for (const name of this.names) {
      const chosen = name === key;
      this.tabs[name].setAttribute("aria-selected", String(chosen));
      this.tabs[name].tabIndex = chosen ? 0 : -1;
      this.panels[name].hidden = !chosen;
    }
    this.onTurn(key);
  }

  /** Give a tab another name. */
  name(key, text) {
    say(this.tabs[key].firstChild, text);
  }

  key(event) {
    if (!(event.key in MOVES)) return;
    event.preventDefault();
    event.stopPropagation();
    const last = this.names.length - 1;
    const index = this.names.indexOf(this.now) + MOVES[event.key];
    const key = this.names[Math.min(last, Math.max(0, index))];
    this.turn(key);
    this.tabs[key].focus();
  }

  resize() {
    const large = this.root.parentElement.classList.toggle("has-large-side");
    this.size.setAttribute("aria-expanded", String(large));
    this.size.setAttribute("aria-label", large ? "Smaller panel" : "Larger panel");
    fill(this.size, icon(large ? ICONS.down : ICONS.up));
  }
}
