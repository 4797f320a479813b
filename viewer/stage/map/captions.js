// Names and signs of people, things and places: which there are in a picture, and where each of them lies.
import { emojiBubble, nameTag, snooze, thoughtBubble } from "./bubbles.js";
import { layOut, overlap } from "./layout.js";
import { tame } from "./lettering.js";
import { badges } from "./states.js";

const RANKS = { marked: 0, talking: 1, active: 2, asleep: 3, thing: 4, place: 6 };
/** So many people are all named from afar; once they are, a few more as well, so that names do not come and go. */
const NAMED = 12;
const STILL_NAMED = 15;
/** So many more have initials from afar. */
const INITIALED = 40;
const INITIALS_FROM = 17;
const NAMES_FROM = 30;
const DENSE = 80;
const NAME = 24;

/** Return who people are for a layout: the lower, the more they are to be seen. */
function rankOf({ one, mark }, isThinking) {
  if (mark) return RANKS.marked;
  if (one.talk || isThinking) return RANKS.talking;
  return one.pose === "asleep" ? RANKS.asleep : RANKS.active;
}

/** What is written on a map; keeps where it lay, so that it stays there. */
export class Captions {
  constructor(replay) {
    this.replay = replay;
    this.before = new Map();
    this.isNamed = false;
  }

  /**
   * Return what is written in a picture, in the order in which it is drawn, what matters most at the end:
   * `{key, image, x, y, w, h, alpha, n, text, isLow}`. `n` is whose name it is and `text` the name; what `isLow` lies below people.
   * `bubbles` are the boxes of speech.
   */
  lay(figures, bubbles, { map, scene }) {
    const { view, wide, high, dpr, light } = scene;
    const { chosen } = map;
    const thing = chosen && chosen.kind === "object" ? chosen.n ?? chosen.index : null;
    this.isNamed = figures.length <= (this.isNamed ? STILL_NAMED : NAMED);
    const isDense = figures.length > DENSE;
    this.speakers = map.speech.speakers();
    const candidates = figures.flatMap((figure) => this.person(figure, figures, { map, scene }));
    for (const each of badges(scene.things, view, wide, high, dpr, thing)) {
      candidates.push({ ...each, rank: each.isSure ? RANKS.marked : RANKS.thing + each.order });
    }
    for (const each of map.labels.seen(view, wide, high, dpr, light.dark)) {
      candidates.push({ ...each, rank: RANKS.place + each.order, isShy: !isDense, isLow: true });
    }
    const soft = figures.map(({ n, x, y, w, h }) => ({ of: n, x, y, w, h }));
    this.before = layOut(candidates, { before: this.before, fixed: bubbles, soft });
    const shown = candidates.filter(({ key }) => this.before.has(key)).sort((a, b) => b.rank - a.rank);
    return shown.map((each) => {
      const spot = each.spots[this.before.get(each.key)];
      const { image = each.image, text, x, y, w, h } = spot;
      const { key, alpha = 1, name: n, isLow } = each;
      return { key, image, x, y, w, h, alpha, n, text, isLow };
    });
  }

  person(figure, figures, { map, scene }) {
    const { n } = figure;
    const isThinking = map.thinkers.who.has(n);
    const rank = rankOf(figure, isThinking);
    const sign = this.speakers.has(n) ? null : this.sign(figure, isThinking, { map, scene });
    const names = this.names(figure, figures.length, scene, sign ? sign.image.height : 0);
    const found = [];
    if (sign) found.push({ key: `sign ${n}`, of: n, rank, ...sign });
    // A name has more spots to go to than a sign.
    const isSure = Boolean(figure.mark);
    if (names.length) found.push({ key: `name ${n}`, name: n, of: n, rank: rank + 0.5, isSure, spots: names });
    const near = figures.filter((other) => other !== figure && isClose(other, figure, names));
    for (const spot of names) spot.isOut = near.some((other) => apart(spot, other) <= apart(spot, figure));
    for (const { spots } of found) {
      for (const box of spots) box.isOut ||= box.x < 0 || box.y < 0 || box.x + box.w > scene.wide || box.y + box.h > scene.high;
    }
    return found;
  }

  sign({ one, px, y, h, n }, isThinking, { map, scene }) {
    const { dpr, tall, at } = scene;
    const size = Math.round(Math.min(30, Math.max(15, (tall / dpr) * 0.5)) * dpr);
    if (one.pose === "asleep" && !isThinking) {
      const image = snooze(Math.round(size * 0.62), Math.floor(at / 15) % 3);
      const [w, down] = [image.width, y - image.height * 0.55];
      return { image, spots: [px + tall * 0.12, px - tall * 0.12 - w].map((x) => ({ x, y: down, w, h: image.height })) };
    }
    if (!isThinking && !one.deed?.emoji) return null;
    const image = isThinking
      ? thoughtBubble(size, map.thinkers.phase)
      : emojiBubble(one.deed.emoji, size, one.deed.fallback, one.deed.odd);
    const [w, top] = [image.width, y - image.height + h * 0.02];
    const places = [[0, top], [0.55, top], [-0.55, top], [1, y - h * 0.25], [-1, y - h * 0.25], [1, y], [-1, y]];
    return { image, spots: places.map(([aside, down]) => ({ x: px + (aside - 0.5) * w, y: down, w, h: image.height })) };
  }

  /** Return the spots of somebody's name: in full where there are few, from near, or where one looks for it; else initials. */
  names(figure, count, scene, above) {
    const { one, mark, n } = figure;
    const { dpr, view } = scene;
    const scale = view.scale / dpr;
    const isFull = mark || one.talk || this.isNamed || scale >= NAMES_FROM;
    const person = this.replay.people[n];
    const texts = isFull ? [person.short] : [];
    if (!mark && (isFull || scale >= INITIALS_FROM || count <= INITIALED)) texts.push(person.initials);
    const size = Math.round(Math.min(13, Math.max(10, 8.5 + scale / 12)) * dpr);
    const colour = mark ? scene.marks[mark] : person.colour;
    return texts.flatMap((text, tier) => {
      const name = tame(text, NAME);
      if (!name) return [];
      const image = nameTag(name, size, colour, Boolean(mark));
      return around(figure, image, scene, above).map((spot) => ({ ...spot, image, tier, text: name }));
    });
  }
}

/** Return how far the middle of a name is from somebody's body, in pixels. */
function apart({ x, y, w, h }, body) {
  const beyond = (at, from, length) => Math.max(from - at, 0, at - from - length);
  return Math.hypot(beyond(x + w / 2, body.x, body.w), beyond(y + h / 2, body.y, body.h));
}

/** Return whether somebody stands so close that a name may be taken for theirs. */
function isClose(other, { x, y, w, h }, names) {
  return names.length > 0 && overlap(other, { x, y, w, h }, names[0].w + names[0].h + h);
}

function around({ one, px, py, x, y, w, h }, image, { tall, wide, dpr }, above) {
  const size = { w: image.width, h: image.height };
  const low = py + tall * (one.pose === "asleep" ? 0.4 : 0.06);
  const side = y + h * 0.62 - size.h / 2;
  const into = (left) => Math.min(Math.max(left, 1), Math.max(1, wide - size.w - 1));
  return [
    [px - size.w / 2, low], [x + w + dpr, side], [x - size.w - dpr, side], [px - size.w / 2, y - above - size.h],
    [px, low], [px - size.w, low], [px - size.w / 2, low + size.h],
  ].map(([left, top]) => ({ x: Math.round(into(left)), y: Math.round(top), ...size }));
}
