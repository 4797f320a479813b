// Who thinks what, and since when: the questions that wait for a model's answer.
import { clear, fill, h, say, words } from "./dom.js";

const DOINGS = {
  advance_plot: "carries a story on",
  answer_interview: "answers an interviewer",
  choose_happening: "lets something happen in town",
  choose_place: "looks for a place to do it",
  conclude_talk: "keeps what a talk was about",
  dream: "dreams",
  decompose: "splits an hour into tasks",
  ground_block: "picks where to do it, and with what",
  heed_inner_voice: "listens to an inner voice",
  plan_day: "plans the day",
  plan_hours: "fills the hours of the day",
  rate_importance: "weighs what happened",
  react: "decides what to do about somebody",
  reflect_insights: "draws conclusions",
  reflect_questions: "wonders",
  replan: "changes the plan",
  revise_goal: "asks whether a goal still holds",
  revise_identity: "takes stock of the days before",
  say: "finds words",
  wander: "lets the mind wander",
};
const MOST = 40;

/** Return how long, "38 s" or "2 min 05 s". */
export function lasting(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/** Return what somebody does in a step, "plans the day, second try". */
export function doingOf({ step, try: again }) {
  const doing = DOINGS[step] || `thinks (${step})`;
  return again ? `${doing}, ${again}` : doing;
}

/** Return about how long something still takes, "about 2 h 10 min left"; empty where nobody knows. */
export function leftOf(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute left";
  if (minutes < 60) return `about ${minutes} min left`;
  const tens = Math.round((minutes % 60) / 10) * 10;
  const hours = Math.floor(minutes / 60) + (tens === 60 ? 1 : 0);
  return hours >= 10 || tens % 60 === 0 ? `about ${hours} h left` : `about ${hours} h ${tens} min left`;
}

/** The part of the strip about thoughts: the one that has lasted longest, and a list of the others. */
export class Thinking {
  constructor() {
    this.first = h("span", { class: "strip-thinking", title: "the question that has waited longest for its answer" });
    this.count = h("summary", {});
    this.list = h("ul", {});
    this.more = h("details", { class: "strip-list", hidden: true }, this.count, this.list);
    this.root = h("div", { class: "strip-minds" }, this.first, this.more);
    this.asked = [];
    this.running = 0;
    this.more.addEventListener("toggle", () => this.spread());
  }

  /** Show who thinks, oldest first; the first `running` of them are being answered. */
  show(asked, running) {
    this.asked = asked;
    this.running = running;
    this.root.hidden = !asked.length;
    this.more.hidden = asked.length < 2;
    if (!asked.length) return;
    const [one] = asked;
    fill(this.first, h("b", {}, words(one.who)), ` ${doingOf(one)} · ${lasting(one.seconds)}`);
    say(this.count, this.told());
    this.spread();
  }

  told() {
    const next = this.asked[Math.max(1, this.running)];
    const others = `${this.asked.length - 1} more`;
    return next && this.running ? `${others}, next ${next.who}` : others;
  }

  spread() {
    if (!this.more.open) {
      clear(this.list);
      return;
    }
    fill(this.list, this.asked.slice(0, MOST).map((one, i) => {
      const state = i < this.running ? "is being answered" : "waits for its turn";
      return h("li", { title: state }, h("b", {}, words(one.who)), ` ${doingOf(one)}`,
        h("span", {}, `${i < this.running ? "" : "waits "}${lasting(one.seconds)}`));
    }));
  }
}
