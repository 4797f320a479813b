// Walks: from the tile one stood on, step by step, to the tile one stands on.

const STEPS = {
  R: [1, 0], L: [-1, 0], D: [0, 1], U: [0, -1],
  E: [1, 0], W: [-1, 0], S: [0, 1], N: [0, -1],
  NE: [1, -1], NW: [-1, -1], SE: [1, 1], SW: [-1, 1],
};

export function steps(path) {
  const found = [];
  for (const [, way, times] of path.matchAll(/(NE|NW|SE|SW|[RLUDNESW])(\d*)/g)) {
    for (let i = 0; i < Number(times || 1); i += 1) found.push(STEPS[way]);
  }
  return found;
}

/** One walk, of `pace` seconds a tile; where it passes is worked out when somebody asks. */
export class Walk {
  constructor(start, end, x, y, path, pace) {
    this.start = start;
    this.end = end;
    this.pace = pace;
    this.x = x;
    this.y = y;
    this.path = path;
    this.tiles = null;
  }

  /** Return where one is at a time, between two tiles while walking. */
  at(at) {
    const tiles = this.passed();
    const count = tiles.length - 1;
    const done = Math.max(0, this.share(at, count));
    if (done >= count) return { ...this.standing(tiles), walking: false };
    const index = Math.floor(done);
    const [x, y] = tiles[index];
    const dx = tiles[index + 1][0] - x;
    const dy = tiles[index + 1][1] - y;
    const part = done - index;
    return { x: x + dx * part, y: y + dy * part, dx, dy, walking: true };
  }

  /** Return how many tiles are walked at a time; whoever arrives before the tick is over stands there. */
  share(at, count) {
    if (at >= this.end) return count;
    // Where the pace would come too late, the walk is as fast as it must be.
    const pace = Math.min(this.pace, (this.end - this.start) / count);
    return (at - this.start) / pace;
  }

  passed() {
    if (this.tiles) return this.tiles;
    let [x, y] = [this.x, this.y];
    this.tiles = [[x, y]];
    for (const [dx, dy] of steps(this.path)) {
      x += dx;
      y += dy;
      this.tiles.push([x, y]);
    }
    return this.tiles;
  }

  standing(tiles) {
    const [x, y] = tiles[tiles.length - 1];
    const before = tiles[Math.max(0, tiles.length - 2)];
    return { x, y, dx: x - before[0], dy: y - before[1] };
  }
}
