// Pictures of marks on the seek bar: a shape and a colour for each kind, so that neither is needed alone.

/** The kinds of marks: their lane from above, what they are called, and what the help says of them. */
export const KINDS = {
  talk: { lane: 0, name: "a talk", colour: "--good", many: "people talked" },
  insight: { lane: 1, name: "a reflection", colour: "--accent", many: "somebody reflected" },
  operator: { lane: 2, name: "something from outside", colour: "--focus", many: "an operator took part" },
  town: { lane: 2, name: "something in town", colour: "--focus", many: "something happened in town" },
  nowhere: { lane: 3, name: "done where they stood, as no place was found", colour: "--fair", many: "the model found no place for it" },
  odd: { lane: 3, name: "an odd answer", colour: "--fair", many: "an answer was accepted and makes no sense" },
  fallback: { lane: 3, name: "decided by a fallback", colour: "--bad", many: "no answer of the model decided it" },
  failure: { lane: 3, name: "a thought that failed", colour: "--bad", many: "a thought failed and left nothing behind" },
};

/** How many lanes there are. */
export const LANES = 1 + Math.max(...Object.values(KINDS).map(({ lane }) => lane));

const SHAPES = {
  talk: (pen, x, y, r) => {
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.fill();
  },
  insight: (pen, x, y, r) => {
    polygon(pen, [[x, y - r * 1.2], [x + r * 1.2, y], [x, y + r * 1.2], [x - r * 1.2, y]]);
    pen.fill();
  },
  operator: (pen, x, y, r) => {
    polygon(pen, [[x, y - r * 1.1], [x + r * 1.2, y + r], [x - r * 1.2, y + r]]);
    pen.fill();
  },
  town: (pen, x, y, r) => {
    polygon(pen, [[x - r * 1.1, y - r * 0.9], [x + r * 1.1, y - r * 0.9], [x, y + r]]);
    pen.stroke();
  },
  fallback: (pen, x, y, r) => {
    pen.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
    pen.stroke();
  },
  nowhere: (pen, x, y, r) => {
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.stroke();
  },
  odd: (pen, x, y, r) => {
    polygon(pen, [[x, y - r * 1.2], [x + r * 1.2, y], [x, y + r * 1.2], [x - r * 1.2, y]]);
    pen.stroke();
  },
  failure: (pen, x, y, r) => {
    for (const way of [1, -1]) {
      pen.moveTo(x - r, y - r * way);
      pen.lineTo(x + r, y + r * way);
    }
    pen.stroke();
  },
};

function polygon(pen, points) {
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

export function drawMark(pen, kind, x, y, radius, colours) {
  pen.fillStyle = colours(KINDS[kind].colour);
  pen.strokeStyle = pen.fillStyle;
  pen.lineWidth = 1.4;
  pen.beginPath();
  SHAPES[kind](pen, x, y, radius);
}

/** Return how many marks of each kind fall into each stretch of `wide` pixels: kind → Map from stretch to count. */
export function bins(marks, xOf, wide) {
  const found = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, new Map()]));
  for (const { at, kind } of marks) {
    const bin = Math.floor(xOf(at) / wide);
    found[kind].set(bin, (found[kind].get(bin) || 0) + 1);
  }
  return found;
}
