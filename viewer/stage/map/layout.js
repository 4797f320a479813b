// Where labels and signs lie on the screen, so that none covers another.

const CELL = 64;
const WIDTH = 8192;
/** Pixels that a label which appears or moves leaves free around it; one that stays needs none. */
const GAP = 2;

/** Boxes `{x, y, w, h}` on a screen, found by where they lie. */
export class Boxes {
  constructor(boxes) {
    this.cells = new Map();
    for (const box of boxes) this.add(box);
  }

  add(box) {
    this.each(box, 0, (key) => {
      const those = this.cells.get(key);
      if (those) those.push(box);
      else this.cells.set(key, [box]);
      return false;
    });
  }

  /** Return whether a box, with a gap around it, touches one of these; those `of` the same owner do not count. */
  touch(box, gap, of = null) {
    return this.each(box, gap, (key) => {
      const those = this.cells.get(key);
      return those !== undefined && those.some((other) => {
        return (of === null || other.of !== of) && overlap(box, other, gap);
      });
    });
  }

  /** Call a function with each cell that a box lies in until it returns true; return whether it did. */
  each({ x, y, w, h }, gap, found) {
    const right = Math.floor((x + w + gap) / CELL);
    const bottom = Math.floor((y + h + gap) / CELL);
    for (let row = Math.floor((y - gap) / CELL); row <= bottom; row += 1) {
      for (let column = Math.floor((x - gap) / CELL); column <= right; column += 1) {
        if (found(row * WIDTH + column)) return true;
      }
    }
    return false;
  }
}

/** Return whether two boxes overlap, the one with a gap around it. */
export function overlap(one, other, gap = 0) {
  return one.x - gap < other.x + other.w && other.x < one.x + one.w + gap
    && one.y - gap < other.y + other.h && other.y < one.y + one.h + gap;
}

/** Return the numbers of spots in the order in which they are tried: by tier, in each the last one first. */
function order(spots, last) {
  const tier = (i) => spots[i].tier || 0;
  const first = (i) => (i === last ? 0 : 1);
  return spots.map((_, i) => i).sort((a, b) => tier(a) - tier(b) || first(a) - first(b) || a - b);
}

function spotOf({ spots, of = null, isShy, isSure }, last, taken, soft) {
  let second = -1;
  for (const i of order(spots, last)) {
    const spot = spots[i];
    if (second >= 0 && (spot.tier || 0) > (spots[second].tier || 0)) return second;
    if (spot.isOut || taken.touch(spot, i === last ? 0 : GAP)) continue;
    if (!soft.touch(spot, 0, of)) return i;
    if (isShy) continue;
    if (i === last) return i;
    if (second < 0) second = i;
  }
  if (second >= 0 || !isSure) return second;
  return last >= 0 ? last : 0;
}

/**
 * Return a spot for each candidate that has one: a Map from its key to the number of the spot.
 *
 * A candidate is `{key, rank, spots, of, isShy, isSure}`. Spots are boxes `{x, y, w, h, tier, isOut}`, the best first; those of
 * a higher tier are tried when none of a lower one is free, those that are out of the picture never. Low ranks choose first, within a rank those that come first.
 * Nothing covers a `fixed` box or another label. Only where there is no better spot does a label cover a `soft` box
 * (never where it `isShy`; those `of` the same owner do not count). One that `isSure` is shown even where it covers something.
 * `before` is the Map of the last picture: a label stays where it was for as long as that is free.
 */
export function layOut(candidates, { before = new Map(), fixed = [], soft = [] } = {}) {
  const found = new Map();
  const taken = new Boxes(fixed);
  const covered = new Boxes(soft);
  for (const candidate of [...candidates].sort((a, b) => a.rank - b.rank)) {
    const { key, spots } = candidate;
    const last = before.has(key) && before.get(key) < spots.length ? before.get(key) : -1;
    const spot = spotOf(candidate, last, taken, covered);
    if (spot < 0) continue;
    found.set(key, spot);
    taken.add(spots[spot]);
  }
  return found;
}
