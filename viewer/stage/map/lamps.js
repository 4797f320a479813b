// Street lamps: they stand where a meadow meets a road, and shine by night.
import { disc, noise, slab, veil } from "./pencil.js";

const APART = 8;

function beside(town, x, y) {
  const grass = town.kindAt(x, y).includes("grass") && !town.barrierAt(x, y);
  return grass && [[0, 1], [0, -1]].some(([i, j]) => town.kindAt(x + i, y + j) === "road");
}

/** Return where lamps stand: tiles of meadow beside a road, well apart. */
export function lampsOf(town) {
  const found = [];
  for (let y = 0; y < town.height; y += 1) {
    for (let x = 0; x < town.width; x += 1) {
      if (!beside(town, x, y) || noise(x, y, 91) > 0.6) continue;
      if (found.every((lamp) => Math.hypot(lamp.x - x, lamp.y - y) >= APART)) found.push({ x, y });
    }
  }
  return found;
}

export function paintLamps(c, lamps) {
  for (const { x, y } of lamps) {
    c.beginPath();
    c.ellipse(x + 0.66, y + 0.66, 0.3, 0.14, 0.5, 0, Math.PI * 2);
    c.fillStyle = veil("#26352c", 0.22);
    c.fill();
    slab(c, x + 0.38, y + 0.38, 0.24, 0.24, 0.05, "#55505f");
    disc(c, x + 0.5, y + 0.5, 0.15, "#fff1c2", "#55505f");
  }
}
