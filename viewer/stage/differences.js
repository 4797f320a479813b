// What differs between two towns: the first difference, and the first moment at which each person does otherwise.
import { button, h, words } from "./dom.js";
import { longTime } from "./times.js";

/** The list below two maps; `go(at, name)` shows a second and follows somebody in both. */
export class Differences {
  constructor({ runs, first, people, same }, start, go) {
    this.runs = runs;
    this.start = start;
    this.go = go;
    const list = people.map((person) => this.person(person));
    this.root = h("details", { class: "pair-differences", open: people.length > 0 && innerWidth > 760 },
      h("summary", {}, people.length ? `What differs: ${people.length} ${people.length === 1 ? "person" : "people"}` : "What differs: nothing so far"),
      h("div", { class: "pair-list", tabindex: "0", role: "region", "aria-label": "What differs" },
        first && this.first(first), list,
        same.length && people.length ? h("p", { class: "soft" }, "The same at every moment: ", words(same.join(", ")), ".") : null,
        people.length ? null : h("p", { class: "soft" }, "Everybody did the same, as far as both have lived.")));
  }

  first({ who, others, cause }) {
    const more = others ? ` and ${others} ${others === 1 ? "other" : "others"}` : "";
    return h("section", {}, h("h3", {}, "First, ", words(who), more), h("p", {}, words(cause)));
  }

  person({ name, acts }) {
    return h("section", {}, h("h3", {}, words(name)), h("div", { class: "pair-acts" }, acts.map((act, i) => h("div", {},
      h("div", { class: "pair-run" }, h("b", {}, words(this.runs[i]))), this.act(act, name)))));
  }

  act({ at, words: text, page }, name) {
    return h("div", { class: "pair-act" },
      button(longTime(this.start, at), () => this.go(at, name), { class: "pair-at", title: "Show this moment in both towns" }),
      h("a", { href: page, title: "Open it in its run" }, words(text)));
  }
}
