// Two towns side by side: what the page of a comparison mounts.
import { sayLost } from "./connection.js";
import { mountPair } from "./pair.js";
import { ServedSource } from "./source.js";

const root = document.getElementById("stage");
const said = JSON.parse(decodeURIComponent(root.dataset.pair));
const sources = said.runs.map((name) => new ServedSource(name));

window.pair = await mountPair(root, sources, said);
sayLost();
