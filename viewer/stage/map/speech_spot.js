// Where a speech bubble lies: beside whoever speaks, over nobody who takes part, and wholly on the screen.

const COVERED = 40;
const SOFTLY = 0.6;
const MOVED = 0.12;

function shared(one, other) {
  const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function clamped(box, screen) {
  const into = (value, span, length) => Math.round(Math.min(Math.max(value, 4), Math.max(4, length - span - 4)));
  return { ...box, x: into(box.x, box.w, screen.w), y: into(box.y, box.h, screen.h) };
}

function places({ w, h }, speaker, partners, gap) {
  const middle = speaker.x + speaker.w / 2;
  const everybody = [speaker, ...partners];
  const top = Math.min(...everybody.map(({ y }) => y));
  const foot = Math.max(...everybody.map((box) => box.y + box.h));
  const asides = [0, -0.3, 0.3].map((share) => middle - w / 2 + share * w);
  const heights = [-0.2, -0.5, -0.8].map((share) => speaker.y + speaker.h / 2 + share * h);
  const near = (side, y) => asides.map((x) => ({ side, x, y, w, h }));
  return [
    ...near("above", speaker.y - h - gap),
    ...heights.map((y) => ({ side: "right", x: speaker.x + speaker.w + 2 * gap, y, w, h })),
    ...heights.map((y) => ({ side: "left", x: speaker.x - w - 2 * gap, y, w, h })),
    ...near("below", speaker.y + speaker.h + 2 * gap),
    // Where others stand close around, beyond all of them.
    ...near("above", top - h - gap),
    ...near("below", foot + 2 * gap),
  ];
}

/**
 * Return where a bubble of `size` `{w, h}` lies: `{x, y, w, h, side, place, hides}`. `speaker`, `partners` and `others` are boxes of
 * people, `bubbles` those that lie already; `last` is the `place` it had, which it keeps for as long as that is nearly as good.
 * `hides` says how much of those who talk, or of other bubbles, it covers.
 */
export function spotFor(size, { speaker, partners, others, bubbles, screen, gap, last = -1 }) {
  let best = null;
  places(size, speaker, partners, gap).forEach((wanted, place) => {
    const box = clamped(wanted, screen);
    const sum = (boxes) => boxes.reduce((total, each) => total + shared(box, each), 0);
    const hides = sum([speaker, ...partners, ...bubbles]);
    const far = Math.hypot(box.x - wanted.x, box.y - wanted.y);
    const cost = hides * COVERED + sum(others) * SOFTLY + far * gap + place * gap * gap;
    const worth = place === last ? cost * (1 - MOVED) - gap * gap : cost;
    if (!best || worth < best.worth) best = { ...box, place, hides, worth };
  });
  return best;
}
