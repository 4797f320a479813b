// The middle of the page: the map, and what lies over its corners.
import { button, fill, h, icon, words } from "./dom.js";
import { ICONS } from "./icons.js";
import { things } from "./find.js";
import { disc } from "./people/pieces.js";
import { leave } from "./welcome.js";

/** The canvas with its controls, and a line that says what is selected. */
export class Scene {
  constructor(stage, replay) {
    this.stage = stage;
    this.replay = replay;
    this.canvas = h("canvas", {
      class: "map", tabindex: "0", role: "img",
      "aria-label": `Map of ${replay.head.town}. Arrows move it, plus and minus bring it closer or farther.`,
    });
    this.line = h("div", { class: "scene-line", role: "status" });
    const make = (sign, name, act) => button(icon(ICONS[sign]), act, { "aria-label": name, title: name });
    const tools = h("div", { class: "scene-tools", role: "group", "aria-label": "Map" },
      make("find", "Find a person or a place (/)", () => stage.finder.open()),
      make("closer", "Closer (+)", () => stage.zoom(1.3)),
      make("farther", "Farther (-)", () => stage.zoom(1 / 1.3)),
      make("whole", "The whole town (0)", () => stage.fit()));
    // NiceGUI has put a `main` around a served page; a file has none of its own.
    const place = stage.served ? h("section", { class: "scene", "aria-label": "The town" }) : h("main", { class: "scene" });
    this.root = place;
    place.append(this.canvas, this.line, tools);
  }

  /** Lay a line over the map, until it is dismissed or something is clicked. */
  welcome(line) {
    this.hint?.remove();
    this.hint = line;
    if (line) this.root.append(line);
  }

  /** Take the line away, as somebody or something was clicked; one that offers something stays. */
  took() {
    if (!this.hint?.querySelector("button:not(.welcome-close)")) leave(this.hint);
  }

  /** Show who is selected and whether the map follows them. */
  show() {
    const { selected, followed } = this.stage;
    if (selected === null) {
      this.offered = null;
      fill(this.line);
      return;
    }
    const person = this.replay.people[selected];
    const follows = followed === selected;
    // Until the first picture nobody was clicked.
    if (this.stage.drawn) this.took();
    fill(this.line, h("span", { class: "scene-chip" },
      disc(person), words(person.short),
      button(follows ? "Following" : "Follow", () => this.stage.toggleFollow(), {
        "aria-pressed": String(follows), title: "Follow (f)",
      }), this.offers({ kind: "person", n: selected })));
  }

  /** Return where it stands what a visitor can do with what was picked: nothing in a file, or in a run that cannot go on. */
  offers(thing) {
    this.offered = { thing, root: h("span", { class: "scene-offers" }) };
    this.renewOffers();
    return this.offered.root;
  }

  /** Offer what a visitor can do now: they and those who are picked walk about. */
  renewOffers() {
    const { stage, offered } = this;
    if (!offered || !stage.served || this.replay.head.about) return;
    const offers = stage.visiting.offers(offered.thing);
    if (offers.map((each) => each.textContent).join() !== offered.told) fill(offered.root, offers);
    offered.told = offers.map((each) => each.textContent).join();
  }

  /** Name a place or an object that was picked or found. */
  name(thing) {
    const index = thing.index ?? thing.n;
    const wanted = things(this.replay).find(({ thing: each }) => {
      return each.kind === thing.kind && (thing.address === undefined ? each.index === index : each.address === thing.address);
    });
    if (!wanted) return;
    this.took();
    const state = wanted.thing.kind === "object" && this.replay.objectState(wanted.thing.index, this.stage.clock.at);
    fill(this.line, h("span", { class: "scene-chip" }, h("b", {}, words(wanted.name)),
      h("span", { class: "soft" }, words(wanted.what)), state && h("span", {}, words(state.state)),
      this.offers(thing)));
  }
}
