// Tabs as the accessibility guide asks for: one stop of Tab, arrows between them.

import { h } from "../dom.js";

/** A list of tabs over one panel; `onChoose(isFirst)` is called when one was chosen. */
export class Tabs {
  constructor(names, label, onChoose) {
    this.names = names;
    this.onChoose = onChoose;
    this.chosen = names[0];
    const mine = `tabs-${label.toLowerCase().replaceAll(" ", "-")}`;
    this.panel = h("div", { role: "tabpanel", id: `${mine}-panel`, class: "tabs-panel", tabindex: "0" });
    this.buttons = names.map((name) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${mine}-${name.toLowerCase()}`,
          class: "tabs-tab",
          "aria-controls": this.panel.id,
          onclick: () => this.choose(name),
        },
        name,
      ),
    );
    this.list = h("div", { role: "tablist", "aria-label": label, class: "tabs" }, ...this.buttons);
    this.list.addEventListener("keydown", (event) => this.#turn(event));
    this.#mark();
  }

  /** Choose a tab by its name; `isFirst` where nobody asked for it. */
  choose(name, isFirst = false) {
    this.chosen = name;
    this.#mark();
    this.onChoose(isFirst);
  }

  #mark() {
    this.buttons.forEach((button, i) => {
      const isChosen = this.names[i] === this.chosen;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.panel.setAttribute("aria-labelledby", button.id);
    });
  }

  #turn(event) {
    const here = this.names.indexOf(this.chosen);
    const last = this.names.length - 1;
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (to + this.names.length) % this.names.length;
    this.choose(this.names[next]);
    this.buttons[next].focus();
  }
}
