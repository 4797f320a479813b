// The town page: opens a film in an element of a page, served or from disk.
import { fill, h } from "./dom.js";
import { Film } from "./film.js";
import { Stage } from "./stage.js";

export { mountPair } from "./pair.js";

/** Return the film of a source with all that is known now. */
export async function openFilm(source) {
  const film = new Film(await source.head());
  film.add(await source.tracks(-1));
  return film;
}

/**
 * Show a run in `root` and return its stage. `place` is "served" or "file";
 * `open(name, detail)` leads out of the stage (why, talk, take-part, fork, pause, resume, compare).
 */
export async function mountStage(root, source, { place = source.place, open = () => {} } = {}) {
  fill(root, h("p", { class: "opening", role: "status" }, "Opening the town …"));
  try {
    const stage = new Stage(root, await openFilm(source), source, { place, open });
    stage.begin();
    return stage;
  } catch (fault) {
    fill(root, h("div", { class: "opening", role: "alert" }, h("h1", {}, "This run cannot be shown"),
      h("p", {}, h("bdi", {}, fault.message)), place === "served" ? h("a", { href: "/start" }, "All runs") : null));
    throw fault;
  }
}
