// The town page: opens a replay in an element of a page, served or from disk.
import { fill, h } from "./dom.js";
import { Replay } from "./replay.js";
import { Stage } from "./stage.js";

/**
 * Show a run in `root` and return its stage. `place` is "served" or "file";
 * `open(name, detail)` leads out of the stage (why, talk, take-part, fork, pause, resume, compare).
 */
export async function mountStage(root, source, { place = source.place, open = () => {} } = {}) {
  fill(root, h("p", { class: "opening", role: "status" }, "Opening the town …"));
  try {
    const stage = new Stage(root, await Replay.open(source), source, { place, open });
    stage.begin();
    return stage;
  } catch (fault) {
    fill(root, h("div", { class: "opening", role: "alert" }, h("h1", {}, "This run cannot be shown"),
      h("p", {}, h("bdi", {}, fault.message)), place === "served" && h("a", { href: "/start" }, "All runs")));
    throw fault;
  }
}
