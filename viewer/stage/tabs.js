// Tabs as the accessibility guide asks for: one stop of Tab, arrows between them.
import { h } from "./dom.js";

const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Tabs over `panels`, by key: one panel each, or one for all; `onChoose(key, isFirst)` hears which is chosen. */
export class Tabs {
  constructor(names, panels, label, onChoose) {
    this.keys = Object.keys(names);
    this.panels = panels;
    this.onChoose = onChoose;
    this.tabs = Object.fromEntries(this.keys.map((key) => [key, h("button", {
      type: "button", role: "tab", class: "tab", id: `tab-${key}`, onclick: () => this.choose(key),
    }, h("bdi", {}, names[key]))]));
    for (const key of this.keys) {
      const panel = panels[key];
      panel.id ||= `panel-${key}`;
      for (const [name, value] of [["role", "tabpanel"], ["tabindex", "0"]]) panel.setAttribute(name, value);
      this.tabs[key].setAttribute("aria-controls", panel.id);
    }
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: (event) => this.key(event) },
      Object.values(this.tabs));
  }

  choose(key, isFirst = false) {
    this.chosen = key;
    for (const each of this.keys) {
      const isChosen = each === key;
      this.tabs[each].setAttribute("aria-selected", String(isChosen));
      this.tabs[each].tabIndex = isChosen ? 0 : -1;
      this.panels[each].hidden = this.panels[each] !== this.panels[key];
    }
    this.panels[key].setAttribute("aria-labelledby", this.tabs[key].id);
    this.onChoose(key, isFirst);
  }

  key(event) {
    if (!(event.key in MOVES)) return;
    event.preventDefault();
    event.stopPropagation();
    const count = this.keys.length;
    const wanted = this.keys.indexOf(this.chosen) + MOVES[event.key];
    const index = Number.isFinite(wanted) ? (wanted + count) % count : wanted < 0 ? 0 : count - 1;
    this.choose(this.keys[index]);
    this.tabs[this.keys[index]].focus();
  }
}
