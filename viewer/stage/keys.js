// Keys: what each of them does, for the page and for its help.

/** Keys of the page: which, what they do in words, and the name of the stage's method with what it is given. */
export const KEYS = [
  [[" "], "play or pause", "togglePlay"],
  [[","], "a step back", "step", -1],
  [["."], "a step forward", "step", 1],
  [["<", "["], "slower", "slower"],
  [[">", "]"], "faster", "faster"],
  [["Home"], "to the beginning", "seekTo", 0],
  [["End"], "to the end of what is known", "seekTo", Infinity],
  [["t"], "to the next mark", "nextMark"],
  [["l"], "to the live edge", "live"],
  [["s"], "skip what is quiet, or not", "toggleSkip"],
  [["/"], "find a person or a place (Ctrl+K too)", "find"],
  [["n"], "the next person", "nextPerson", 1],
  [["p"], "the person before", "nextPerson", -1],
  [["f"], "follow the selected person, or not", "toggleFollow"],
  [["ArrowLeft"], "move the map", "pan", [-1, 0]],
  [["ArrowRight"], "move the map", "pan", [1, 0]],
  [["ArrowUp"], "move the map", "pan", [0, -1]],
  [["ArrowDown"], "move the map", "pan", [0, 1]],
  [["+", "="], "closer", "zoom", 1.3],
  [["-"], "farther", "zoom", 1 / 1.3],
  [["0"], "the whole town", "fit"],
  [["m"], "sounds of the town on or off", "toggleSounds"],
  [["c"], "copy a link to this moment", "copyLink"],
  [["Escape"], "select nobody", "deselect"],
  [["?"], "this help", "help"],
];

const FIELD = "input, textarea, select, [contenteditable]";
/** What space presses, once the keyboard has gone there; after a click on it space plays or pauses, as in any player. */
const OWN_SPACE = "button, summary, [role=tab], [role=option]";
const OWN_ARROWS = "[role=slider], [role=tab], [role=listbox], [role=radio], [role=feed], [role=grid]";
const KEPT = "smolville-keys";

/** Return whether single keys are heard; some people speak to their machine, and letters come by chance. */
export function keysHeard() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

/** Hear single keys, or leave them. */
export function hearKeys(heard) {
  try {
    localStorage.setItem(KEPT, heard ? "on" : "off");
  } catch {
    // A page from disk may have no memory.
  }
}

function elsewhere(event, clicked) {
  const { target, key } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest(FIELD) || target.closest("dialog, [role=dialog], .q-dialog")) return true;
  if (document.querySelector("dialog[open], .q-dialog:not(.q-dialog--seamless)")) return true;
  const pressed = key === " " && target.closest(OWN_SPACE);
  if (pressed && pressed !== clicked) return true;
  const moves = key.startsWith("Arrow") || key === "Home" || key === "End";
  return moves && Boolean(target.closest(OWN_ARROWS) || scrolls(target));
}

function scrolls(target) {
  const panel = target.closest("[role=tabpanel]");
  return Boolean(panel) && panel.scrollHeight > panel.clientHeight;
}

function found(key) {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  return KEYS.find(([names]) => names.includes(letter));
}

/** Let keys do what a stage has methods for, and return what ends it. */
export function listenKeys(stage) {
  let clicked = null;
  let isOurs = false;
  const point = ({ target }) => (clicked = target instanceof Element ? target.closest(OWN_SPACE) : null);
  const hear = (event) => {
    if (event.key === "Tab") clicked = null;
    if (event.key === " ") isOurs = false;
    if (event.defaultPrevented || event.isComposing) return;
    if (stage.find && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      stage.find();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || elsewhere(event, clicked)) return;
    if (event.key.length === 1 && !keysHeard()) return;
    const [, , act, given] = found(event.key) || [];
    if (!act || !stage[act]) return;
    event.preventDefault();
    isOurs = event.key === " ";
    stage[act](given);
  };
  // Some browsers press a button only when space is let go.
  const release = (event) => event.key === " " && isOurs && event.preventDefault();
  const heard = [["pointerdown", point, true], ["keydown", hear], ["keyup", release]];
  for (const each of heard) document.addEventListener(...each);
  return () => heard.forEach((each) => document.removeEventListener(...each));
}
