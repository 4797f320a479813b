// Lines over the map for visitors: what they can do, and that somebody has left or is still there.
import { button, h, words } from "./dom.js";

/** Return a line that stays until it is dismissed, or something is clicked; with `act`, a button in it, until that. */
function lasting(text, act = null) {
  const close = button("×", () => leave(root), { class: "welcome-close", "aria-label": "Got it" });
  const root = h("div", { class: "welcome", role: "note" }, h("p", {}, text), act, close);
  return root;
}

/** Return the line for whoever has just walked in as a visitor. */
export function welcomeVisitor() {
  return lasting("Click somebody to speak to them, or a place to go there. Leave the town stands above the map. "
    + "If you close the page, the town lives on and you stay: open it again to go on.");
}

/** Return the line for a page whose visitor is no longer in town. */
export function visitorLeft(name) {
  return lasting(words(`${name} has left the town. Walk in again with Take part.`));
}

/** Return the line for whoever has just left the town, which lives on. */
export function visitorParted(name) {
  return lasting(words(`${name} has left the town. Press play to watch how it goes on.`));
}

/** Return the line for a visitor whom another page has left in town; `goOn` lets this one go on with them. */
export function visitorStays(name, goOn) {
  const act = button(["Go on as ", words(name)], () => {
    leave(act.closest(".welcome"));
    goOn();
  });
  return lasting(words(`${name}, a visitor, is in town now.`), act);
}

export function leave(line) {
  line?.remove();
}
