// Keys: what each of them does, for the page and for its help.
import { recall, remember } from "./memory.js";

/** Keys of the page: which, what they do in words, and what they do to a town's stage, or to two beside each other. */
export const KEYS = [
  [[" "], "play or pause", ({ clock }) => clock.toggle()],
  [[","], "a step back", ({ clock }) => clock.step(-1)],
  [["."], "a step forward", ({ clock }) => clock.step(1)],
  [["<", "["], "slower", ({ clock }) => clock.change(-1)],
  [[">", "]"], "faster", ({ clock }) => clock.change(1)],
  [["Home"], "to the beginning", ({ clock }) => clock.seek(0)],
  [["End"], "to the end of what is known", ({ clock }) => clock.seek(Infinity)],
  [["t"], "to the next mark", (stage) => stage.nextMark?.()],
  [["l"], "to the live edge", (stage) => stage.live?.()],
  [["s"], "skip what is quiet, or not", ({ clock }) => clock.setSkipping(!clock.skipping)],
  [["/"], "find a person or a place (Ctrl+K too)", (stage) => stage.finder?.open()],
  [["n"], "the next person", (stage) => stage.nextPerson?.(1)],
  [["p"], "the person before", (stage) => stage.nextPerson?.(-1)],
  [["f"], "follow the selected person, or not", (stage) => stage.toggleFollow?.()],
  [["ArrowLeft"], "move the map", (stage) => stage.pan(-1, 0)],
  [["ArrowRight"], "move the map", (stage) => stage.pan(1, 0)],
  [["ArrowUp"], "move the map", (stage) => stage.pan(0, -1)],
  [["ArrowDown"], "move the map", (stage) => stage.pan(0, 1)],
  [["+", "="], "closer", (stage) => stage.zoom(1.3)],
  [["-"], "farther", (stage) => stage.zoom(1 / 1.3)],
  [["0"], "the whole town", (stage) => stage.fit()],
  [["c"], "copy a link to this moment", (stage) => stage.copyLink?.()],
  [["Escape"], "select nobody", (stage) => stage.deselect()],
  [["?"], "this help", (stage) => stage.help()],
];

const FIELD = "input, textarea, select, [contenteditable]";
/** What space presses, once the keyboard has gone there; after a click on it space plays or pauses, as in any player. */
const OWN_SPACE = "button, summary, [role=tab], [role=option]";
const OWN_ARROWS = "[role=slider], [role=tab], [role=listbox], [role=radio], [role=feed], [role=grid]";
const KEPT = "smolville-keys";

/** Return whether single keys are heard; some people speak to their machine, and letters come by chance. */
export function keysHeard() {
  return recall(KEPT) !== "off";
}

export function hearKeys(heard) {
  remember(KEPT, heard ? "on" : "off");
}

/** Return whether a key is meant for what has the focus; `clicked` is a button that has it by a click. */
function isElsewhere({ target, key }, clicked) {
  if (!(target instanceof Element)) return false;
  if (target.closest(FIELD) || target.closest("dialog, [role=dialog], .q-dialog")) return true;
  if (document.querySelector("dialog[open], .q-dialog:not(.q-dialog--seamless)")) return true;
  const pressed = key === " " && target.closest(OWN_SPACE);
  if (pressed && pressed !== clicked) return true;
  const panel = target.closest("[role=tabpanel]");
  const scrolls = panel && panel.scrollHeight > panel.clientHeight;
  return (key.startsWith("Arrow") || key === "Home" || key === "End") && Boolean(target.closest(OWN_ARROWS) || scrolls);
}

export function listenKeys(stage) {
  let clicked = null;
  let isOurs = false;
  const hear = (event) => {
    const { key } = event;
    if (key === "Tab") clicked = null;
    if (key === " ") isOurs = false;
    if (event.defaultPrevented || event.isComposing) return;
    if (stage.finder && (event.ctrlKey || event.metaKey) && key.toLowerCase() === "k") {
      event.preventDefault();
      stage.finder.open();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event, clicked)) return;
    if (key.length === 1 && !keysHeard()) return;
    const [, , act] = KEYS.find(([names]) => names.includes(key.length === 1 ? key.toLowerCase() : key)) || [];
    if (!act) return;
    event.preventDefault();
    isOurs = key === " ";
    act(stage);
  };
  document.addEventListener("pointerdown", ({ target }) => {
    clicked = target instanceof Element ? target.closest(OWN_SPACE) : null;
  }, true);
  document.addEventListener("keydown", hear);
  // Some browsers press a button only when space is let go.
  document.addEventListener("keyup", (event) => event.key === " " && isOurs && event.preventDefault());
}
