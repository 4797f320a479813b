// Everybody in town: what they do and where, one line each; a click selects.
import { emoji, fill, h, say, words } from "./dom.js";
import { wayWords, whereabouts } from "./whereabouts.js";

function placeOf(film, n, at) {
  const { here, from, to } = whereabouts(film, n, at);
  return from ? wayWords(from, to) : here.split(": ").slice(0, 2).join(", ");
}

/** Return the words that mark a deed, empty for what a model decided and found a place for. */
function markOf({ fallback, nowhere }) {
  return [fallback && "fallback", nowhere && "nowhere"].filter(Boolean).join(", ");
}

/** Return what a person does at a second: emoji, activity, where, and what marks it. */
export function doing(film, n, at) {
  if (!film.present(n, at)) return { emoji: "", activity: "not in town", place: "", mark: "" };
  const deed = film.deed(n, at);
  const talking = film.talksAt(at).some((talk) => talk.who.includes(n));
  if (!deed) return { emoji: talking ? "💬" : "", activity: "", place: "", mark: "" };
  const sign = talking ? "💬" : deed.emoji;
  return { emoji: sign, activity: deed.activity, place: placeOf(film, n, at), mark: markOf(deed) };
}

/** The list of people; only the lines that can be seen are brought up to date. */
export class Roster {
  constructor(film, onPick) {
    this.film = film;
    this.onPick = onPick;
    this.rows = [];
    this.seen = new Set();
    this.second = 0;
    this.selected = null;
    this.thoughts = new Map();
    this.list = h("ul", { class: "roster", "aria-label": "People in town" });
    this.root = this.list;
    this.watch = new IntersectionObserver((changes) => this.look(changes));
    this.grow();
  }

  /** Add lines for people who are new in the film. */
  grow() {
    for (let n = this.rows.length; n < this.film.people.length; n += 1) {
      const row = this.row(n);
      this.rows.push(row);
      this.list.append(row.item);
      this.watch.observe(row.item);
    }
  }

  row(n) {
    const person = this.film.people[n];
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
    const open = h("button", { type: "button", class: "roster-row", onclick: () => this.onPick(n) }, face, texts, parts.sign);
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
    for (const n of this.seen) this.draw(n);
  }

  draw(n) {
    const row = this.rows[n];
    const now = doing(this.film, n, this.second);
    const thought = this.thoughts.get(n);
    say(row.sign, thought ? "💭" : now.emoji);
    say(row.activity, now.activity || (thought ? `${thought} …` : ""));
    say(row.place, now.place);
    say(row.mark, now.mark);
    row.mark.hidden = !now.mark;
    row.item.classList.toggle("is-away", !this.film.present(n, this.second));
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
