// How the run does: who thinks, how far the hour is, how answers end; and whether the server is there.
import { LOST } from "./connection.js";
import { button, fill, h, say, words } from "./dom.js";
import { leftOf, Thinking } from "./thinking.js";
import { clockTime } from "./times.js";

const ENDS = [
  ["clean", "●"],
  ["mended", "◐"],
  ["repaired", "◆"],
  ["escalated", "▲"],
  ["fallback", "□"],
];

const MEANINGS = {
  clean: "clean was right at once", mended: "mended had only its form put right", repaired: "repaired was asked again",
  escalated: "escalated was asked of a larger model", fallback: "fallback was decided by a rule",
};

/** So many kinds of what is odd are named; the title has all. */
const MOST_ODD = 3;
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

function many(count, one, more) {
  return count === 1 ? one : more;
}

function objections({ outcomes: counts = {}, odd, odd_kinds: kinds = {} }) {
  const all = stepsOf(counts);
  if (!all || odd === undefined) return null;
  const named = Object.entries(kinds).sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${count} ${kind}`);
  const title = "The share of all steps whose answer was accepted although a check objects to it";
  return h("span", { class: "strip-figure strip-odd", title: named.length ? `${title}: ${named.join(", ")}` : title },
    h("b", {}, share(odd, all)), " objected to",
    named.length ? `: ${named.slice(0, MOST_ODD).join(", ")}` : null);
}

function stepsOf(counts) {
  return ENDS.reduce((sum, [name]) => sum + (counts[name] || 0), 0);
}

function outcomes(counts) {
  const all = stepsOf(counts);
  if (!all) return null;
  const there = ENDS.filter(([name]) => counts[name]);
  const parts = there.map(([name]) => {
    return h("i", { class: `end-${name}`, style: `flex-grow:${counts[name]}` });
  });
  const said = there.map(([name, shape]) => {
    return h("span", { class: `strip-end end-${name}` }, h("i", { "aria-hidden": "true" }, shape),
      ` ${share(counts[name], all)} ${name}`);
  });
  const bar = h("span", { class: "strip-bar", "aria-hidden": "true" }, parts);
  return h("span", { class: "strip-ends", title: `How the model's answers ended in ${all} steps: ${there.map(([name]) => MEANINGS[name]).join(", ")}` }, bar, said);
}

function busy({ in_flight: running = 0, slots }) {
  const title = running
    ? `The model is answering ${running} of at most ${slots} questions at once`
    : "The model has nothing to answer at the moment";
  return h("span", { class: "strip-figure", title }, "model ", running ? ["busy: ", h("b", {}, `${running} of ${slots}`)] : "idle");
}

function figures(pulse) {
  const speed = pulse.tokens_per_second;
  const cached = pulse.cached_share;
  return [
    outcomes(pulse.outcomes || {}),
    objections(pulse),
    pulse.slots ? busy(pulse) : null,
    pulse.waiting ? figure(pulse.waiting, many(pulse.waiting, "question waiting", "questions waiting"), "Questions that wait until the model has time for them") : null,
    speed ? figure(Math.round(speed), many(Math.round(speed), "token/s", "tokens/s"), "How fast the model writes") : null,
    cached === null || cached === undefined ? null
      : figure(share(cached, 1), "cached", "How much of the prompts the model's server still knew, and need not read again"),
    pulse.cuts ? figure(pulse.cuts, many(pulse.cuts, "prompt cut", "prompts cut"), "Prompts that were longer than the model can read, and were shortened") : null,
  ];
}

/** Return how far a run is: the town's hour, how much of it is lived, and the time that the rest takes. */
function reached(replay, pulse) {
  const hour = Math.floor(replay.until / HOUR) * HOUR;
  const done = Math.floor((100 * (replay.until - hour)) / HOUR);
  const left = replay.head.standin ? "" : leftOf(pulse.seconds_left) || "time left not known yet";
  return [
    h("span", { class: "strip-hour", title: `${done} % of the hour from ${clockTime(hour)} to ${clockTime(hour + HOUR)} has been lived` },
      `${clockTime(hour)}–${clockTime(hour + HOUR)}`,
      h("i", { class: "strip-meter", "aria-hidden": "true" }, h("i", { style: `width:${done}%` })), `${done} % lived`),
    left ? h("span", { class: "strip-left", title: "Estimated from the model calls to come, at the pace so far" }, left) : null,
  ];
}

/** Return who is how many ticks ahead of the last one, most first: [name, ticks]. */
export function ahead(done) {
  const ticks = Object.values(done || {});
  if (!ticks.length) return [];
  const last = Math.min(...ticks);
  return Object.entries(done)
    .map(([name, tick]) => [name, tick - last])
    .filter(([, more]) => more > 0)
    .sort((a, b) => b[1] - a[1]);
}

function aheadRows(rows, tick) {
  const most = rows[0][1];
  return rows.slice(0, 60).map(([name, more]) => {
    const width = Math.max(2, Math.round((100 * more) / most));
    return h("li", {}, words(name), h("span", {}, ` ${Math.round((more * tick) / 60)} min`),
      h("i", { style: `width:${width}%`, "aria-hidden": "true" }));
  });
}

/** Return what a run that nobody lives has to say of who thought in it. */
function thoughtBy({ head }) {
  if (head.standin) return "The built-in stand-in thinks here: rules, no model.";
  return head.models ? `${head.models} thinks here.` : "";
}

/** The strip below the header; it is one line high from the first picture on, whatever comes. */
export class Strip {
  constructor(replay, { company = () => "", isStarting = () => false, canLeave = () => false, leave = () => {} } = {}) {
    this.replay = replay;
    this.company = company;
    this.hasLived = false;
    this.isStarting = isStarting;
    this.canLeave = canLeave;
    this.thinking = new Thinking();
    this.hour = h("div", { class: "strip-figures" });
    this.figures = h("div", { class: "strip-figures" });
    this.farthest = h("summary", {});
    this.list = h("ul", {});
    this.ahead = h("details", { class: "strip-list strip-ahead", hidden: true }, this.farthest, this.list);
    this.ahead.addEventListener("toggle", () => this.show());
    this.said = h("div", { class: "strip-said", role: "status" });
    // Whoever is picked: the way out is always at hand.
    this.leave = button("Leave the town", leave, { class: "strip-leave", hidden: true });
    this.root = h("div", { class: "strip", role: "group", "aria-label": "Model", tabindex: "0" },
      this.leave, this.said, this.thinking.root, this.hour, this.figures, this.ahead);
    // What is known of a damaged run or of a recording may be long, and is there from the beginning.
    this.root.classList.toggle("is-wordy", Boolean(replay.head.about || replay.faults.length || this.waits));
    // Rules think in a blink: who does stands last, so that nothing else moves when they come and go.
    this.root.classList.toggle("is-quick", Boolean(replay.head.standin));
    this.lost = "";
    this.pulse = null;
    this.show();
  }

  /** Show what the run's owner says of itself; null when nobody lives it. */
  beat(pulse) {
    this.pulse = pulse;
    const waited = this.waits;
    this.hasLived ||= Boolean(pulse);
    // On a phone the map needs the lines that what has waited took.
    if (waited && !this.waits) this.root.classList.toggle("is-wordy", Boolean(this.replay.head.about || this.replay.faults.length));
    this.show();
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
    const { pulse } = this;
    const living = pulse && pulse.state !== "paused";
    this.thinking.show((living && pulse.thinking) || [], living ? pulse.in_flight || 0 : 0);
    fill(this.hour, pulse ? reached(this.replay, pulse) : null);
    fill(this.figures, pulse ? figures(this.replay.head.standin ? { ...pulse, slots: 0, tokens_per_second: 0 } : pulse) : null);
    this.spread(pulse ? ahead(pulse.done) : []);
    const said = this.sentences();
    // Only what differs is written, so that it is not read aloud with each beat.
    const text = said.join(" ");
    if (this.said.textContent !== text) {
      fill(this.said, said.map((one, i) => [i ? " " : "", h("span", {}, words(one))]));
    }
    this.said.hidden = !said.length;
    this.leave.hidden = !this.canLeave();
    this.said.classList.toggle("is-away", Boolean(this.lost));
  }

  sentences() {
    // What a recording that comes with the program is; nothing of a run of one's own.
    const said = this.replay.head.about ? [this.replay.head.about] : [];
    if (this.lost) said.push(LOST[this.lost]);
    if (this.company()) said.push(this.company());
    if (this.pulse && this.pulse.said) said.push(this.pulse.said);
    if (this.pulse && this.pulse.state === "paused") said.push("Paused: press Go on to continue.");
    const busy = this.pulse && (this.pulse.thinking || []).length;
    if (this.replay.watermark < 0 && !busy && !this.replay.faults.length) said.push("The town has not begun yet; its first moments are being thought.");
    const { waiting = [] } = this.replay.head;
    // Once it was lived on, what had waited has happened.
    if (waiting.length && !this.hasLived) {
      said.push(`${this.soon() || "It waits until you press Go on."} Then: ${waiting.join(" ")}`);
    } else if (this.isStarting()) said.push(this.soon());
    if (!this.pulse && !said.length && !this.replay.faults.length) said.push(thoughtBy(this.replay));
    return said.concat(this.replay.faults).filter(Boolean);
  }

  /** Say that the run goes on by itself, of the same state as the header; "" where somebody must let it. */
  soon() {
    if (this.replay.state === "running") return "The run goes on.";
    return this.isStarting() || this.replay.living ? "The run is about to go on." : "";
  }

  spread(rows) {
    this.ahead.hidden = !rows.length;
    if (!rows.length) return;
    const minutes = Math.round((rows[0][1] * this.replay.tick) / 60);
    say(this.farthest, `some people are ${minutes} min further on`);
    this.farthest.title = "Whom nobody can meet in that time need not wait for the others: who is further on in the day, and by how much";
    if (this.ahead.open) fill(this.list, aheadRows(rows, this.replay.tick));
  }
}
