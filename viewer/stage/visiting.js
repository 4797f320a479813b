// Being in the town oneself: what a click on a place or a person offers to a visitor.
import { button, words } from "./dom.js";

/** Return the address of the room or house that a picked thing is in; null for a person. */
function placeOf(thing, film) {
  if (thing.kind !== "object") return thing.address || null;
  const address = thing.address ?? film.map.objects[thing.index ?? thing.n].address;
  return address.split(": ").slice(0, -1).join(": ");
}

/** What a visitor can be asked to do by clicks on the map; `ask(name, detail)` leads to the server. */
export class Visiting {
  constructor(film, town, ask) {
    this.film = film;
    this.town = town;
    this.ask = ask;
  }

  /** Return the number of the visitor who is in town now, the last one who came; null where there is none. */
  get visitor() {
    const { people, until } = this.film;
    const n = people.findLastIndex((person, i) => person.visitor && this.film.present(i, until));
    return n < 0 ? null : n;
  }

  /** Return the room, else the house, in which somebody is now; null in the open. */
  roomOf(n) {
    const spot = this.film.position(n, this.film.until);
    if (!spot) return null;
    const { sector, arena } = this.town.placeAt(Math.round(spot.x), Math.round(spot.y));
    const { arenas, sectors } = this.film.map;
    return (arenas[arena] || sectors[sector] || { address: null }).address;
  }

  /** Return whether somebody stands in a house or a room. */
  isIn(n, place) {
    const here = this.roomOf(n);
    const isThere = here !== null && (here === place || here.startsWith(`${place}: `));
    return isThere && !this.film.position(n, this.film.until).walking;
  }

  /** Return the buttons for a picked place, object or person, as they are now. */
  offers(thing) {
    const me = this.visitor;
    if (thing.kind === "person") return me === null ? [] : this.withPerson(me, thing.n);
    const place = placeOf(thing, this.film);
    if (me === null) return [this.offer("Walk in here", "take-part", () => ({ way: "visit", place }))];
    if (this.isIn(me, place)) return [];
    return [this.visitorOffer(me, ["Go there as ", words(this.film.people[me].short)], () => ({ act: "walk", place }))];
  }

  withPerson(me, n) {
    if (n === me) return [this.visitorOffer(me, "Leave the town", () => ({ act: "leave" }))];
    const whom = this.film.people[n];
    if (whom.visitor || !this.film.present(n, this.film.until)) return [];
    const there = this.roomOf(n);
    const label = there && this.roomOf(me) !== there ? "Go and speak to " : "Speak to ";
    return [this.visitorOffer(me, [label, words(whom.short)], () => ({ act: "talk", whom: whom.name }))];
  }

  visitorOffer(me, label, detail) {
    return this.offer(label, "visitor", () => ({ ...detail(), visitor: this.film.people[me].name }));
  }

  offer(label, name, detail) {
    return button(label, () => this.ask(name, detail()), { class: "scene-offer" });
  }
}
