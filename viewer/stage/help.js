// Help: how an answer can end, and where there is a town the keys, marks and signs.
import { button, h } from "./dom.js";
import { hearKeys, KEYS, keysHeard } from "./keys.js";
import { drawMark, KINDS } from "./marks.js";
import { OUTCOMES } from "./people/words.js";

const SHOWN = {
  " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc",
};
function keyTable() {
  const lines = new Map();
  for (const [keys, does] of KEYS) lines.set(does, [...(lines.get(does) || []), ...keys.filter((key) => key !== "=")]);
  return h("dl", { class: "help-keys" }, [...lines].map(([does, keys]) => {
    return h("div", {}, h("dt", {}, keys.map((key) => h("kbd", {}, SHOWN[key] || key))), h("dd", {}, does));
  }));
}

function sample(kind) {
  const canvas = h("canvas", { width: 40, height: 40, "aria-hidden": "true" });
  const style = getComputedStyle(document.documentElement);
  const pen = canvas.getContext("2d");
  pen.scale(2, 2);
  drawMark(pen, kind, 10, 10, 5, (name) => style.getPropertyValue(name).trim());
  return canvas;
}

function meanings(of) {
  return h("dl", { class: "help-words" }, Object.entries(of).map(([name, meaning]) => {
    return h("div", {}, h("dt", {}, name), h("dd", {}, meaning));
  }));
}

function ofTheTown() {
  const box = h("input", { type: "checkbox", onchange: () => hearKeys(box.checked) });
  box.checked = keysHeard();
  return [
    h("h2", {}, "Keys"), keyTable(), h("label", { class: "help-choice" }, box, " single letters and signs work as keys"),
    h("h2", {}, "Marks on the time bar"),
    h("ul", { class: "help-marks" }, Object.entries(KINDS).map(([kind, { many }]) => h("li", {}, sample(kind), many))),
    h("p", { class: "soft" }, "A larger mark stands for several. Nights are shaded; what is hatched is still to be lived. "
      + "On the slider itself the arrows go five minutes, Page Up and Page Down an hour."),
    h("p", { class: "soft" }, "A dashed outline around somebody: the model gave no answer that could be used, and a declared "
      + "fallback was taken. A dotted one: it found no place that fits, and they do it where they stood. A small diamond at a "
      + "sign, or “◇ odd” in a speech bubble: the answer was accepted, and a check says that it makes no sense; point at them "
      + "to read why."),
  ];
}

/** Open the help in `root`: of the town where `town` is true, else of the other pages. */
export function openHelp(root, { town = false } = {}) {
  if (document.querySelector("dialog.help[open]")) return;
  const ends = Object.fromEntries(Object.entries(OUTCOMES).map(([name, { means }]) => [name, means]));
  const close = button("✕", () => dialog.close(), { class: "head-icon help-close", "aria-label": "Close" });
  const dialog = h("dialog", {
    class: "help", "aria-label": "Help", onclose: () => dialog.remove(),
    onclick: (event) => event.target === dialog && dialog.close(),
  }, close, town && ofTheTown(), h("h2", {}, "How an answer ended"), meanings(ends));
  root.append(dialog);
  dialog.showModal();
}
