// The words of notes: what the replay tells beyond deeds and talks, by the kinds that `viewer/playback/notes.py` knows.

/** Of each kind the group in the feed, an emoji, and what stands before its text; `loud` is said aloud. */
export const NOTES = {
  insight: { group: "thought", emoji: "💡", verb: "reflects: ", quoted: true, loud: true },
  keeps: { group: "thought", emoji: "📝", verb: "keeps in mind: ", quoted: true },
  thought: { group: "thought", emoji: "💭", verb: "thinks: ", quoted: true },
  dream: { group: "thought", emoji: "🌙", verb: "dreams: ", quoted: true },
  plan: { group: "thought", emoji: "🗓️", verb: "plans the day: " },
  whisper: { group: "outside", emoji: "🗣️", verb: "hears an inner voice: ", quoted: true, loud: true },
  past: { group: "outside", emoji: "🗣️", verb: "is told of the past: ", quoted: true },
  object: { group: "outside", emoji: "🔧", verb: "From outside: ", loud: true },
  announcement: { group: "outside", emoji: "📣", verb: "Announced to all: ", quoted: true, loud: true },
  visit: { group: "outside", emoji: "🚪", verb: "comes to town: ", loud: true },
  call: { group: "outside", emoji: "☎️", verb: "calls from outside: ", loud: true },
  leaves: { group: "outside", emoji: "🚪", verb: "", loud: true },
  reembedded: { group: "outside", emoji: "🧭", verb: "" },
  templates: { group: "outside", emoji: "✏️", verb: "" },
  fork: { group: "outside", emoji: "🔀", verb: "" },
  weather: { group: "town", emoji: "🌤️", verb: "" },
  news: { group: "town", emoji: "🗞️", verb: "", loud: true },
  closing: { group: "town", emoji: "🚪", verb: "", loud: true },
  market: { group: "town", emoji: "🎪", verb: "", loud: true },
  "power cut": { group: "town", emoji: "🔦", verb: "" },
  letter: { group: "town", emoji: "✉️", verb: "gets a letter: " },
  notice: { group: "town", emoji: "📌", verb: "" },
  failure: { group: "trouble", emoji: "⚠️", verb: "could not think: ", loud: true },
  repaired: { group: "trouble", emoji: "🩹", verb: "answered after a repair: ", steps: true },
  escalated: { group: "trouble", emoji: "🩹", verb: "was answered by the strong model: ", steps: true },
  fallback: { group: "trouble", emoji: "🧩", verb: "had no usable answer, a fallback decided: ", steps: true },
};

/** Return what stands between a name and the text of a note; "comes to town." where there is no text. */
export function noteVerb({ kind, text }) {
  const { verb = "" } = NOTES[kind] || {};
  return text ? verb : verb.replace(/: $/, ".");
}
