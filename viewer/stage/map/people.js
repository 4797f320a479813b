// People on the screen: each look, pose and step is drawn once for a size and a light, then only copied.
import { asleep, seated, upright } from "./figures.js";
import { star } from "./heads.js";
import { picture } from "./lettering.js";
import { lookOf } from "./looks.js";

const SMALLEST = 22;
const LARGEST = 104;
/** How wide people are, as a share of how tall they are. */
export const WIDTH = 0.56;

/** Return how tall people are, in CSS pixels, where a tile is so wide. */
export function tallness(scale) {
  const tall = Math.min(LARGEST, Math.max(SMALLEST, scale * 1.5));
  return tall < 40 ? Math.round(tall / 2) * 2 : Math.round(tall / 4) * 4;
}

function figure(c, look, one) {
  if (one.facing === "right" && one.pose !== "asleep") c.scale(-1, 1);
  const view = one.facing === "right" ? "left" : one.facing;
  c.scale(look.small, look.small);
  if (one.pose === "asleep") asleep(c, look);
  else if (one.pose === "seated") seated(c, look, view);
  else upright(c, look, view, one.phase);
}

export class People {
  constructor(replay) {
    this.replay = replay;
    this.looks = [];
  }

  /** Return the look of a person; a changed cast is looked at again. */
  look(n) {
    const person = this.replay.people[n];
    const known = this.looks[n];
    if (known && known.person === person) return known.look;
    const look = lookOf(person);
    const name = [look.coat, person.look, person.visitor ? "v" : "", look.hair, look.small].join("/");
    this.looks[n] = { person, look, name };
    return look;
  }

  /** Return somebody's picture of so many device pixels in a light; `shade` is "" for plain day. */
  sprite(one, tall, shade) {
    const look = this.look(one.n);
    const { name } = this.looks[one.n];
    const key = `p|${name}|${one.pose}|${one.facing}|${one.phase}|${one.turn}|${tall}|${shade}`;
    const side = Math.ceil(tall * 1.3);
    return picture(key, side, side, (c) => {
      c.save();
      if (one.pose === "asleep") {
        c.translate(side / 2, side / 2);
        c.rotate((one.turn * Math.PI) / 2);
      } else c.translate(side / 2, side * 0.88);
      c.scale(tall, tall);
      figure(c, look, one);
      c.restore();
      if (shade) dim(c, side, shade);
    });
  }

  /** Return where somebody who stands at a point is on the screen: `{x, y, w, h}` in device pixels. */
  box(one, px, py, tall) {
    if (one.pose === "asleep") {
      const size = bedded(one, tall);
      return { x: px - size * 0.45, y: py - size * 0.5, w: size * 0.9, h: size };
    }
    const short = this.look(one.n).small;
    return { x: px - (tall * WIDTH) / 2, y: py - tall * short, w: tall * WIDTH, h: tall * short };
  }

  draw(c, one, px, py, tall, shade) {
    const lying = one.pose === "asleep";
    const image = this.sprite(one, lying ? bedded(one, tall) : tall, shade);
    c.drawImage(image, Math.round(px - image.width / 2), Math.round(py - image.height * (lying ? 0.5 : 0.88)));
  }
}

function bedded({ large }, tall) {
  return large ? Math.round((large * tall) / 1.5 / 2) * 2 : tall;
}

export function ring(c, px, py, tall, colour) {
  for (const [width, ink] of [[0.13, "#ffffff"], [0.07, colour]]) {
    c.beginPath();
    c.ellipse(px, py, tall * 0.36, tall * 0.15, 0, 0, Math.PI * 2);
    c.strokeStyle = ink;
    c.lineWidth = Math.max(2, tall * width);
    c.stroke();
  }
}

/** Draw a circle around somebody who is to be found from afar. */
export function beacon(c, { x, y, w, h }, dpr, colour) {
  c.beginPath();
  c.arc(x + w / 2, y + h / 2, Math.max(h * 0.78, 17 * dpr), 0, Math.PI * 2);
  c.globalAlpha = 0.2;
  c.fillStyle = colour;
  c.fill();
  c.globalAlpha = 1;
  for (const [width, ink] of [[4.5, "rgba(255,255,255,.95)"], [2.4, colour]]) {
    c.strokeStyle = ink;
    c.lineWidth = width * dpr;
    c.stroke();
  }
}

/** Draw the dashed line around somebody whose deed was given, not thought of. */
export function dashed(c, { x, y, w, h }, dpr, colour, dashes = [5, 3.5]) {
  c.save();
  const thin = Math.min(1, h / (44 * dpr));
  c.setLineDash(dashes.map((length) => length * dpr * thin));
  for (const [width, ink] of [[3.6 * thin, "rgba(255,255,255,.85)"], [1.9 * thin, colour]]) {
    c.beginPath();
    c.roundRect(x - 4 * dpr, y - 3 * dpr, w + 8 * dpr, h + 6 * dpr, w * 0.6);
    c.strokeStyle = ink;
    c.lineWidth = width * dpr;
    c.stroke();
  }
  c.restore();
}

export function visiting(c, px, py, tall) {
  const size = Math.max(8, tall * 0.3);
  const image = picture(`star|${Math.round(size)}`, size, size, (d, w) => {
    d.scale(w, w);
    star(d, 0.5, 0.52, 0.42);
  });
  c.drawImage(image, Math.round(px + tall * 0.2), Math.round(py - tall * 0.95));
}

function dim(c, side, shade) {
  const plain = new OffscreenCanvas(side, side);
  plain.getContext("2d").drawImage(c.canvas, 0, 0);
  c.globalCompositeOperation = "multiply";
  c.fillStyle = shade;
  c.fillRect(0, 0, side, side);
  c.globalCompositeOperation = "destination-in";
  c.drawImage(plain, 0, 0);
  c.globalCompositeOperation = "source-over";
}
