// What differs between two towns: the first difference, and the first moment at which each person does otherwise.
import { button, h, words } from "./dom.js";
import { longTime } from "./times.js";

const KINDS = [["deeds", "act", "acts"], ["talks", "talk", "talks"], ["memories", "memory", "memories"]];

/** Return what only one of the runs has of somebody, as "2 acts, 1 talk and 12 memories only here"; "" for nothing. */
function onlyHere(counts, i) {
  const told = KINDS.filter(([key]) => counts[key][i]).map(([key, one, more]) => `${counts[key][i]} ${counts[key][i] === 1 ? one : more}`);
  if (!told.length) return "";
  const last = told.pop();
  return ` · ${told.length ? `${told.join(", ")} and ` : ""}${last} only here`;
}

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
        same.length && people.length ? h("p", { class: "soft" }, "Nothing differs for ", words(same.join(", ")), ".") : null,
        people.length ? null : h("p", { class: "soft" }, "Everybody did the same, as far as both have lived.")));
  }

  first({ who, others, cause, deeds }) {
    const more = others ? ` and ${others} ${others === 1 ? "other" : "others"}` : "";
    return h("section", {}, h("h3", {}, "First, ", words(who), more), h("p", {}, words(cause)),
      h("p", { class: "pair-deeds" }, deeds ? this.firstDeed(deeds) : "Everybody does the same at every moment so far."));
  }

  /** Return the first moment at which people do different things, with a way there. */
  firstDeed({ told, at, who }) {
    return [words(told), " ", button("Show it in both towns", () => this.go(at, who), { class: "pair-at" })];
  }

  person({ name, acts, ...counts }) {
    return h("section", {}, h("h3", {}, words(name)),
      this.columns(acts, name, "the same at every moment so far", [0, 1].map((i) => onlyHere(counts, i))));
  }

  columns(sides, name, nothing, told) {
    return h("div", { class: "pair-acts" }, sides.map((acts, i) => h("div", {},
      h("div", { class: "pair-run" }, h("b", {}, words(this.runs[i])), told[i]),
      acts.length ? acts.map((act) => this.act(act, name)) : h("p", { class: "soft" }, nothing))));
  }

  act({ at, words: text, page }, name) {
    return h("div", { class: "pair-act" },
      button(longTime(this.start, at), () => this.go(at, name), { class: "pair-at", title: "Show this moment in both towns" }),
      h("a", { href: page, title: "Open it in its run" }, words(text)));
  }
}
