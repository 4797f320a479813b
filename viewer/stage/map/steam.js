// Steam over what is hot, and smoke over what burns.
import { noise } from "./pencil.js";

const HOT = /\b(hot|lit|on\b|boil|brew|steam|simmer|cook|bak|heat|fry|roast|toast|warm|burn|glow|bubbl|fire)/i;
const FIRE = /\b(on fire|burning|in flames|ablaze)\b/i;
const STEAMS = new Set(["stove", "oven", "kettle", "fireplace"]);

/** Return whether a thing whose state changed is a stove, an oven, a kettle or a hearth that is on. */
export function isHot({ object, state }) {
  return STEAMS.has(object.icon) && HOT.test(state);
}

/** Paint steam over a stove, an oven or a kettle that is on; flames and smoke over what burns. */
export function steam(c, { left, top, scale, t }, thing) {
  const burns = FIRE.test(thing.state);
  if (!burns && !isHot(thing)) return;
  const { object } = thing;
  const [x, y, w, h] = object.rect;
  const own = noise(x, y, 51);
  for (let i = 0; i < 4; i += 1) {
    const share = (t * 0.35 + own + i / 4) % 1;
    const sway = Math.sin(t * 1.1 + i * 2 + own * 6) * 0.16 * (0.4 + share);
    const size = scale * (burns ? 0.2 + share * 0.34 : 0.12 + share * 0.22);
    c.beginPath();
    c.arc(left + (x + w / 2 + sway) * scale, top + (y + h * 0.4 - share * 1.15) * scale, size, 0, Math.PI * 2);
    const opacity = (burns ? 0.6 : 0.5) * Math.sin(Math.PI * Math.min(1, share + 0.12));
    c.fillStyle = burns ? (share < 0.35 ? `rgba(240,130,40,${opacity})` : `rgba(70,62,66,${opacity})`) : `rgba(255,255,255,${opacity})`;
    c.fill();
  }
}
