// What somebody does at this moment, and what comes next.

import { emoji, fill, h, words } from "../dom.js";
import { clockTime, dayOf, lasting, minuteOf, startOf } from "../times.js";
import { whereWords, whereabouts } from "../whereabouts.js";
import { fact, marks, oddWords, personLink, whyDone } from "./pieces.js";

const AHEAD = 4;
const FALLBACK = "No model's answer could be used here: the declared fallback decided it.";
const NOWHERE = "The model found no place that fits: it is done where they stood when it was planned.";

export class NowSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "now" });
  }

  stamp() {
    const { replay, n, at, tick, life } = this.scene;
    const walks = replay.position(n, at)?.walking;
    return [replay.deed(n, at)?.tick, walks, Math.floor(at / 60), life?.planned(tick)].join();
  }

  draw() {
    const { replay, n, at } = this.scene;
    const deed = replay.deed(n, at);
    const none = !replay.present(n, at) ? "Not in town at this moment." : deed ? "" : "Nothing has been done yet.";
    if (none) fill(this.root, h("p", { class: "soft" }, none));
    else fill(this.root, this.card(deed), this.plan(deed), this.ahead());
  }

  card(deed) {
    const { replay, n, at } = this.scene;
    const where = whereabouts(replay, n, at);
    const partners = deed.partners.filter((each) => replay.people[each]);
    const note = (...said) => h("p", { class: "now-note" }, said);
    return h("div", { class: deed.fallback ? "now-card now-fallback" : "now-card" },
      h("div", { class: "now-emoji" }, emoji(deed.emoji)),
      h("div", {},
        h("p", { class: "now-what" }, words(deed.activity), marks(deed), whyDone(this.scene, deed)),
        h("p", { class: "now-where" }, where.from && [emoji("🚶"), " "], words(whereWords(where) || "outdoors")),
        h("p", { class: "soft" }, replay.people[n].visitor ? `since ${clockTime(deed.start)}` : lasts(deed, at)),
        deed.kind === "sleep" && note(emoji("😴"), " Asleep."),
        deed.fallback && note(FALLBACK),
        deed.nowhere && note(NOWHERE),
        oddWords(deed.oddWhy),
        partners.length > 0 && note(deed.kind === "wait" ? "Waits for " : "With ",
          partners.map((each) => personLink(this.scene, each))),
        deed.objectState && note(this.object(deed))));
  }

  object({ object, place, objectState, objectEmoji, activity }) {
    const name = (object || place).split(": ").at(-1);
    // Of an object in use, what for is said above already.
    const state = objectState.includes(activity) ? "in use" : objectState;
    return [objectEmoji && [emoji(objectEmoji), " "], words(name), " is ", words(state), "."];
  }

  plan(deed) {
    const { life, tick, at, data } = this.scene;
    const block = blockAt(life?.plan(tick, dayOf(at)), (at - startOf(dayOf(at))) / 60);
    const mind = life?.currently(tick) || data?.persona.currently;
    const goal = life?.goal(tick);
    const rows = [
      block && fact(ofPlan(deed, block), words(block.activity),
        h("span", { class: "soft" }, `, ${minuteOf(block.start)} to ${minuteOf(block.end)}`)),
      mind && fact("On the mind", words(mind)),
      goal && !mind?.startsWith(goal) && fact("Goal", words(goal)),
    ];
    return rows.some(Boolean) && h("dl", { class: "facts" }, rows);
  }

  ahead() {
    const { life, tick, at } = this.scene;
    const plan = life?.plan(tick, dayOf(at));
    const from = startOf(dayOf(at));
    const next = plan ? pieces(plan).filter((piece) => from + piece.start * 60 > at).slice(0, AHEAD) : [];
    return next.length > 0 && h("div", {}, h("h3", { class: "small-title" }, "Next, as planned"),
      h("ol", { class: "ahead" }, next.map(({ start, activity }) => aheadItem(start, activity))));
  }
}

export function aheadItem(start, activity) {
  return h("li", {}, h("span", { class: "ahead-time" }, minuteOf(start)), words(activity));
}

function lasts({ start, end }, at) {
  const hours = `${clockTime(start)} to ${clockTime(end)}`;
  if (end <= at) return `${hours} · ${at - end < 60 ? "just over" : `over for ${lasting(at - end)}`}`;
  return end - at > 60 ? `${hours} · ${lasting(end - at)} left` : hours;
}

/** Return how a deed stands to the hour of the plan: the very same, or a part of it in words of its own. */
function ofPlan(deed, block) {
  if (deed.activity === block.activity) return "As planned";
  return block.tasks.some(({ activity }) => activity === deed.activity) ? "Part of" : "In the plan";
}

export function blockAt(plan, minute) {
  return plan?.blocks.find((block) => block.start <= minute && minute < block.end);
}

/** Return a plan's smallest parts in their order: tasks where an hour is split, else the hour. */
export function pieces(plan) {
  return plan.blocks.flatMap((block) => {
    return (block.tasks.length ? block.tasks : [block]).map((task) => ({ ...task, hour: block.activity }));
  });
}
