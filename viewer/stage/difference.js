// Where two runs part: the first thing done or said in one of them and not in the other.

function doings(film, n) {
  const deeds = film.deeds(n).map((deed) => {
    return { at: deed.tick * film.tick, what: `${deed.kind} ${deed.activity} ${deed.place} ${deed.start} ${deed.end}`, text: deed.activity };
  });
  const lines = film.talksOf(n).flatMap((talk) => {
    return talk.lines.filter((line) => line.n === n).map((line) => ({ at: line.at, what: line.text, text: line.text }));
  });
  return deeds.concat(lines).sort((a, b) => a.at - b.at);
}

function part(one, other, known) {
  const rows = Math.max(one.length, other.length);
  for (let i = 0; i < rows; i += 1) {
    const [a, b] = [one[i], other[i]];
    if (a && b && a.at === b.at && a.what === b.what) continue;
    const first = !b || (a && a.at <= b.at) ? a : b;
    return first.at < known ? first : null;
  }
  return null;
}

/** Return {at, text} of the first difference both runs are known to, or null. */
export function firstDifference(a, b) {
  const known = Math.min(a.until, b.until);
  const names = new Set([...a.people, ...b.people].map(({ name }) => name));
  let found = null;
  for (const name of names) {
    const [n, m] = [a, b].map((film) => film.people.findIndex((person) => person.name === name));
    const differs = part(n < 0 ? [] : doings(a, n), m < 0 ? [] : doings(b, m), known);
    if (differs && (!found || differs.at < found.at)) found = { at: differs.at, text: `${name}: ${differs.text}` };
  }
  return found;
}
