// The button that turns the page to the other theme.
import { button, fill, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { theme, turnTheme } from "./theme.js";

/** Return a button that turns day to night and back, and shows what it would turn to. */
export function themeButton() {
  const turn = button("", () => turnTheme(), { class: "head-icon" });
  const show = () => {
    const night = theme() === "night";
    fill(turn, icon(night ? ICONS.sun : ICONS.moon));
    turn.setAttribute("aria-label", night ? "Light colours" : "Dark colours");
    turn.title = night ? "Light colours" : "Dark colours";
  };
  document.addEventListener("theme", show);
  show();
  return turn;
}
