// Speech bubbles: the present line of each talk, on the screen, and few at a time.
import { cardOf, drawTail } from "./speech_card.js";
import { spotFor } from "./speech_spot.js";

const MOST = 5;
const HIGHEST = 0.55;
const FADE = 260;
const LEAVE = 320;

export class Speech {
  constructor(replay, { reducedMotion = false } = {}) {
    this.replay = replay;
    this.reducedMotion = reducedMotion;
    this.up = new Map();
  }

  /** Whether a bubble is just coming or going. */
  get isRestless() {
    return !this.reducedMotion && [...this.up.values()].some(({ opacity }) => opacity < 1);
  }

  speakers() {
    return new Set([...this.up.values()].map(({ line }) => line.n));
  }

  /** Take in who says what now. `figures` tells where people are; the nearest to the middle come first. */
  heed(at, realNow, figures, { wide, high }) {
    const said = [];
    for (const talk of this.replay.talksAt(at)) {
      const line = this.replay.lineAt(talk, at);
      const box = line && figures.get(line.n);
      if (!box || box.px < 0 || box.y < 0 || box.px > wide || box.y > high) continue;
      said.push({ talk, line, far: Math.hypot(box.px - wide / 2, box.y - high / 2) });
    }
    said.sort((a, b) => a.far - b.far);
    const now = new Map(said.slice(0, MOST).map((each) => [each.talk.id, each]));
    for (const [id, { talk, line }] of now) {
      const old = this.up.get(id);
      if (!old || old.line !== line) this.up.set(id, { talk, line, since: realNow, left: null, place: old?.place });
      this.up.get(id).left = null;
    }
    for (const [id, bubble] of this.up) {
      if (!now.has(id)) bubble.left ??= realNow;
      bubble.opacity = this.opacity(bubble, realNow);
      if (bubble.opacity <= 0 && bubble.left !== null) this.up.delete(id);
    }
  }

  opacity({ since, left }, realNow) {
    if (this.reducedMotion) return left === null ? 1 : 0;
    if (left !== null) return Math.max(0, 1 - (realNow - left) / LEAVE);
    return Math.min(1, (realNow - since) / FADE);
  }

  /** Find a spot for every bubble: over nobody who takes part in the talk and over no other bubble. */
  lay(figures, screen, dpr) {
    const laid = [];
    for (const bubble of this.up.values()) {
      const speaker = figures.get(bubble.line.n);
      bubble.box = null;
      if (!speaker) continue;
      const partners = bubble.talk.who.filter((n) => n !== bubble.line.n && figures.has(n)).map((n) => figures.get(n));
      const mine = new Set([speaker, ...partners]);
      const others = [...figures.values()].filter((each) => !mine.has(each));
      const around = { speaker, partners, others, bubbles: laid, screen, gap: 5 * dpr, last: bubble.place };
      this.settle(bubble, speaker, around, dpr);
      if (bubble.left === null) laid.push(bubble.box);
    }
    return laid;
  }

  /** Lay a bubble with its whole line; where that would hide somebody or too much of the map, with its beginning. */
  settle(bubble, speaker, around, dpr) {
    const { screen } = around;
    for (const isShort of bubble.isShort ? [true] : [false, true]) {
      const card = this.card(bubble, speaker.colour, screen.w, dpr, isShort);
      const { width: w, height: h } = card.image;
      const box = spotFor({ w, h }, around);
      if (bubble.box && bubble.box.hides <= box.hides && bubble.box.h <= screen.h * HIGHEST) return;
      Object.assign(bubble, { ...card, box, place: box.place, isShort });
      if (!box.hides && h <= screen.h * HIGHEST) return;
    }
  }

  card(bubble, colour, wide, dpr, isShort) {
    const key = [colour, wide, dpr, isShort].join();
    bubble.cards ||= new Map();
    if (!bubble.cards.has(key)) bubble.cards.set(key, cardOf(bubble.line, colour, wide, dpr, isShort));
    return bubble.cards.get(key);
  }

  /** Return the bubbles that can be read: `{x, y, w, h, talk, line, isCut}`. */
  shown() {
    return [...this.up.values()].filter(({ box, left }) => box && left === null)
      .map(({ box: { x, y, w, h }, talk, line, isCut }) => ({ x, y, w, h, talk, line, isCut }));
  }

  draw(c, figures, dpr) {
    for (const { line, box, image, opacity } of this.up.values()) {
      if (!box) continue;
      const speaker = figures.get(line.n);
      c.globalAlpha = opacity;
      c.drawImage(image, box.x, box.y);
      drawTail(c, box, speaker, dpr, speaker.colour);
    }
    c.globalAlpha = 1;
  }
}
