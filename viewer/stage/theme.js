// Day or night: what was chosen here before, else what the system wishes.
import { button, fill, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { recall, remember } from "./memory.js";

const KEY = "smolville-theme";
const wish = window.matchMedia("(prefers-color-scheme: dark)");

function theme() {
  return document.documentElement.dataset.theme || "day";
}

function show(name) {
  document.documentElement.dataset.theme = name;
  if (window.Quasar && window.Quasar.Dark) window.Quasar.Dark.set(name === "night");
  document.dispatchEvent(new CustomEvent("theme", { detail: name }));
}

function follow() {
  show(recall(KEY) || (wish.matches ? "night" : "day"));
}

/** Return a button that turns day to night and back, and shows what it would turn to. */
export function themeButton() {
  const turn = button("", () => {
    const name = theme() === "night" ? "day" : "night";
    remember(KEY, name);
    show(name);
  }, { class: "head-icon" });
  const renew = () => {
    const isNight = theme() === "night";
    fill(turn, icon(isNight ? ICONS.sun : ICONS.moon));
    turn.title = isNight ? "Light colours" : "Dark colours";
    turn.setAttribute("aria-label", turn.title);
  };
  document.addEventListener("theme", renew);
  renew();
  return turn;
}

wish.addEventListener("change", follow);
window.addEventListener("load", follow);
follow();
