// Being in the town oneself: what a click on a place or a person offers to a visitor.
import { button, h, words } from "./dom.js";

function objectOf(thing, replay) {
  return thing.address ?? replay.map.objects[thing.index ?? thing.n].address;
}

/** Return the address of the room or house that a picked thing is in; null for a person. */
function placeOf(thing, replay) {
  if (thing.kind !== "object") return thing.address || null;
  return objectOf(thing, replay).split(": ").slice(0, -1).join(": ");
}

/**
 * What can be done with what was picked on the map; `ask(name, detail)` leads to the server. `stage` has the clock, and
 * the pulse of whoever lives the run.
 */
export class Visiting {
  constructor(stage, replay, town, ask) {
    this.stage = stage;
    this.replay = replay;
    this.town = town;
    this.ask = ask;
  }

  /** The second at which a click takes effect: the live edge, else the moment that the map shows. */
  get at() {
    return this.replay.living ? this.replay.until : Math.min(this.stage.clock.at, this.replay.until);
  }

  /**
   * Return the number of the visitor who is in town then, the last one who came; null where there is none. Whoever has
   * left by the end of the run can be asked for nothing any more.
   */
  get visitor() {
    const { people } = this.replay;
    const n = people.findLastIndex((person, i) => person.visitor && this.isStaying(i) && this.replay.present(i, this.at));
    return n < 0 ? null : n;
  }

  /** Return whether somebody is in town where the run has got to. */
  isStaying(n) {
    return this.replay.present(n, this.replay.until);
  }

  /** Whether there is a visitor to leave the town, whatever is picked and shown. */
  get canLeave() {
    return !this.replay.head.about && this.replay.people.some((person, i) => person.visitor && this.isStaying(i));
  }

  /** Let the visitor leave; in a run that nobody lives, the card asks first when it is to happen. */
  leave() {
    const { people, living } = this.replay;
    const { name } = people.findLast((person, i) => person.visitor && this.isStaying(i));
    this.ask(...(living ? ["visitor", { act: "leave", visitor: name }] : ["take-part", { way: "visit" }]));
  }

  /** Return the room, else the house, in which somebody is then; null in the open. */
  roomOf(n) {
    const spot = this.replay.position(n, this.at);
    if (!spot) return null;
    const { sector, arena } = this.town.placeAt(Math.round(spot.x), Math.round(spot.y));
    const { arenas, sectors } = this.replay.map;
    return (arenas[arena] || sectors[sector] || { address: null }).address;
  }

  /** Return whether somebody stands in a house or a room. */
  isIn(n, place) {
    const here = this.roomOf(n);
    const isThere = here !== null && (here === place || here.startsWith(`${place}: `));
    return isThere && !this.replay.position(n, this.at).walking;
  }

  /** Return the buttons for a picked place, object or person, as they are now. */
  offers(thing) {
    const me = this.visitor;
    if (thing.kind === "person") return me === null ? [] : this.withPerson(me, thing.n);
    const place = placeOf(thing, this.replay);
    const offers = thing.kind === "object" ? [this.change(thing)] : [];
    if (me === null) return [...offers, this.offer("Walk in here", "take-part", () => ({ way: "visit", place }))];
    if (this.isIn(me, place)) return offers;
    return [...offers, this.visitorOffer(me, ["Go there as ", words(this.replay.people[me].short)], () => ({ act: "walk", place }))];
  }

  change(thing) {
    return this.offer("Change this", "take-part", () => ({ way: "change", object: objectOf(thing, this.replay) }));
  }

  withPerson(me, n) {
    const whom = this.replay.people[n];
    if (whom.visitor || !this.replay.present(n, this.at)) return [];
    if (this.isAsleep(n)) return [h("span", { class: "soft" }, words(whom.short), " is asleep")];
    // A talk that waits for the visitor's line has its own card.
    if (this.replay.living && this.stage.pulse?.said) return [];
    const label = this.roomOf(me) !== this.roomOf(n) ? "Go and speak to " : "Speak to ";
    return [this.visitorOffer(me, [label, words(whom.short)], () => ({ act: "talk", whom: whom.name }))];
  }

  isAsleep(n) {
    return this.replay.deed(n, this.at)?.kind === "sleep";
  }

  /** Offer an act of the visitor; in a run that nobody lives, the card asks first when it is to happen. */
  visitorOffer(me, label, detail) {
    const { place, whom } = detail();
    if (!this.replay.living) return this.offer(label, "take-part", () => ({ way: "visit", ...(place && { place }), ...(whom && { who: whom }) }));
    return this.offer(label, "visitor", () => ({ ...detail(), visitor: this.replay.people[me].name }));
  }

  offer(label, name, detail) {
    return button(label, () => this.ask(name, detail()), { class: "scene-offer" });
  }
}
