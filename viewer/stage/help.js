// Help: the keys, and what the marks and signs mean.
import { button, h } from "./dom.js";
import { hearKeys, KEYS, keysHeard } from "./keys.js";
import { drawMark, KINDS } from "./marks.js";

const SHOWN = {
  " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc",
};

function lines() {
  const found = new Map();
  for (const [keys, does] of KEYS) {
    const shown = keys.filter((key) => key !== "=").map((key) => SHOWN[key] || key);
    found.set(does, (found.get(does) || []).concat(shown));
  }
  return [...found];
}

function keyTable() {
  return h("dl", { class: "help-keys" }, lines().map(([does, keys]) => {
    return h("div", {}, h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, does));
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

function legend() {
  return h("ul", { class: "help-marks" }, Object.entries(KINDS).map(([kind, { many }]) => {
    return h("li", {}, sample(kind), many);
  }));
}

function choice() {
  const box = h("input", { type: "checkbox", onchange: (event) => hearKeys(event.target.checked) });
  box.checked = keysHeard();
  return h("label", { class: "help-choice" }, box, " single letters and signs work as keys");
}

/** Open the help. */
export function openHelp(root) {
  if (root.querySelector("dialog.help[open]")) return;
  const close = button("✕", () => dialog.close(), { class: "head-icon", "aria-label": "Close" });
  const dialog = h("dialog", { class: "help", "aria-label": "Help" },
    h("div", { class: "help-head" }, h("h2", {}, "Keys"), close),
    keyTable(), choice(),
    h("h2", {}, "Marks on the time bar"), legend(),
    h("p", { class: "soft" }, "A larger mark stands for several. Nights are shaded; what is hatched is still to be lived. "
      + "On the slider itself the arrows go five minutes, Page Up and Page Down an hour."),
    h("p", { class: "soft" }, "A dashed outline around somebody: the model gave no answer that could be used, and a declared fallback was taken. A dotted one: it found no place that fits, and they do it where they stood. A small diamond at a sign, or “◇ odd” in a speech bubble: the answer was accepted, and a check says that it makes no sense; point at them to read why."));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  root.append(dialog);
  dialog.showModal();
}
