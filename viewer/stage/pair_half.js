// One of two towns side by side: its name, its map, and what the one who is followed does there.
import { fill, h, words } from "./dom.js";
import { MapView } from "./map/view.js";
import { doing } from "./roster.js";
import { longTime } from "./times.js";
import { addressOf } from "./url.js";

/** A town of a pair; `wake` has it drawn, `onPick` hears the name of who is clicked. */
export class Half {
  constructor(replay, wake, onPick) {
    const { run, town } = replay.head;
    this.replay = replay;
    this.n = null;
    this.canvas = h("canvas", {
      class: "map", tabindex: "0", role: "img",
      "aria-label": `Map of ${town} in ${run}. Arrows move both maps, plus and minus bring them closer or farther.`,
    });
    this.line = h("p", { class: "pair-line" });
    const name = h("h2", { class: "pair-name" }, h("a", { href: `/run/${encodeURIComponent(run)}` }, words(run)));
    this.root = h("section", { class: "pair-half", "aria-label": run },
      h("div", { class: "pair-title" }, name, this.line), h("div", { class: "pair-map" }, this.canvas));
    this.map = new MapView(this.canvas, replay, wake, {
      onPick: (thing) => this.pick(thing, onPick),
      reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches,
      whole: true,
    });
  }

  pick({ kind, n, isCut }, onPick) {
    if (n === undefined || kind === "object") return;
    const { run } = this.replay.head;
    const { name } = this.replay.people[n];
    const moment = { at: this.map.last.at, speed: 1, who: name };
    // There is no room for a card here: the rest of what is said is on the town's own page.
    if (isCut) location.assign(`/run/${encodeURIComponent(run)}?${addressOf(moment)}`);
    else onPick(name);
  }

  /** Follow somebody by name; nobody where they do not live here. */
  select(name) {
    const n = this.replay.people.findIndex((person) => person.name === name);
    this.n = n < 0 ? null : n;
    this.map.selected = this.n;
    this.map.follow(this.n);
  }

  /** Draw a second of the town, the last one where it has not come so far; return whether it drew. */
  draw(at, now) {
    return this.map.draw(Math.min(at, this.replay.until), now) === true;
  }

  /** Say how far the town has come where it is behind, else what the followed one does. */
  tell(at) {
    const { replay, n } = this;
    if (at > replay.until) {
      fill(this.line, h("span", { class: "soft" }, `lived up to ${longTime(replay.head.start, replay.until)}`));
    } else if (n === null) {
      fill(this.line);
    } else {
      const { activity, place } = doing(replay, n, at);
      fill(this.line, h("b", {}, words(replay.people[n].short)), " ", words(activity), " ",
        h("span", { class: "soft" }, words(place)));
    }
  }
}
