// The page from disk: the replay lies inside of it, and nothing leads out.
import { mountStage } from "./main.js";
import { FileSource } from "./source.js";
import "./theme.js";

const shown = mountStage(document.getElementById("stage"), new FileSource(), { place: "file" });
// What goes wrong is said on the page.
shown.then((stage) => Object.assign(window, { stage }), () => {});
