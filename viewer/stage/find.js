// Finding people and places as one types.
import { button, fill, h, words } from "./dom.js";

const MOST = 40;

/** Return all that can be found: name, what it is, and the thing as the map knows it. */
export function things(replay) {
  const people = replay.people.map((person, n) => {
    return { name: person.name, what: person.visitor ? "visitor" : person.work || "person", thing: { kind: "person", n } };
  });
  const { sectors = [], arenas = [], objects = [] } = replay.map;
  const sectorName = new Map(sectors.map(({ address, name }) => [address, name]));
  const place = (kind, { address, name }, what) => ({ name, what, thing: { kind, address } });
  return [
    ...people,
    ...sectors.map((sector) => place("sector", sector, "place")),
    ...arenas.map((arena) => place("arena", arena, sectorName.get(arena.sector) || arena.sector || "place")),
    ...objects.map((object, index) => {
      const what = object.address.split(": ").slice(0, -1).join(", ");
      return { name: object.name, what, thing: { kind: "object", index, address: object.address } };
    }),
  ];
}

/** Return a text as it is compared: without accents, in small letters. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function rank(entry, sought) {
  const name = plain(entry.name);
  if (name.startsWith(sought)) return 0;
  if (name.includes(` ${sought}`)) return 1;
  if (name.includes(sought)) return 2;
  return plain(entry.what).includes(sought) ? 3 : -1;
}

/** Return what fits the typed text, best first; without a text people come first. */
export function search(entries, text) {
  const sought = plain(text.trim());
  if (!sought) return entries.slice(0, MOST);
  return entries
    .map((entry, i) => [rank(entry, sought), i, entry])
    .filter(([value]) => value >= 0)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .slice(0, MOST)
    .map(([, , entry]) => entry);
}

/** The dialog with a field and a list of what fits. */
export class Find {
  constructor(replay, onFound) {
    this.replay = replay;
    this.onFound = onFound;
    this.list = h("ul", { class: "find-list", id: "find-list", role: "listbox", "aria-label": "People and places" });
    this.none = h("p", { class: "soft find-none", role: "status" });
    this.field = h("input", {
      type: "text", role: "combobox", "aria-label": "Find a person or a place", "aria-expanded": "true",
      "aria-controls": "find-list", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false",
      placeholder: "Find a person or a place", oninput: () => this.refresh(), onkeydown: (event) => this.key(event),
    });
    const close = button("✕", () => this.root.close(), { class: "head-icon", "aria-label": "Close" });
    this.root = h("dialog", { class: "find", "aria-label": "Find" },
      h("div", { class: "find-row" }, this.field, close), this.list, this.none);
    this.root.addEventListener("click", (event) => event.target === this.root && this.root.close());
  }

  open() {
    if (this.root.open) return;
    this.entries = things(this.replay);
    this.field.value = "";
    this.refresh();
    this.root.showModal();
    this.field.focus();
  }

  refresh() {
    this.found = search(this.entries, this.field.value);
    this.options = this.found.map((entry, i) => {
      return h("li", { role: "option", id: `find-${i}`, onclick: () => this.choose(i) },
        h("span", {}, words(entry.name)), h("span", { class: "soft" }, words(entry.what)));
    });
    fill(this.list, this.options);
    this.list.hidden = !this.found.length;
    this.none.textContent = this.found.length ? "" : "Nobody and nothing of this name.";
    this.mark(0);
  }

  mark(index) {
    this.options[this.index]?.removeAttribute("aria-selected");
    this.index = index;
    const option = this.options[index];
    this.field.setAttribute("aria-activedescendant", option ? option.id : "");
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const last = this.found.length - 1;
    const moves = {
      ArrowDown: () => this.mark(this.index >= last ? 0 : this.index + 1),
      ArrowUp: () => this.mark(this.index <= 0 ? last : this.index - 1),
      Enter: () => this.choose(this.index),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  choose(index) {
    const entry = this.found[index];
    if (!entry) return;
    this.root.close();
    this.onFound(entry.thing);
  }
}
