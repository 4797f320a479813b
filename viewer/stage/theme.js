// Day or night: what was chosen here before, else what the system wishes.

const KEY = "smolville-theme";
const wish = window.matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Return "day" or "night", as the page is shown. */
export function theme() {
  return document.documentElement.dataset.theme || "day";
}

function show(name) {
  document.documentElement.dataset.theme = name;
  if (window.Quasar && window.Quasar.Dark) window.Quasar.Dark.set(name === "night");
  document.dispatchEvent(new CustomEvent("theme", { detail: name }));
}

/** Turn the page to the other theme and remember it. */
export function turnTheme() {
  const name = theme() === "night" ? "day" : "night";
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A page from disk may have no memory.
  }
  show(name);
}

function follow() {
  show(kept() || (wish.matches ? "night" : "day"));
}

wish.addEventListener("change", follow);
window.addEventListener("load", follow);
follow();
