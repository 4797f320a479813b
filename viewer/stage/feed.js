// What happened up to the second that is shown, newest first, as sentences.

import { button, emoji, h, words } from "./dom.js";
import { Entries, GROUPS } from "./feed_entries.js";
import { Pace } from "./pace.js";
import { choice, goTo, longWords, marks, oddWords, personLink, searchField, whyButton } from "./people/pieces.js";
import { Slices } from "./people/slices.js";
import { many, personOf } from "./people/words.js";
import { countUpTo } from "./sorted.js";
import { dayOf } from "./times.js";

const FIRST_LINES = 2;
/** The groups of entries that come from somebody's thought. */
const REASONED = ["deed", "talk", "thought", "trouble"];

/** The town's feed in `root`; one of a page in a file (`inFile`) leads to no page of a server. */
export class Feed {
  constructor(root, replay, calls, { inFile = false } = {}) {
    this.replay = replay;
    this.scene = { replay, calls, inFile, at: 0 };
    this.entries = new Entries(replay);
    this.wanted = { n: "", group: "", text: "" };
    this.fitting = [];
    this.pace = new Pace(() => this.draw());
    this.list = new Slices({
      tag: "div",
      role: "feed",
      className: "feed-list",
      label: "What happened",
      draw: (entry) => this.article(entry),
      key: (entry) => this.key(entry),
      empty: "Nothing like this has happened yet.",
    });
    this.count = h("p", { class: "soft list-count" });
    this.box = h("section", { class: "feed", "aria-label": "What happened" }, this.filters(), this.count, this.list.root);
    root.append(this.box);
    replay.on(() => this.pace.ask());
    // What was hidden has drawn nothing: it does when it is shown.
    new ResizeObserver(() => this.pace.ask()).observe(this.box);
  }

  at(second) {
    this.scene.at = second;
    this.pace.ask();
  }

  filters() {
    const set = (key) => (value) => {
      this.wanted[key] = value;
      this.filtered = null;
      this.draw(true);
    };
    this.people = choice("Whose", [], set("n"));
    const groups = [["", "everything"], ...Object.entries(GROUPS)];
    return h("div", { class: "filters" }, searchField("Search what happened", set("text")), this.people,
      choice("What", groups, set("group")));
  }

  /** Return what of an entry changes as time goes on, as a text. */
  key(entry) {
    const { at } = this.scene;
    const said = entry.talk && this.heard(entry.talk).length;
    return [entry.id, dayOf(at), personOf(this.replay, entry.n).short, said].join("\n");
  }

  /** Draw it; from the first slice again when `anew`. */
  draw(anew = false) {
    if (!this.box.getClientRects().length && !anew) return;
    this.name();
    const key = JSON.stringify(this.wanted);
    if (this.entries.grow() || this.filtered !== key) this.fitting = this.entries.all.filter((each) => this.fits(each));
    this.filtered = key;
    const count = countUpTo(this.fitting, this.scene.at, (entry) => entry.at);
    const shown = this.fitting.slice(0, count);
    // Of entries that are there, only a talk that goes on changes.
    const stamp = [key, dayOf(this.scene.at), count, ...shown.slice(-1).map((each) => this.key(each))].join("|");
    if (stamp === this.drawn && !anew) return;
    this.drawn = stamp;
    this.count.textContent = many(count, "entry", "entries");
    this.list.show(shown.reverse(), anew);
    [...this.list.list.children].forEach((node, i) => {
      node.setAttribute("aria-posinset", String(i + 1));
      node.setAttribute("aria-setsize", String(count));
    });
  }

  /** Offer everybody who is known by now. */
  name() {
    const { people } = this.replay;
    if (this.people.options.length === people.length + 1) return;
    const chosen = this.people.value;
    const options = [["", "everybody"], ...people.map((person, n) => [String(n), person.name])];
    this.people.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
    this.people.value = chosen;
  }

  fits(entry) {
    const { n, group, text } = this.wanted;
    if (n !== "" && !entry.people.includes(Number(n))) return false;
    if (group && entry.group !== group && !(group === "trouble" && entry.fallback)) return false;
    entry.letters ||= this.line(entry).toLowerCase();
    return entry.letters.includes(text);
  }

  /** Return an entry's whole text: as it is shown, and then the full names and all that was said. */
  line(entry) {
    const { people, others = [], verb, quote, place, text, oddWhy = [] } = entry;
    const known = people.map((n) => personOf(this.replay, n));
    const shown = `${known[0]?.short ?? ""}${verb}${others.map((n) => personOf(this.replay, n).short).join("")}${quote}`;
    return [shown, place, ...known.map(({ name }) => name), text, ...oddWhy].join(" ");
  }

  article(entry) {
    const { scene } = this;
    const name = (n) => personLink(scene, n, personOf(this.replay, n).short);
    const quote = entry.quote && longWords(entry.quoted ? `“${entry.quote}”` : entry.quote);
    const open = (event) => {
      if (event.target.closest("button, a, select, summary") || String(window.getSelection())) return;
      if (entry.talk) this.read(entry);
      else scene.calls.onSeek(entry.at);
    };
    return h("article", { class: `feed-entry feed-${entry.group}${entry.fallback ? " feed-fallback" : ""}`, tabindex: "-1", onclick: open },
      h("div", { class: "feed-emoji" }, emoji(entry.emoji)),
      h("div", { class: "feed-said" },
        h("p", { class: "feed-line" }, entry.people.length > 0 && name(entry.n), words(entry.verb), entry.others?.map(name), quote),
        entry.place && h("p", { class: "soft feed-place" }, words(entry.place)),
        marks(entry), oddWords(entry.oddWhy),
        entry.talk && [this.lines(entry.talk), this.further(entry)]),
      h("div", { class: "feed-ways" }, goTo(scene, entry.at), this.why(entry)));
  }

  /** Return the way to why a person did, said or thought something; "" of what is no thought's. */
  why({ group, n, tick, talk }) {
    if (n < 0 || !REASONED.includes(group)) return "";
    const label = talk ? "Why they said it" : `Why ${personOf(this.replay, n).short}?`;
    return whyButton(this.scene, { n, tick, talk, label });
  }

  /** Return the lines of a talk up to the second that is shown. */
  heard(talk) {
    return talk.lines.filter((line) => line.at <= this.scene.at);
  }

  /** Open a talk where it has come to: the person's panel shows all of it. */
  read({ n, talk }) {
    this.scene.calls.onTalk(n, talk, this.heard(talk).at(-1) ?? talk.lines[0]);
  }

  /** Return a button that leads to the further lines of a talk; "" if there are none yet. */
  further(entry) {
    const more = this.heard(entry.talk).length - FIRST_LINES;
    if (more <= 0) return "";
    const label = more === 1 ? "Read on: one more line" : `Read on: ${more} more lines`;
    return button(label, () => this.read(entry), { class: "person-link feed-more" });
  }

  lines(talk) {
    return h("ul", { class: "feed-lines" }, this.heard(talk).slice(0, FIRST_LINES).map((line) => h("li", {},
      h("b", {}, words(personOf(this.replay, line.n).short)), ": ", longWords(line.text), marks(line), oddWords(line.oddWhy))));
  }
}
