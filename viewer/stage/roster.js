// Everybody in town, grouped by what happens: what they do and where; a click selects.
import { button, emoji, h, say, words } from "./dom.js";
import { plain } from "./find.js";
import { glideInto } from "./gliding.js";
import { sleeps } from "./map/crowd.js";
import { disc, searchField } from "./people/pieces.js";
import { wayWords, whereabouts } from "./whereabouts.js";

/** So few people are seen at a glance: they need no groups and no filter. */
const FEW = 5;
const NOW = ["Talking", "Awake", "Asleep", "Not in town", "Not begun yet"];
const [TALKING, AWAKE, ASLEEP, AWAY, NOT_BEGUN] = NOW;

/** Return what a person does at a second: emoji, activity, where, and what marks it. */
export function doing(replay, n, at) {
  if (!replay.present(n, at)) return { emoji: "", activity: "not in town", place: "", mark: "" };
  const deed = replay.deed(n, at);
  const talking = replay.talksAt(at).some((talk) => talk.who.includes(n));
  if (!deed) return { emoji: talking ? "💬" : "", activity: "", place: "", mark: "" };
  const { here, from, to } = whereabouts(replay, n, at);
  return {
    emoji: talking ? "💬" : deed.emoji,
    // Who still walks there is not told as doing it already.
    activity: from ? `on the way, for ${deed.activity}` : deed.activity,
    place: from ? wayWords(from, to) : here.split(": ").slice(0, 2).join(", "),
    mark: ["fallback", "nowhere"].filter((mark) => deed[mark]).join(", "),
  };
}

function groupNow(replay, n, at, talking) {
  // Before the first moment is lived nobody is known to be awake.
  if (replay.watermark < 0) return NOT_BEGUN;
  if (talking.has(n)) return TALKING;
  return sleeps(replay.deed(n, at)) && !replay.position(n, at).walking ? ASLEEP : AWAKE;
}

/** Return people, by their numbers, in groups `{name, people}` at a second; without any in none. */
export function grouped(replay, at, people) {
  const talking = new Set(replay.talksAt(at).flatMap(({ who }) => who));
  const groups = new Map();
  for (const n of people) {
    const name = replay.present(n, at) ? groupNow(replay, n, at, talking) : AWAY;
    if (!groups.has(name)) groups.set(name, { name, people: [] });
    groups.get(name).people.push(n);
  }
  return [...groups.values()].sort((a, b) => NOW.indexOf(a.name) - NOW.indexOf(b.name));
}

/** The list of people; only the lines that can be seen are brought up to date. */
export class Roster {
  constructor(replay, { onPick, onPoint }) {
    this.replay = replay;
    this.onPick = onPick;
    this.onPoint = onPoint;
    this.rows = [];
    this.heads = new Map();
    this.seen = new Set();
    this.second = 0;
    this.selected = null;
    this.thoughts = new Map();
    this.sought = "";
    this.isHeld = false;
    // While the pointer is on the list, nothing in it changes places.
    const hold = (isHeld) => (event) => {
      if (event.pointerType === "mouse") this.isHeld = isHeld;
    };
    this.list = h("ul", {
      class: "roster", "aria-label": "People in town", onpointerenter: hold(true), onpointerleave: hold(false),
    });
    this.count = h("p", { class: "roster-count soft", role: "status" });
    this.tools = h("div", { class: "roster-tools" }, searchField("Filter people", (text) => {
      this.sought = plain(text);
      this.arrange({ atOnce: true });
    }));
    this.root = h("div", {}, this.tools, this.count, this.list);
    this.watch = new IntersectionObserver((changes) => this.look(changes));
    this.grow();
  }

  /** Add lines for people who are new in the replay. */
  grow() {
    if (this.rows.length && this.rows.length === this.replay.people.length) return;
    for (let n = this.rows.length; n < this.replay.people.length; n += 1) {
      this.rows.push(this.row(n));
      this.watch.observe(this.rows[n].item);
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
    const name = h("span", { class: "roster-name" }, words(person.name), person.visitor && h("em", {}, " visitor"));
    const doings = h("span", { class: "roster-doing" }, parts.activity, parts.mark);
    const open = button([disc(person), h("span", { class: "roster-texts" }, name, doings, parts.place), parts.sign], () => {
      this.isHeld = false;
      this.onPoint(null);
      this.onPick(n);
    }, {
      class: "roster-row",
      onpointerenter: (event) => event.pointerType === "mouse" && this.onPoint(n),
      onpointerleave: () => this.onPoint(null),
      onfocus: () => open.matches(":focus-visible") && this.onPoint(n),
      onblur: () => this.onPoint(null),
    });
    return { item: h("li", { "data-person": n }, open), open, ...parts };
  }

  look(changes) {
    for (const { target, isIntersecting } of changes) {
      const n = Number(target.dataset.person);
      if (!isIntersecting) this.seen.delete(n);
      else {
        this.seen.add(n);
        this.draw(n);
      }
    }
  }

  /** Show who thinks what just now, by number, in words; where nothing is done yet it stands for the deed. */
  think(thoughts) {
    const changed = new Set([...this.thoughts.keys(), ...thoughts.keys()]);
    this.thoughts = thoughts;
    for (const n of changed) if (this.seen.has(n)) this.draw(n);
  }

  at(second) {
    this.second = second;
    if (!this.isHeld && !this.list.contains(document.activeElement)) this.arrange();
    for (const n of this.seen) this.draw(n);
  }

  listed() {
    return this.groups.flatMap(({ people }) => people);
  }

  /** Put everybody who fits the filter into groups. */
  arrange({ atOnce = false } = {}) {
    const { sought } = this;
    const fitting = this.replay.people.map((_, n) => n).filter((n) => !sought || this.fits(n, sought));
    this.groups = grouped(this.replay, this.second, fitting);
    const hasHeads = this.rows.length > FEW;
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

  select(n) {
    this.rows[this.selected]?.open.removeAttribute("aria-current");
    this.selected = n;
    if (n === null) return;
    this.rows[n].open.setAttribute("aria-current", "true");
    if (this.list.offsetParent) this.rows[n].item.scrollIntoView({ block: "nearest" });
  }
}

/** Return what stands where a person would be shown while nobody is selected. */
export function nobody(pick) {
  return h("div", { class: "nobody" }, emoji("👋"),
    h("p", {}, "Pick somebody in the list or on the map to see their day, memories, bonds and thoughts."),
    h("p", {}, button("Find somebody", pick)));
}
