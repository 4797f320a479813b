// Town time in words: seconds from 00:00 of day 1 of a run that begins on a date.

const WEEK = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December",
];
export const DAY = 86400;

const two = (number) => String(number).padStart(2, "0");

function dateOf(start, day) {
  const [year, month, date] = start.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, date + day - 1));
}

/** Return the day, from 1, of a town second. */
export function dayOf(at) {
  return Math.floor(at / DAY) + 1;
}

/** Return the clock of a town second, "14:30". */
export function clockTime(at) {
  const second = Math.floor(at) % DAY;
  return `${two(Math.floor(second / 3600))}:${two(Math.floor((second % 3600) / 60))}`;
}

/** Return the date of a town day, "Tuesday 7 May". */
export function dateWords(start, day) {
  const date = dateOf(start, day);
  return `${WEEK[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** Return the date of a town day in few letters, "Tue 7". */
export function dateShort(start, day) {
  const date = dateOf(start, day);
  return `${WEEK[date.getUTCDay()].slice(0, 3)} ${date.getUTCDate()}`;
}

/** Return date and clock, "Tuesday 7 May, 14:30". */
export function longTime(start, at) {
  return `${dateWords(start, dayOf(at))}, ${clockTime(at)}`;
}

/** Return a town second as an address has it, "2-14:30" or "2-14:30:20". */
export function moment(at) {
  const seconds = Math.floor(at) % 60;
  return `${dayOf(at)}-${clockTime(at)}${seconds ? `:${two(seconds)}` : ""}`;
}

/** Return the town second of "2-14:30" ("2 14:30" too), or null where the text is no such moment. */
export function readMoment(text) {
  const found = /^\s*(\d{1,4})[-\s+](\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/.exec(text || "");
  if (!found) return null;
  const [day, hour, minute, second] = found.slice(1).map((part) => Number(part || 0));
  if (day < 1 || hour > 24 || minute > 59 || second > 59) return null;
  return (day - 1) * DAY + hour * 3600 + minute * 60 + second;
}
