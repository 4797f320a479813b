// What somebody looks like: hair, skin, clothes, hat and glasses, by the number of their look.
import { darker, lighter, mix, noise } from "./pencil.js";

const SKIN = ["#f6d7bf", "#eec3a0", "#dca67c", "#c08658", "#98633d", "#6f452b"];
const HAIR = ["#2c2430", "#4a3222", "#7a4f2c", "#a8703a", "#d9ad5f", "#a4442c", "#574a66"];
const GREY = ["#d9d6d8", "#b4b0b8", "#efece6"];
/** Ways to wear hair. */
export const STYLES = ["short", "bob", "long", "bun", "curly", "tail", "parted", "bald"];
const HATS = ["", "", "", "", "cap", "", "", "straw", "", "beanie", "", ""];
const LEGS = ["#4a5573", "#5c4a44", "#3f4a46", "#6b6478", "#7d6a52"];

export function lookOf({ look, colour, age, visitor }) {
  const number = Number.isFinite(look) ? Math.abs(Math.trunc(look)) : 0;
  const draw = (salt, count) => Math.floor(noise(number, salt, 23) * count);
  const coat = /^#[0-9a-f]{6}$/i.test(colour) ? colour : "#6a4c93";
  const old = age >= 62;
  const hair = old ? GREY[draw(3, GREY.length)] : HAIR[draw(2, HAIR.length)];
  const skin = SKIN[(number + draw(1, 2)) % SKIN.length];
  return {
    skin,
    blush: mix(skin, "#e8697a", 0.35),
    hair,
    shine: lighter(hair, 0.2),
    style: STYLES[(number * 3 + draw(4, 3)) % STYLES.length],
    hat: visitor ? "visitor" : HATS[draw(5, HATS.length)],
    glasses: draw(6, 10) < (old ? 5 : 3),
    dress: draw(7, 10) < 4,
    scarf: draw(8, 10) < 3,
    coat,
    trim: [lighter(coat, 0.55), "#f5e6c8", darker(coat, 0.35)][draw(9, 3)],
    legs: LEGS[draw(10, LEGS.length)],
    line: darker(coat, 0.62),
    small: age < 13 ? 0.8 : 1,
  };
}
