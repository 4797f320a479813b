// The served page: a run by its name in the address; what leads out are pages or dialogs of the server.
import { mountStage } from "./main.js";
import { ServedSource } from "./source.js";
import { moment } from "./times.js";

const SOON = 100;

function page(name, detail) {
  const root = `/run/${encodeURIComponent(detail.run)}`;
  const pages = {
    why: () => `${root}/why/${encodeURIComponent(detail.who)}/${detail.tick}`,
    talk: () => `${root}/talk/${detail.id.split("/").map(encodeURIComponent).join("/")}`,
    compare: () => `/compare?a=${encodeURIComponent(detail.run)}&at=${moment(detail.at)}`,
  };
  return pages[name] ? pages[name]() : null;
}

function open(name, detail) {
  const address = page(name, detail);
  if (address) location.assign(address);
  // The server's scripts come after the first picture. A click waits for them; the pace is told again anyway.
  else if (window.emitEvent && window.did_handshake !== false) window.emitEvent("stage", { name, ...detail });
  else if (name !== "pace") setTimeout(() => open(name, detail), SOON);
}

const run = decodeURIComponent(location.pathname.split("/")[2]);
const root = document.getElementById("stage");
window.stage = await mountStage(root, new ServedSource(run), { place: "served", open });

// A talk that waits for a visitor's line says so in the pulse; a card of the server asks for it.
window.stage.on("pulse", (pulse) => {
  if (pulse && pulse.said && window.emitEvent) window.emitEvent("stage", { name: "turns" });
});
