// The head of a page that is not drawn by the stage: what the server wrote about it becomes the header.
import { sayLost } from "./connection.js";
import { h, words } from "./dom.js";
import { fillHead } from "./header.js";
import { openHelp } from "./help.js";

const root = document.querySelector("header.head");
const { run, here } = root.dataset;
const title = run ? h("span", { class: "head-run" }, words(run)) : null;

fillHead(root, { run, here, title, help: () => openHelp(document.body) });
sayLost();
