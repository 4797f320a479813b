// How the run does: who thinks, how far the hour is, how answers end; and whether the server is there.
import { LOST } from "./connection.js";
import { button, fill, h, say, words } from "./dom.js";
import { OUTCOMES, stepWords } from "./people/words.js";
import { clockTime, lasting } from "./times.js";

const ENDS = ["clean", "mended", "repaired", "escalated", "fallback"];
const HOUR = 3600;

function share(part, whole) {
  const percent = (100 * part) / whole;
  if (part === 0) return "0 %";
  if (percent < 1) return "<1 %";
  return `${percent > 99 && percent < 100 ? 99 : Math.round(percent)} %`;
}

function figure(value, name, title) {
  return h("span", { class: "strip-figure", title }, h("b", {}, value), ` ${name}`);
}

/** Return what somebody does in a step, "plans the day, second try". */
export function doingOf(replay, { step, try: again }) {
  const [verb, ...rest] = stepWords(replay, step).split(" ");
  const ending = /(o|s|x|ch|sh)$/.test(verb) ? "es" : "s";
  const doing = [/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : verb + ending, ...rest].join(" ");
  return again ? `${doing}, ${again}` : doing;
}

/** Return about how long something still takes, "about 2 h 10 min left"; empty where nobody knows. */
export function leftOf(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 30) return "less than a minute left";
  // Beyond an hour tens of minutes are exact enough, beyond ten hours whole hours are.
  const unit = seconds < HOUR - 30 ? 60 : seconds < 10 * HOUR ? 600 : HOUR;
  const whole = Math.round(seconds / unit) * unit;
  return `about ${whole === 60 ? "1 min" : lasting(whole)} left`;
}

function outcomes({ outcomes: counts = {}, odd }) {
  const there = ENDS.filter((name) => counts[name]);
  const all = there.reduce((sum, name) => sum + counts[name], 0);
  if (!all) return null;
  const meanings = there.map((name) => `${name}: ${OUTCOMES[name].means}`).join("; ");
  const objected = "The share of all steps whose answer was accepted although a check objects to it";
  return [
    h("span", { class: "strip-ends", title: `How the model's answers ended in ${all} steps. ${meanings}` },
      h("span", { class: "strip-bar", "aria-hidden": "true" },
        there.map((name) => h("i", { class: `end-${name}`, style: `flex-grow:${counts[name]}` }))),
      there.map((name) => h("span", { class: `strip-end end-${name}` },
        h("i", { "aria-hidden": "true" }, OUTCOMES[name].shape), ` ${share(counts[name], all)} ${name}`))),
    odd !== undefined && h("span", { class: "strip-figure strip-odd", title: objected },
      h("b", {}, share(odd, all)), " objected to"),
  ];
}

function busy({ in_flight: running = 0, slots }) {
  if (!running) return h("span", { class: "strip-figure", title: "The model has nothing to answer at the moment" }, "model idle");
  const title = `The model is answering ${running} of at most ${slots} questions at once`;
  return h("span", { class: "strip-figure", title }, "model busy: ", h("b", {}, `${running} of ${slots}`));
}

function figures(pulse) {
  const { slots, waiting, tokens_per_second: speed } = pulse;
  const s = (count) => (count === 1 ? "" : "s");
  const tokens = Math.round(speed || 0);
  return [
    outcomes(pulse),
    slots > 0 && busy(pulse),
    waiting > 0 && figure(waiting, `question${s(waiting)} waiting`, "Questions that wait until the model has time for them"),
    speed > 0 && figure(tokens, `token${s(tokens)}/s`, "How fast the model writes"),
  ];
}

/** Return how far a run is: the town's hour, how much of it is lived, and the time that the rest takes. */
function reached(replay, pulse) {
  const hour = Math.floor(replay.until / HOUR) * HOUR;
  const span = [clockTime(hour), clockTime(hour + HOUR)];
  const done = Math.floor((100 * (replay.until - hour)) / HOUR);
  const left = replay.head.standin ? "" : leftOf(pulse.seconds_left) || "time left not known yet";
  return [
    h("span", { class: "strip-hour", title: `${done} % of the hour from ${span.join(" to ")} has been lived` }, span.join("–"),
      h("i", { class: "strip-meter", "aria-hidden": "true" }, h("i", { style: `width:${done}%` })), `${done} % lived`),
    left && h("span", { class: "strip-left", title: "Estimated from the model calls to come, at the pace so far" }, left),
  ];
}

/** The strip below the header; it is one line high from the first picture on, whatever comes. */
export class Strip {
  constructor(replay, { company = () => "", isStarting = () => false, canLeave = () => false, leave = () => {} } = {}) {
    Object.assign(this, { replay, company, isStarting, canLeave });
    this.hasLived = false;
    this.lost = "";
    this.pulse = null;
    this.hour = h("div", { class: "strip-figures" });
    this.figures = h("div", { class: "strip-figures" });
    this.first = h("span", { class: "strip-thinking", title: "the question that has waited longest for its answer" });
    this.more = h("span", { class: "soft" });
    this.minds = h("div", { class: "strip-minds" }, this.first, this.more);
    this.said = h("div", { class: "strip-said", role: "status" });
    // Whoever is picked: the way out is always at hand.
    this.leave = button("Leave the town", leave, { class: "strip-leave", hidden: true });
    this.root = h("div", { class: "strip", role: "group", "aria-label": "Model", tabindex: "0" },
      this.leave, this.said, this.minds, this.hour, this.figures);
    this.measure();
    // Rules think in a blink: who does stands last, so that nothing else moves when they come and go.
    this.root.classList.toggle("is-quick", Boolean(replay.head.standin));
    this.show();
  }

  /** Show what the run's owner says of itself; null when nobody lives it. */
  beat(pulse) {
    const waited = this.waits;
    this.pulse = pulse;
    this.hasLived ||= Boolean(pulse);
    // On a phone the map needs the lines that what has waited took.
    if (waited && !this.waits) this.measure();
    this.show();
  }

  /** What is known of a changed town or of a recording may be long, and is there from the beginning. */
  measure() {
    const { about, faults } = this.replay.head;
    this.root.classList.toggle("is-wordy", Boolean(about || faults?.length || this.waits));
  }

  /** Whether the run is stopped with requests that it takes in when it goes on. */
  get waits() {
    return !this.hasLived && !this.isStarting() && !this.replay.living && (this.replay.head.waiting || []).length > 0;
  }

  /** Say why the server is lost: "away" or "token"; "" when it is there again. */
  lose(lost) {
    if (this.lost === lost) return;
    this.lost = lost;
    this.show();
  }

  show() {
    const { pulse, replay } = this;
    const { standin } = replay.head;
    this.showThinking(pulse && pulse.state !== "paused" ? pulse : {});
    fill(this.hour, pulse && reached(replay, pulse));
    fill(this.figures, pulse && figures(standin ? { ...pulse, slots: 0, tokens_per_second: 0 } : pulse));
    const said = this.sentences();
    // Only what differs is written, so that it is not read aloud with each beat.
    if (this.said.textContent !== said.join(" ")) fill(this.said, said.map((one, i) => [i > 0 && " ", h("span", {}, words(one))]));
    this.said.hidden = !said.length;
    this.leave.hidden = !this.canLeave();
    this.said.classList.toggle("is-away", Boolean(this.lost));
  }

  /** Show who has been thinking longest, and how many more do. */
  showThinking({ thinking: asked = [] }) {
    this.minds.hidden = !asked.length;
    if (!asked.length) return;
    const [one] = asked;
    fill(this.first, h("b", {}, words(one.who)), ` ${doingOf(this.replay, one)} · ${lasting(one.seconds)}`);
    say(this.more, asked.length > 1 ? `${asked.length - 1} more` : "");
  }

  sentences() {
    const { pulse, replay } = this;
    const { about, faults = [], models, standin, waiting = [] } = replay.head;
    // Once it was lived on, what had waited has happened.
    const waits = waiting.length > 0 && !this.hasLived;
    const said = [
      about,
      LOST[this.lost],
      this.company(),
      pulse?.said,
      pulse?.state === "paused" && "Paused: press Go on to continue.",
      replay.watermark < 0 && !pulse?.thinking?.length && "The town has not begun yet; its first moments are being thought.",
      waits && `${this.soon() || "It waits until you press Go on."} Then: ${waiting.join(" ")}`,
      !waits && this.isStarting() && this.soon(),
      ...faults,
    ].filter(Boolean);
    // A run that nobody lives says who thought in it.
    if (pulse || said.length || !(standin || models)) return said;
    return [standin ? "The built-in stand-in thinks here: rules, no model." : `${models} thinks here.`];
  }

  /** Say that the run goes on by itself, of the same state as the header; "" where somebody must let it. */
  soon() {
    if (this.replay.state === "running") return "The run goes on.";
    return this.isStarting() || this.replay.living ? "The run is about to go on." : "";
  }
}
