// What somebody makes of others: as it is now, and how it came to be so.

import { fill, h, words } from "../dom.js";
import { goTo, personLink } from "./pieces.js";
import { many } from "./words.js";

export class BondsSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "bonds" });
    this.open = new Set();
  }

  stamp() {
    const { life, tick } = this.scene;
    return String(life?.bonds(tick).length);
  }

  draw() {
    const { life, tick } = this.scene;
    const byName = new Map();
    for (const [when, name, relationship, feeling] of life ? life.bonds(tick) : []) {
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push({ tick: when, relationship, feeling });
    }
    const found = [...byName].sort(([, a], [, b]) => b.at(-1).tick - a.at(-1).tick);
    const note = found.length ? "Whom they have not talked to yet is not here; what they know of them is in Memories."
      : "Bonds form in talks, and there was none yet. What they know of others from before is in Memories.";
    fill(this.root, h("ul", { class: "bond-list" }, found.map(([name, changes]) => this.bond(name, changes))),
      h("p", { class: "soft" }, note));
  }

  bond(name, changes) {
    const n = this.scene.replay.people.findIndex((person) => person.name === name);
    return h("li", { class: "bond" },
      h("div", { class: "bond-head" }, personLink(this.scene, n, name)),
      said(changes.at(-1)),
      changes.length > 1 && this.history(name, changes));
  }

  history(name, changes) {
    const { replay } = this.scene;
    const items = changes.map((change, i) => h("li", {}, goTo(this.scene, change.tick * replay.tick), said(change, changes[i - 1])));
    const node = h("details", { class: "bond-history", open: this.open.has(name) },
      h("summary", {}, `How it came to be: ${many(changes.length - 1, "change")}`),
      h("ol", { class: "bond-line" }, items.reverse()));
    node.addEventListener("toggle", () => (node.open ? this.open.add(name) : this.open.delete(name)));
    return node;
  }
}

/** Return a relationship and a feeling in words, as far as they are other than before. */
function said({ relationship, feeling }, before) {
  return [
    before?.relationship !== relationship && h("p", {}, words(relationship)),
    feeling && before?.feeling !== feeling && h("p", { class: "bond-feeling" }, words(feeling)),
  ];
}
