// How the page of a run was left, for whoever comes back to it in the same tab.
import { recall, remember } from "./memory.js";
import { moment } from "./times.js";

const keyOf = (run) => `smolville-left-${run}`;

/**
 * Keep how the page is: moment, who is selected, speed, whether it plays, who is followed, what the map shows, which visitor
 * it goes with, which tab of a person is open, of which request the card is shown.
 */
export function keepPage(run, page) {
  remember(keyOf(run), JSON.stringify(page), "sessionStorage");
}

function leftPage(run) {
  return JSON.parse(recall(keyOf(run), "sessionStorage"));
}

/** Return the part of the town's address that leads back to how its page was left; empty where it was not open in this tab. */
export function wayBack(run) {
  const left = leftPage(run);
  if (!left) return "";
  const [who, request] = [["who", left.who], ["asked", left.request]].map(([name, value]) => (value ? `&${name}=${encodeURIComponent(value)}` : ""));
  return `?at=${moment(left.at)}${who}${request}&return=1`;
}

/**
 * Return what an address asks for, with what it does not say as the page was left: speed and tab; after the browser's Back
 * also what the map shows and who is followed; for who `returns`, all of it.
 * A fork that was not open before goes on with who is followed, and with what the map shows, as the page of the run it was
 * forked from was left.
 */
export function completed(asked, { run, forked_from: parent }) {
  const own = leftPage(run);
  const left = own || (parent ? leftPage(parent) : null);
  if (!left || asked.at === null) return asked;
  const { followed, view } = left;
  const section = asked.section ?? left.section;
  const speed = asked.speed ?? left.speed;
  const wentBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  if (!asked.returns) return { ...asked, speed, section, ...(own && !wentBack ? {} : { followed, view }) };
  return { ...asked, speed, section, play: asked.play ?? left.playing, followed, view, visitor: asked.visitor ?? left.visitor };
}
