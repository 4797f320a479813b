// Everybody in town: what they do and where, by what happens, by name or by place; a click selects.
import { emoji, fill, h, say, words } from "./dom.js";
import { plain } from "./find.js";
import { glideInto } from "./gliding.js";
import { choice, searchField } from "./people/pieces.js";
import { ORDERS, grouped } from "./roster_order.js";
import { wayWords, whereabouts } from "./whereabouts.js";

/** So few people are seen at a glance: they need no groups and no filter. */
const FEW = 5;

function placeOf({ here, from, to }) {
  return from ? wayWords(from, to) : here.split(": ").slice(0, 2).join(", ");
}

/** Return the words that mark a deed, empty for what a model decided and found a place for. */
function markOf({ fallback, nowhere }) {
  return [fallback && "fallback", nowhere && "nowhere"].filter(Boolean).join(", ");
}

/** Return what a person does at a second: emoji, activity, where, and what marks it. */
export function doing(replay, n, at) {
  if (!replay.present(n, at)) return { emoji: "", activity: "not in town", place: "", mark: "" };
  const deed = replay.deed(n, at);
  const talking = replay.talksAt(at).some((talk) => talk.who.includes(n));
  if (!deed) return { emoji: talking ? "💬" : "", activity: "", place: "", mark: "" };
  const sign = talking ? "💬" : deed.emoji;
  const where = whereabouts(replay, n, at);
  // Who still walks there is not told as doing it already.
  const activity = where.from ? `on the way, for ${deed.activity}` : deed.activity;
  return { emoji: sign, activity, place: placeOf(where), mark: markOf(deed) };
}

/** The list of people; only the lines that can be seen are brought up to date. */
export class Roster {
  constructor(replay, { onPick, onPoint = () => {} }) {
    this.replay = replay;
    this.onPick = onPick;
    this.onPoint = onPoint;
    this.rows = [];
    this.heads = new Map();
    this.seen = new Set();
    this.second = 0;
    this.selected = null;
    this.thoughts = new Map();
    this.wanted = { order: "now", text: "" };
    this.isHeld = false;
    this.list = h("ul", { class: "roster", "aria-label": "People in town" });
    this.count = h("p", { class: "roster-count soft", role: "status" });
    this.tools = this.makeTools();
    this.root = h("div", {}, this.tools, this.count, this.list);
    this.watch = new IntersectionObserver((changes) => this.look(changes));
    this.listen();
    this.grow();
  }

  makeTools() {
    const set = (key) => (value) => {
      this.wanted[key] = value;
      this.arrange({ atOnce: true });
    };
    return h("div", { class: "roster-tools" },
      searchField("Filter people", set("text")),
      choice("Sort people", Object.entries(ORDERS), set("order")));
  }

  /** While the pointer is on the list, nothing in it changes places. */
  listen() {
    const hold = (isHeld) => (event) => {
      if (event.pointerType === "mouse") this.isHeld = isHeld;
    };
    this.list.addEventListener("pointerenter", hold(true));
    this.list.addEventListener("pointerleave", hold(false));
  }

  /** Add lines for people who are new in the replay. */
  grow() {
    for (let n = this.rows.length; n < this.replay.people.length; n += 1) {
      const row = this.row(n);
      this.rows.push(row);
      this.watch.observe(row.item);
    }
    this.tools.hidden = this.rows.length <= FEW;
    this.arrange();
  }

  row(n) {
    const person = this.replay.people[n];
    const parts = {
      sign: h("span", { class: "emoji roster-sign", "aria-hidden": "true" }),
      activity: h("bdi", {}),
      place: h("bdi", { class: "roster-place" }),
      mark: h("span", { class: "roster-mark" }),
    };
    const face = h("i", { class: "face", style: `--own:${person.colour}`, "aria-hidden": "true" }, person.initials);
    const doings = h("span", { class: "roster-doing" }, parts.activity, parts.mark);
    const name = h("span", { class: "roster-name" }, words(person.name), person.visitor ? h("em", {}, " visitor") : null);
    const texts = h("span", { class: "roster-texts" }, name, doings, parts.place);
    const open = h("button", {
      type: "button", class: "roster-row",
      onclick: () => {
        this.isHeld = false;
        this.onPoint(null);
        this.onPick(n);
      },
      onpointerenter: (event) => event.pointerType === "mouse" && this.onPoint(n),
      onpointerleave: () => this.onPoint(null),
      onfocus: () => open.matches(":focus-visible") && this.onPoint(n),
      onblur: () => this.onPoint(null),
    }, face, texts, parts.sign);
    const item = h("li", { "data-person": n }, open);
    return { item, open, ...parts };
  }

  look(changes) {
    for (const { target, isIntersecting } of changes) {
      const n = Number(target.dataset.person);
      if (isIntersecting) this.seen.add(n);
      else this.seen.delete(n);
      if (isIntersecting) this.draw(n);
    }
  }

  /** Show who thinks what just now, by number, in words; where nothing is done yet it stands for the deed. */
  think(thoughts) {
    const changed = [...new Set([...this.thoughts.keys(), ...thoughts.keys()])];
    this.thoughts = thoughts;
    for (const n of changed) if (this.seen.has(n)) this.draw(n);
  }

  /** Show what everybody does at a second. */
  at(second) {
    this.second = second;
    if (!this.isHeld && !this.list.contains(document.activeElement)) this.arrange();
    for (const n of this.seen) this.draw(n);
  }

  /** Return the numbers of the people in the list, in its order. */
  listed() {
    return this.groups.flatMap(({ people }) => people);
  }

  /** Put everybody who fits the filter in the order that is asked for. */
  arrange({ atOnce = false } = {}) {
    const { order, text } = this.wanted;
    const sought = plain(text);
    const fitting = this.replay.people.map((_, n) => n).filter((n) => !sought || this.fits(n, sought));
    this.groups = grouped(this.replay, this.second, fitting, order);
    const hasHeads = this.rows.length > FEW && order !== "name";
    const items = this.groups.flatMap(({ name, people }) => {
      const rows = people.map((n) => this.rows[n].item);
      return hasHeads ? [this.head(name, people.length), ...rows] : rows;
    });
    glideInto(this.list, items, atOnce);
    const found = fitting.length ? `${fitting.length} of ${this.rows.length} people` : "Nobody fits.";
    say(this.count, sought ? found : "");
  }

  head(name, count) {
    if (!this.heads.has(name)) {
      const number = h("span", { class: "soft" });
      const item = h("li", { class: "roster-head" }, h("h3", {}, words(name), " ", number));
      this.heads.set(name, { item, number });
    }
    const { item, number } = this.heads.get(name);
    say(number, String(count));
    return item;
  }

  fits(n, sought) {
    const { name, work } = this.replay.people[n];
    const { activity, place } = doing(this.replay, n, this.second);
    return plain([name, work, activity, place].join(" ")).includes(sought);
  }

  draw(n) {
    const row = this.rows[n];
    const now = doing(this.replay, n, this.second);
    const thought = this.thoughts.get(n);
    say(row.sign, thought ? "💭" : now.emoji);
    say(row.activity, now.activity || (thought ? `${thought} …` : ""));
    say(row.place, now.place);
    say(row.mark, now.mark);
    row.mark.hidden = !now.mark;
    row.item.classList.toggle("is-away", !this.replay.present(n, this.second));
  }

  /** Mark who is selected. */
  select(n) {
    if (this.selected !== null) this.rows[this.selected].open.removeAttribute("aria-current");
    this.selected = n;
    if (n === null) return;
    this.rows[n].open.setAttribute("aria-current", "true");
    if (this.list.offsetParent) this.rows[n].item.scrollIntoView({ block: "nearest" });
  }
}

/** Return what stands where a person would be shown while nobody is selected. */
export function nobody(pick) {
  return fill(h("div", { class: "nobody" }), emoji("👋"),
    h("p", {}, "Pick somebody in the list or on the map to see their day, memories, bonds and thoughts."),
    h("p", {}, h("button", { type: "button", onclick: pick }, "Find somebody")));
}
