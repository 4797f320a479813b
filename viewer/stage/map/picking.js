// What is below the pointer: a person first, then a thing, then a room, then a house.

const THINGS_FROM = 8;

/** Return the person, object, arena or sector at a point of the screen, or null; `boxes` are those of the people drawn last. */
export function pickAt(sx, sy, boxes, town, camera) {
  const slack = 3;
  for (let i = boxes.length - 1; i >= 0; i -= 1) {
    const { n, x, y, w, h } = boxes[i];
    if (sx >= x - slack && sx <= x + w + slack && sy >= y - slack && sy <= y + h + slack) return { kind: "person", n };
  }
  const [x, y] = camera.toTown(sx, sy).map(Math.floor);
  const { sector, arena, object } = town.placeAt(x, y);
  if (object >= 0 && camera.now.scale >= THINGS_FROM) {
    return { kind: "object", n: object, index: object, address: town.map.objects[object].address };
  }
  if (arena >= 0) return { kind: "arena", address: town.map.arenas[arena].address };
  if (sector >= 0) return { kind: "sector", address: town.map.sectors[sector].address };
  return null;
}

/** Return whether two picks are the same. */
export function same(one, other) {
  return one === other || Boolean(one && other && one.kind === other.kind && one.n === other.n && one.address === other.address);
}

/** Return the rectangle `[x, y, w, h]` of a pick or an address; null where the map has no such place. */
export function rectOf(thing, map) {
  if (thing.kind === "object" && map.objects[thing.n ?? thing.index]) return map.objects[thing.n ?? thing.index].rect;
  const address = typeof thing === "string" ? thing : thing.address;
  for (const places of [map.objects, map.arenas, map.sectors]) {
    const found = places.find((place) => place.address === address);
    if (found) return found.rect;
  }
  return null;
}
