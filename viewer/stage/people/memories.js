// What somebody remembers: by kind, by words, by time or importance, each with what it rests on.

import { button, emoji, h, words } from "../dom.js";
import { dayOf } from "../times.js";
import { choice, goTo, longWords, reveal, searchField, whyButton } from "./pieces.js";
import { Slices } from "./slices.js";
import { KINDS, many } from "./words.js";

const DEPTH = "How many steps away from what was seen or said";
const ORDERS = [["newest", "newest first"], ["oldest", "oldest first"], ["important", "most important first"]];

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
    this.root = h("div", {}, !visitor && [this.filters(), this.count], this.list.root);
  }

  filters() {
    const set = (key) => (value) => {
      this.wanted[key] = value;
      this.draw(true);
    };
    this.field = searchField("Search memories", set("text"));
    const kinds = Object.entries(KINDS).map(([kind, { many: name }]) => [kind, name]);
    this.kinds = choice("Kind of memory", [["", "all kinds"], ...kinds], set("kind"));
    return h("div", { class: "filters" }, this.field, this.kinds, choice("Order", ORDERS, set("order")));
  }

  stamp() {
    const { life, tick, at } = this.scene;
    return life ? [life.formed(tick), life.changed(tick), Math.floor(at / 3600)].join() : "";
  }

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
    const { order } = this.wanted;
    if (order !== "oldest") found.reverse();
    if (order !== "important") return found;
    const weights = new Map(found.map((memory) => [memory, life.importance(memory, tick).value]));
    return found.sort((a, b) => weights.get(b) - weights.get(a));
  }

  /** Return what of a memory changes as time goes on, as a text. */
  key(memory) {
    const { life, tick, at } = this.scene;
    const { value, rated } = life.importance(memory, tick);
    const times = [life.strength(memory, tick), life.recalled(memory, tick)];
    return [memory.id, value, rated, ...times, this.isExpired(memory), dayOf(at)].join("\n");
  }

  isExpired({ expires }) {
    return (expires ?? Infinity) <= this.scene.at;
  }

  item(memory) {
    const { life, tick, n, replay } = this.scene;
    const isOver = this.isExpired(memory);
    const [met, recalled] = [life.strength(memory, tick), life.recalled(memory, tick)];
    const times = [met > 1 && `met ${many(met, "time")}`, recalled && `came to mind ${many(recalled, "time")}`];
    const why = { n, tick: memory.tick, label: `Why ${replay.people[n].short} thought so` };
    return h("li", { class: isOver ? "memory memory-over" : "memory" },
      h("div", { class: "memory-head" },
        emoji(KINDS[memory.kind]?.emoji ?? "•"), h("span", { class: "kind-word" }, memory.kind), goTo(this.scene, memory.at),
        memory.depth > 0 && h("span", { class: "soft", title: DEPTH }, `depth ${memory.depth}`),
        isOver && h("span", { class: "over-mark" }, "expired"),
        memory.depth > 0 && whyButton(this.scene, why)),
      h("p", { class: "memory-text" }, longWords(memory.text)),
      this.weight(memory),
      times.some(Boolean) && h("p", { class: "soft memory-times" }, times.filter(Boolean).join(" · ")),
      memory.evidence?.length > 0 && this.evidence(memory));
  }

  weight(memory) {
    const { value, reason, rated } = this.scene.life.importance(memory, this.scene.tick);
    return h("p", { class: "memory-weight" },
      h("span", { class: rated ? "weight-bar" : "weight-bar weight-open", "aria-hidden": "true" },
        h("span", { class: "weight-fill", style: `width:${Math.min(10, value) * 10}%` })),
      h("span", { class: "unseen" }, "Importance "),
      h("b", {}, value),
      h("span", { class: "soft" }, reason && words(reason)));
  }

  evidence(memory) {
    const links = memory.evidence.map((id) => {
      const text = this.scene.life.byId.get(id)?.text;
      if (text === undefined) return h("li", { class: "soft" }, "a memory that is not kept here");
      const short = text.length > 140 ? `${text.slice(0, 139)}…` : text;
      return h("li", {}, button(words(short), () => this.jump(id), { class: "evidence-link" }));
    });
    return h("details", { class: "evidence" }, h("summary", {}, `Rests on ${many(links.length, "memory", "memories")}`),
      h("ul", {}, links));
  }

  /** Show a memory by its id, whatever is filtered, and put the focus on it. */
  jump(id) {
    const memory = this.scene.life.byId.get(id);
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
