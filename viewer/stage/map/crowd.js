// Who is where at a moment: their place on the map, the way they face, and whether they stand, walk, sit or sleep.

const ASLEEP = /\b(asleep|sleep|sleeps|sleeping|napping|nap)\b/i;
const SLEEP_SIGNS = new Set(["💤", "😴", "🛌", "🛏️", "🛏"]);
const SEATS = new Set(["sofa", "armchair", "chair", "bench", "toilet", "desk", "piano", "computer", "game", "table"]);
const APART = 0.44;
const FARTHEST = 0.8;
const EASE = 160;
/** How much of their own width those who stand close have between their middles, and how far from their tile they go for it. */
const CLEAR = 0.85;
const ASIDE = 1;
const ROUNDS = 4;

function wayOf(dx, dy) {
  if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? "left" : "right";
  return dy < 0 ? "up" : "down";
}

export function sleeps(deed) {
  return Boolean(deed) && (deed.kind === "sleep" || SLEEP_SIGNS.has(deed.emoji) || ASLEEP.test(deed.activity || ""));
}

/**
 * Move goals beside each other, left and right, until nobody hides another or has gone as far as anybody may. Each of
 * `goals` is `{ n, x, y, home }`; equal places part by the numbers of the people.
 */
function part(goals, width) {
  const clear = width * CLEAR;
  const pairs = closePairs(goals, clear, width);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [one, other] of pairs) {
      const across = other.x - one.x;
      const missing = clear - Math.abs(across);
      if (missing <= 0) continue;
      const step = across > -0.01 ? missing / 2 : -missing / 2;
      one.x = Math.min(one.home + ASIDE, Math.max(one.home - ASIDE, one.x - step));
      other.x = Math.min(other.home + ASIDE, Math.max(other.home - ASIDE, other.x + step));
    }
  }
}

/** Return the pairs of whom one may hide the other: those less than `high` tiles in front of each other. */
function closePairs(goals, clear, high) {
  const pairs = [];
  const reach = Math.min(clear + 2 * ASIDE, 2 * clear);
  goals.sort((a, b) => a.home - b.home || a.n - b.n);
  goals.forEach((one, i) => {
    for (let j = i + 1; j < goals.length && goals[j].home - one.home < reach; j += 1) {
      if (Math.abs(goals[j].y - one.y) < high) pairs.push([one, goals[j]]);
    }
  });
  return pairs;
}

/**
 * Those on one tile stand around its middle, and who would hide another is drawn a little aside; the way there is eased, so
 * that nobody jumps.
 */
export class Crowd {
  constructor(replay, town, furniture, { reducedMotion = false } = {}) {
    this.replay = replay;
    this.town = town;
    this.furniture = furniture;
    this.reducedMotion = reducedMotion;
    this.aside = new Map();
    this.before = 0;
    this.restless = false;
  }

  /** Return everybody who is in town at a time, those farther up first; `width` is how many tiles wide they are drawn. */
  at(at, realNow, width = 0) {
    const found = [];
    const tiles = new Map();
    this.replay.people.forEach((_, n) => {
      const place = this.replay.position(n, at);
      if (!place) return;
      const one = this.one(n, place, at);
      found.push(one);
      const tile = `${Math.round(place.x)},${Math.round(place.y)}`;
      if (one.pose === "asleep") return;
      if (!tiles.has(tile)) tiles.set(tile, []);
      tiles.get(tile).push(one);
    });
    this.spread(tiles, realNow, width);
    this.meet(found, at);
    return found.sort((a, b) => a.y - b.y || a.n - b.n);
  }

  one(n, place, at) {
    const deed = this.replay.deed(n, at);
    const facing = place.dx || place.dy ? wayOf(place.dx, place.dy) : "down";
    const still = { pose: "upright", phase: 0, turn: 0, talk: null };
    const one = { n, deed, x: place.x + 0.5, y: place.y + 0.72, facing, ...still };
    if (place.walking) {
      one.phase = Math.floor((place.x + place.y + 1000) * 2) & 3;
      one.pose = "walking";
      return one;
    }
    const thing = this.thingAt(place);
    if (sleeps(deed)) this.lay(one, thing, place);
    else if (thing && SEATS.has(thing.icon) && deed && !deed.refused) {
      one.pose = "seated";
      if (one.facing === "up") one.facing = "down";
    } else if (thing && !SEATS.has(thing.icon)) one.facing = "up";
    return one;
  }

  thingAt({ x, y }) {
    const { object } = this.town.placeAt(Math.round(x), Math.round(y));
    return object < 0 ? null : this.furniture[object];
  }

  lay(one, thing, place) {
    one.pose = "asleep";
    one.y = place.y + 0.5;
    if (!thing || thing.icon !== "bed") return;
    const { x, y, w, h, turn } = thing;
    one.turn = turn;
    const along = turn & 1 ? w : h;
    one.large = Math.min(1.35, along * 0.62);
    if (turn & 1) one.x = x + w / 2;
    else one.y = y + h / 2;
    if (along > 1.5) return;
    one.x = x + w / 2;
    one.y = y + h / 2;
  }

  /** Those who talk turn to each other. */
  meet(found, at) {
    const by = new Map(found.map((one) => [one.n, one]));
    for (const talk of this.replay.talksAt(at)) {
      const here = talk.who.map((n) => by.get(n)).filter(Boolean);
      for (const one of here) {
        one.talk = talk;
        const others = here.filter((other) => other !== one);
        if (!others.length || one.pose !== "upright") continue;
        const dx = others.reduce((sum, other) => sum + other.x, 0) / others.length - one.x;
        const dy = others.reduce((sum, other) => sum + other.y, 0) / others.length - one.y;
        const side = here.indexOf(one) & 1 ? "left" : "right";
        one.facing = Math.abs(dx) < 0.05 && Math.abs(dy) < 0.05 ? side : wayOf(dx * 1.3, dy);
      }
    }
  }

  spread(tiles, realNow, width) {
    const share = this.reducedMotion ? 1 : 1 - Math.exp(-Math.min(100, Math.max(0, realNow - this.before)) / EASE);
    this.before = realNow;
    this.restless = false;
    const goals = [...tiles.values()].flatMap((group) => this.around(group, width));
    // Who walks by is on the way: nobody steps aside for them.
    part(goals.filter(({ one }) => one.pose !== "walking"), width);
    for (const { one, x, y } of goals) this.step(one, [x - one.x, y - one.y], share);
  }

  /** Return where those on one tile are to be drawn: beside each other, as far as the size allows in which they are drawn. */
  around(group, width) {
    const count = group.length;
    const ring = count < 2 ? 0 : Math.max(Math.min(0.62, APART * (0.7 + count * 0.09)), Math.min(FARTHEST, width / 2));
    return group.map((one, i) => {
      const turn = count === 2 ? i * Math.PI : (i / count) * Math.PI * 2 - Math.PI / 2;
      return { one, n: one.n, home: one.x, x: one.x + Math.cos(turn) * ring, y: one.y + Math.sin(turn) * ring * 0.6 };
    });
  }

  step(one, [gx, gy], share) {
    const old = this.aside.get(one.n);
    const next = old ? [old[0] + (gx - old[0]) * share, old[1] + (gy - old[1]) * share] : [gx, gy];
    if (Math.hypot(gx - next[0], gy - next[1]) > 0.01) this.restless = true;
    else [next[0], next[1]] = [gx, gy];
    this.aside.set(one.n, next);
    one.x += next[0];
    one.y += next[1];
  }
}
