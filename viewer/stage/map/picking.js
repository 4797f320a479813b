// What is below the pointer: what somebody says, a person, their name, then a thing, a room, a house.

const THINGS_FROM = 8;
const SLACK = 3;

function topmost(boxes, sx, sy, slack) {
  return boxes.findLast(({ x, y, w, h }) => {
    return sx >= x - slack && sx <= x + w + slack && sy >= y - slack && sy <= y + h + slack;
  });
}

/**
 * Return the talk, person, object, arena or sector at a point of the screen, or null. `drawn` has the `boxes` of people, of
 * `bubbles` and of `captions`, those drawn last at the end.
 */
export function pickAt(sx, sy, { bubbles, boxes, captions }, town, camera) {
  const said = topmost(bubbles, sx, sy, 0);
  if (said) return { kind: "talk", n: said.line.n, talk: said.talk, line: said.line, isCut: said.isCut };
  const person = topmost(boxes, sx, sy, SLACK) || topmost(captions.filter(({ n }) => n !== undefined), sx, sy, 0);
  if (person) return { kind: "person", n: person.n };
  const [x, y] = camera.toTown(sx, sy).map(Math.floor);
  const { sector, arena, object } = town.placeAt(x, y);
  if (object >= 0 && camera.now.scale >= THINGS_FROM) {
    return { kind: "object", n: object, index: object, address: town.map.objects[object].address };
  }
  if (arena >= 0) return { kind: "arena", address: town.map.arenas[arena].address };
  if (sector >= 0) return { kind: "sector", address: town.map.sectors[sector].address };
  return null;
}

export function same(one, other) {
  return one === other || Boolean(one && other && one.kind === other.kind && one.n === other.n && one.address === other.address);
}

/** Return the rectangle `[x, y, w, h]` of a pick; null where the map has no such place. */
export function rectOf(thing, map) {
  if (thing.kind === "object" && map.objects[thing.n ?? thing.index]) return map.objects[thing.n ?? thing.index].rect;
  return [...map.objects, ...map.arenas, ...map.sectors].find(({ address }) => address === thing.address)?.rect ?? null;
}
