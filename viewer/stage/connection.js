// What a page says while its server is away, and whether the server would have it again.
import { fill, h, say } from "./dom.js";

const REFUSED = 403;
const EVERY = 2000;

/** What is said of a lost server: it is "away", or one that was started anew asks for its own "token". */
export const LOST = {
  away: "The server is away; trying again. If it was ended, start it anew: smolville view (with its --runs, if you named a folder)",
  token: "The server was started anew and asks for its new token: open the address that it printed.",
};

export async function whyLost() {
  try {
    const answer = await fetch("/stage/token.js", { cache: "no-store" });
    return answer.status === REFUSED ? "token" : "away";
  } catch {
    return "away";
  }
}

/** Say why the server is lost in the note that the framework shows as long as it is; it has less to say itself. */
export function sayLost() {
  const note = document.getElementById("popup");
  if (!note) return;
  const said = h("span", { role: "status" });
  fill(note, said);
  let timer = 0;
  const look = async () => {
    const why = await whyLost();
    if (note.ariaHidden === "false") say(said, LOST[why]);
  };
  new MutationObserver(() => {
    clearInterval(timer);
    if (note.ariaHidden !== "false") return;
    say(said, LOST.away);
    timer = setInterval(look, EVERY);
  }).observe(note, { attributeFilter: ["aria-hidden"] });
}
