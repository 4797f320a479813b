// Town words for what the replay tells in machine words.

const WHY = {
  new_day: "a new day",
  action_ended: "what was done is over",
  sight: "something new in sight",
  talk_ended: "a talk ended",
  inner_voice: "an inner voice",
  refused: "it could not be done",
  need: "a need was felt",
};

/** How a step can end: a shape and what it means, from good to bad. */
export const OUTCOMES = {
  clean: { shape: "●", means: "the model's answer was used as it was" },
  mended: { shape: "◐", means: "its form was wrong in a way that leaves no doubt, and was put right by code" },
  repaired: { shape: "◆", means: "the model was told what was wrong, and answered again" },
  escalated: { shape: "▲", means: "the stronger model answered in its place" },
  fallback: { shape: "□", means: "no answer could be used; a rule decided, and the town shows it" },
  odd: { shape: "◇", means: "an answer that was used, although a check says that it makes no sense" },
  failed: { shape: "✕", means: "the thought failed and left nothing behind" },
  "no model asked": { shape: "–", means: "no model was asked" },
};

/** Emoji of a memory's kind, and its name for many. */
export const KINDS = {
  event: { emoji: "👀", many: "events" },
  thought: { emoji: "💭", many: "thoughts" },
  talk: { emoji: "💬", many: "talks" },
  dream: { emoji: "🌙", many: "dreams" },
};

export function many(count, one, more = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
}

/** Return why a thought was thought, in words: `an inner voice ×3`. */
export function because(stimuli) {
  const counts = new Map();
  for (const each of stimuli) counts.set(each, (counts.get(each) || 0) + 1);
  const told = [...counts].map(([each, count]) => {
    return (WHY[each] || each.replaceAll("_", " ")) + (count > 1 ? ` ×${count}` : "");
  });
  return told.join(", ");
}

export function stepWords({ head }, name) {
  return head.steps?.[name] || name.replaceAll("_", " ");
}

/** Return an address's parts from the nearest: `kitchen, Fern Cottage`. */
export function placeWords(address) {
  return (address || "").split(": ").filter(Boolean).reverse().join(", ");
}

/** Return an activity as what follows a name, without its full stop. */
export function told(activity) {
  const first = activity.split(" ", 1)[0];
  return first.endsWith("ing") ? ` is ${activity}` : `: ${activity}`;
}

const STRANGER = { name: "Somebody", short: "Somebody", initials: "?", colour: "#777777" };

export function personOf(replay, n) {
  return replay.people[n] || STRANGER;
}

export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
