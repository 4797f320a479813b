// Town time in words: seconds from 00:00 of day 1 of a run that begins on a date.

export const DAY = 86400;

const two = (number) => String(number).padStart(2, "0");
const NAMES = Object.fromEntries(["weekday", "month"].map((part) => [part,
  new Intl.DateTimeFormat("en", { [part]: "long", timeZone: "UTC" })]));
const dates = new Map();

/** Return the weekday, day and month of a town day, ["Tuesday", 7, "May"]. */
function dateOf(start, day) {
  const key = `${start} ${day}`;
  if (!dates.has(key)) {
    const date = new Date(Date.parse(start) + (day - 1) * DAY * 1000);
    dates.set(key, [NAMES.weekday.format(date), date.getUTCDate(), NAMES.month.format(date)]);
  }
  return dates.get(key);
}

export function dayOf(at) {
  return Math.floor(at / DAY) + 1;
}

export function startOf(day) {
  return (day - 1) * DAY;
}

export function clockTime(at) {
  const second = Math.floor(at) % DAY;
  return `${two(Math.floor(second / 3600))}:${two(Math.floor((second % 3600) / 60))}`;
}

/** Return the clock of a minute of the day; the last one reads "24:00". */
export function minuteOf(minute) {
  return minute === 1440 ? "24:00" : clockTime(minute * 60);
}

export function dateWords(start, day) {
  return dateOf(start, day).join(" ");
}

/** Return the date of a town day in few letters, "Tue 7". */
export function dateShort(start, day) {
  const [weekday, number] = dateOf(start, day);
  return `${weekday.slice(0, 3)} ${number}`;
}

/** Return date and clock, "Tuesday 7 May, 14:30". */
export function longTime(start, at) {
  return `${dateWords(start, dayOf(at))}, ${clockTime(at)}`;
}

/** Return the clock, after the short date where it is of another day than `now`. */
export function briefly(start, at, now) {
  return dayOf(at) === dayOf(now) ? clockTime(at) : `${dateShort(start, dayOf(at))}, ${clockTime(at)}`;
}

/** Return a duration in words: "38 s", "25 min", "2 h 5 min". */
export function lasting(seconds) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 100) return `${Math.max(0, Math.round(seconds))} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}

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
  return startOf(day) + hour * 3600 + minute * 60 + second;
}
