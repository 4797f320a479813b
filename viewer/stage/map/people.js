// People on the screen: each look, pose and step is drawn once for a size and a light, then only copied.
import { asleep, seated, upright } from "./figures.js";
import { star } from "./heads.js";
import { picture, tame, written } from "./lettering.js";
import { lookOf } from "./looks.js";

const SMALLEST = 22;
const LARGEST = 104;
const NAMES_FROM = 17;
const FULL_FROM = 30;

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

/** The figures of a film's people. */
export class People {
  constructor(film) {
    this.film = film;
    this.looks = [];
  }

  /** Return the look of a person; a changed cast is looked at again. */
  look(n) {
    const person = this.film.people[n];
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

  /** Draw one person; returns where they are on the screen: `{x, y, w, h}` in device pixels. */
  draw(c, one, px, py, tall, shade) {
    const lying = one.pose === "asleep";
    const size = lying && one.large ? Math.round((one.large * tall) / 1.5 / 2) * 2 : tall;
    const image = this.sprite(one, size, shade);
    const left = Math.round(px - image.width / 2);
    const top = Math.round(py - image.height * (lying ? 0.5 : 0.88));
    c.drawImage(image, left, top);
    const short = this.look(one.n).small;
    if (lying) return { x: px - size * 0.45, y: py - size * 0.5, w: size * 0.9, h: size };
    return { x: px - size * 0.28, y: py - size * short, w: size * 0.56, h: size * short };
  }

  /** Draw the name below a person where `taken` has room for it: initials from afar, the short name from nearer. */
  name(c, { one, px, chosen }, py, scale, { dpr, colours, taken }) {
    if (scale < NAMES_FROM && !chosen) return;
    const person = this.film.people[one.n];
    const text = tame(scale < FULL_FROM && !chosen ? person.initials : person.short, 24);
    if (!text) return;
    const image = written(text, { weight: 700, size: Math.round(Math.min(13, 8.5 + scale / 12) * dpr), ...colours });
    const [w, h] = [image.width, image.height * 0.62];
    const free = (x, y) => taken.every((box) => x >= box[0] + box[2] || box[0] >= x + w || y >= box[1] + box[3] || box[1] >= y + h);
    const x = Math.round(px - w / 2);
    const y = [py, py + h, py + 2 * h].find((each) => free(x, each));
    if (y === undefined && !chosen) return;
    taken.push([x, y ?? py, w, h]);
    c.drawImage(image, x, Math.round(y ?? py));
  }
}

/** Draw the ring below somebody who is selected. */
export function ring(c, px, py, tall, colour) {
  for (const [width, ink] of [[0.13, "#ffffff"], [0.07, colour]]) {
    c.beginPath();
    c.ellipse(px, py, tall * 0.36, tall * 0.15, 0, 0, Math.PI * 2);
    c.strokeStyle = ink;
    c.lineWidth = Math.max(2, tall * width);
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

/** Draw a star beside somebody who is only visiting. */
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
