// What somebody does at this moment, and what comes next.

import { emoji, fill, h, words } from "../dom.js";
import { clockTime, dayOf } from "../times.js";
import { startOf } from "./life.js";
import { deedMarks, fact, oddWords, personLink, whyDone } from "./pieces.js";
import { lasting, minuteOf } from "./words.js";
import { whereWords, whereabouts } from "../whereabouts.js";

const AHEAD = 4;

/** The section Now. */
export class NowSection {
  constructor(scene) {
    this.scene = scene;
    this.root = h("div", { class: "now" });
  }

  /** Return what the drawing depends on. */
  stamp() {
    const { replay, n, at, tick, life } = this.scene;
    const deed = replay.deed(n, at);
    const where = replay.position(n, at);
    const walks = where ? where.walking : "away";
    return [deed?.tick, walks, Math.floor(at / 60), life?.planned(tick)].join();
  }

  /** Draw it. */
  draw() {
    const { replay, n, at } = this.scene;
    if (!replay.present(n, at)) {
      fill(this.root, h("p", { class: "soft" }, "Not in town at this moment."));
      return;
    }
    const deed = replay.deed(n, at);
    if (!deed) {
      fill(this.root, h("p", { class: "soft" }, "Nothing has been done yet."));
      return;
    }
    fill(this.root, this.card(deed), this.plan(deed), this.ahead());
  }

  card(deed) {
    const { replay, n, at } = this.scene;
    const isOver = deed.end <= at;
    const where = whereabouts(replay, n, at);
    const lines = [
      h("p", { class: "now-what" }, words(deed.activity), deedMarks(deed), whyDone(this.scene, deed)),
      h("p", { class: "now-where" }, where.from ? [emoji("🚶"), " "] : "", words(whereWords(where) || "outdoors")),
      h("p", { class: "soft" }, replay.people[n].visitor ? `since ${clockTime(deed.start)}` : lasts(deed, at, isOver)),
    ];
    if (deed.kind === "sleep") lines.push(h("p", { class: "now-note" }, emoji("😴"), " Asleep."));
    if (deed.fallback) lines.push(h("p", { class: "now-note" }, FALLBACK));
    if (deed.nowhere) lines.push(h("p", { class: "now-note" }, NOWHERE));
    if (deed.odd) lines.push(oddWords(deed.oddWhy));
    if (deed.partners.some((each) => replay.people[each])) lines.push(this.company(deed));
    if (deed.objectState) lines.push(this.object(deed));
    const className = deed.fallback ? "now-card now-fallback" : "now-card";
    return h("div", { class: className }, h("div", { class: "now-emoji" }, emoji(deed.emoji)), h("div", {}, lines));
  }

  company(deed) {
    const verb = deed.kind === "wait" ? "Waits for " : "With ";
    return h("p", { class: "now-note" }, verb, known(deed, this.scene.replay).map((n) => personLink(this.scene, n)));
  }

  object(deed) {
    const name = (deed.object || deed.place).split(": ").at(-1);
    // Of an object in use, what for is said above already.
    const state = deed.objectState.includes(deed.activity) ? "in use" : deed.objectState;
    const sign = deed.objectEmoji ? [emoji(deed.objectEmoji), " "] : "";
    return h("p", { class: "now-note" }, sign, words(name), " is ", words(state), ".");
  }

  plan(deed) {
    const { life, tick, at, data } = this.scene;
    const block = life && blockAt(life.plan(tick, dayOf(at)), at);
    const rows = [];
    if (block) {
      const span = `${minuteOf(block.start)} to ${minuteOf(block.end)}`;
      rows.push(fact(ofPlan(deed, block), words(block.activity), h("span", { class: "soft" }, `, ${span}`)));
    }
    const mind = life?.currently(tick) || data?.persona.currently;
    if (mind) rows.push(fact("On the mind", words(mind)));
    const goal = life?.goal(tick);
    if (goal && !mind?.startsWith(goal)) rows.push(fact("Goal", words(goal)));
    return rows.length ? h("dl", { class: "facts" }, rows) : "";
  }

  ahead() {
    const { life, tick, at } = this.scene;
    const plan = life && life.plan(tick, dayOf(at));
    if (!plan) return "";
    const from = startOf(dayOf(at));
    const next = pieces(plan).filter((piece) => from + piece.start * 60 > at).slice(0, AHEAD);
    if (!next.length) return "";
    const items = next.map((piece) =>
      h("li", {}, h("span", { class: "ahead-time" }, minuteOf(piece.start)), words(piece.activity)),
    );
    return h("div", {}, h("h3", { class: "small-title" }, "Next, as planned"), h("ol", { class: "ahead" }, items));
  }
}

const FALLBACK = "No model's answer could be used here: the declared fallback decided it.";
const NOWHERE = "The model found no place that fits: it is done where they stood when it was planned.";

function known(deed, replay) {
  return deed.partners.filter((n) => replay.people[n]);
}

function lasts(deed, at, isOver) {
  const hours = `${clockTime(deed.start)} to ${clockTime(deed.end)}`;
  const since = at - deed.end;
  if (isOver) return `${hours} · ${since < 60 ? "just over" : `over for ${lasting(since)}`}`;
  return deed.end - at > 60 ? `${hours} · ${lasting(deed.end - at)} left` : hours;
}

/** Return how a deed stands to the hour of the plan: the very same, or a part of it in words of its own. */
function ofPlan(deed, block) {
  if (deed.activity === block.activity) return "As planned";
  return (block.tasks || []).some(({ activity }) => activity === deed.activity) ? "Part of" : "In the plan";
}

/** Return the hour of a plan that holds at a second, or null. */
export function blockAt(plan, at) {
  const minute = (at % 86400) / 60;
  return plan?.blocks.find((block) => block.start <= minute && minute < block.end) || null;
}

/** Return a plan's smallest parts in their order: tasks where an hour is split, else the hour. */
export function pieces(plan) {
  return plan.blocks.flatMap((block) => {
    const tasks = block.tasks || [];
    return tasks.length ? tasks.map((task) => ({ ...task, hour: block.activity })) : [{ ...block, hour: block.activity }];
  });
}
