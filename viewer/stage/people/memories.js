// What somebody remembers: by kind, by words, by time or importance, each with what it rests on.

import { button, emoji, h, words } from "../dom.js";
import { choice, goTo, longWords, oddMark, oddWords, reveal, searchField, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { KINDS, many } from "./words.js";

const DEPTH = "How many steps away from what was seen or said";
const ORDERS = [
  ["newest", "newest first"],
  ["oldest", "oldest first"],
  ["important", "most important first"],
];

/** The section Memories. */
export class MemoriesSection {
  constructor(scene) {
    this.scene = scene;
    this.wanted = { kind: "", text: "", order: "newest" };
    const { visitor } = scene.replay.people[scene.n];
    this.count = h("p", { class: "soft list-count" });
    this.list = new Slices({
      className: "memories",
      label: "Memories",
      draw: (memory) => this.item(memory),
      key: (memory) => this.key(memory),
      empty: visitor ? "A visitor has no memories here: the people of the town remember them." : "Nothing like this is remembered.",
    });
    this.root = h("div", {}, visitor ? "" : [this.filters(), this.count], this.list.root);
  }

  filters() {
    const kinds = [["", "all kinds"], ...Object.entries(KINDS).map(([kind, { many: name }]) => [kind, name])];
    const set = (key) => (value) => {
      this.wanted[key] = value;
      this.draw(true);
    };
    this.field = searchField("Search memories", set("text"));
    this.kinds = choice("Kind of memory", kinds, set("kind"));
    return h("div", { class: "filters" }, this.field, this.kinds, choice("Order", ORDERS, set("order")));
  }

  /** Return what the drawing depends on. */
  stamp() {
    const { life, tick, at } = this.scene;
    return life ? [life.formed(tick), life.changed(tick), Math.floor(at / 3600)].join() : "";
  }

  /** Draw it; from the first slice again when `anew`. */
  draw(anew = false) {
    const { life, tick } = this.scene;
    const all = life ? life.memories(tick) : [];
    const found = this.sorted(all.filter((memory) => this.fits(memory)));
    const left = found.length === all.length ? "" : ` of ${all.length.toLocaleString("en")}`;
    this.count.textContent = `${found.length.toLocaleString("en")}${left} ${all.length === 1 ? "memory" : "memories"}`;
    this.list.show(found, anew);
  }

  fits(memory) {
    const { kind, text } = this.wanted;
    return (!kind || memory.kind === kind) && (!text || memory.text.toLowerCase().includes(text));
  }

  sorted(found) {
    const { life, tick } = this.scene;
    if (this.wanted.order === "oldest") return found;
    found.reverse();
    if (this.wanted.order === "newest") return found;
    const weights = new Map(found.map((memory) => [memory, life.importance(memory, tick).value]));
    return found.sort((a, b) => weights.get(b) - weights.get(a));
  }

  isExpired(memory) {
    return memory.expires !== null && memory.expires !== undefined && memory.expires <= this.scene.at;
  }

  key(memory) {
    const { life, tick, at } = this.scene;
    const { value, rated } = life.importance(memory, tick);
    const day = Math.floor(at / 86400);
    const times = [life.strength(memory, tick), life.recalled(memory, tick)];
    return [memory.id, value, rated, ...times, this.isExpired(memory), day].join("\n");
  }

  item(memory) {
    const { life, tick } = this.scene;
    const { one, emoji: sign } = KINDS[memory.kind] || { one: memory.kind, emoji: "•" };
    const isOver = this.isExpired(memory);
    const head = [emoji(sign), h("span", { class: "kind-word" }, one), goTo(this.scene, memory.at)];
    if (memory.depth > 0) head.push(h("span", { class: "soft", title: DEPTH }, `depth ${memory.depth}`));
    if (memory.odd) head.push(oddMark());
    if (isOver) head.push(h("span", { class: "over-mark" }, "expired"));
    const { n, replay } = this.scene;
    if (memory.depth > 0) head.push(whyButton(this.scene, { n, tick: memory.tick, label: `Why ${replay.people[n].short} thought so` }));
    const times = [];
    if (life.strength(memory, tick) > 1) times.push(`met ${many(life.strength(memory, tick), "time")}`);
    if (life.recalled(memory, tick)) times.push(`came to mind ${many(life.recalled(memory, tick), "time")}`);
    return h(
      "li",
      { class: isOver ? "memory memory-over" : "memory" },
      h("div", { class: "memory-head" }, head),
      h("p", { class: "memory-text" }, longWords(memory.text)),
      oddWords(memory.odd),
      this.weight(memory),
      times.length ? h("p", { class: "soft memory-times" }, times.join(" · ")) : "",
      this.evidence(memory),
    );
  }

  weight(memory) {
    const { value, reason, rated } = this.scene.life.importance(memory, this.scene.tick);
    const className = rated ? "weight-bar" : "weight-bar weight-open";
    const bar = h("span", { class: className, "aria-hidden": "true" }, h("span", { class: "weight-fill" }));
    bar.firstChild.style.width = `${Math.min(10, value) * 10}%`;
    const said = reason ? words(reason) : "";
    return h(
      "p",
      { class: "memory-weight" },
      bar,
      h("span", { class: "unseen" }, "Importance "),
      h("b", {}, String(value)),
      h("span", { class: "soft" }, said),
    );
  }

  evidence(memory) {
    const { life } = this.scene;
    if (!memory.evidence?.length) return "";
    const links = memory.evidence.map((id) => {
      const other = life.byId.get(id);
      if (!other) return h("li", { class: "soft" }, "a memory that is not kept here");
      return h("li", {}, button(words(shortly(other.text)), () => this.jump(id), { class: "evidence-link" }));
    });
    const title = h("summary", {}, `Rests on ${many(links.length, "memory", "memories")}`);
    return h("details", { class: "evidence" }, title, h("ul", {}, links));
  }

  /** Show a memory by its id, whatever is filtered, and put the focus on it. */
  jump(id) {
    const memory = this.scene.life.byId.get(id);
    if (!memory) return;
    if (!this.fits(memory)) {
      Object.assign(this.wanted, { kind: "", text: "" });
      this.field.value = "";
      this.kinds.value = "";
      this.draw(true);
    }
    const node = this.list.reach(this.list.items.indexOf(memory));
    if (!node) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    reveal(node);
    node.classList.add("memory-found");
    node.addEventListener("blur", () => node.classList.remove("memory-found"), { once: true });
  }
}

function shortly(text) {
  return text.length > 140 ? `${text.slice(0, 139)}…` : text;
}
