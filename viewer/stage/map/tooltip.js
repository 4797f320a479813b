// The words beside the pointer: who somebody is and what they do, or what a thing is.
import { emoji, fill, h, words } from "../dom.js";
import { wayWords, whereabouts } from "../whereabouts.js";

/** Return what is told of a pick, `{title, text, sign, why}`; null for what somebody says, which can be read already. */
function toldOf({ kind, n, address }, replay, at) {
  if (kind === "talk") return null;
  if (kind === "person") {
    const deed = replay.deed(n, at);
    const { from, to } = whereabouts(replay, n, at);
    const way = from ? `on the way ${wayWords(from, to)}, for ` : "";
    const line = replay.talksAt(at).map((talk) => replay.lineAt(talk, at)).find((each) => each?.n === n);
    const odd = line?.odd ? line : deed;
    const text = deed ? `${odd.odd ? "◇ odd: " : ""}${way}${deed.activity}` : "";
    return { title: replay.people[n].name, text, sign: deed?.emoji, why: deed && odd.oddWhy.join(" ") };
  }
  if (kind === "object") {
    const { name, idle } = replay.map.objects[n];
    const { state, emoji: sign } = replay.objectState(n, at) ?? { state: idle };
    return { title: name, text: state, sign };
  }
  const { name, sector } = replay.map[`${kind}s`].find((place) => place.address === address);
  return { title: name, text: sector === name ? "" : sector };
}

export class Tooltip {
  constructor(canvas, replay) {
    this.canvas = canvas;
    this.replay = replay;
    this.root = h("div", { class: "tip map-tip", "aria-hidden": "true", hidden: true });
    canvas.after(this.root);
  }

  /** Show what is below the pointer at a time, `{pick, x, y}`; nothing for null. */
  show(hovered, at) {
    const told = hovered && toldOf(hovered.pick, this.replay, at);
    this.root.hidden = !told;
    if (!told) return;
    const { title, text, sign, why } = told;
    const key = [title, text, sign, why].join("\n");
    if (key !== this.told) {
      fill(this.root, h("b", {}, words(title)), text && h("div", {}, sign && emoji(sign), " ", words(text)), why && h("div", {}, words(why)));
    }
    this.told = key;
    const { offsetWidth: w, offsetHeight: high } = this.root;
    const { clientWidth: wide, clientHeight: tall } = this.canvas;
    const left = Math.min(Math.max(6, hovered.x + 14), Math.max(6, wide - w - 6));
    const top = hovered.y + 18 + high > tall ? hovered.y - high - 12 : hovered.y + 18;
    this.root.style.transform = `translate(${left}px, ${top}px)`;
  }
}
