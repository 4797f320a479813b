// The town as the drawings need it: what lies on each tile, what stands on it, and which place it belongs to.

const ROUND = [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]];
const OPEN = new Set(["water", "hedge", "fence", "tree", "pine", "blossom", "rock"]);
const FLOORS = new Set(["floor", "wood floor", "tile floor", "stone floor", "carpet"]);

/** A map of head.json, spread out over its tiles. */
export class Town {
  constructor(map) {
    this.map = map;
    this.width = map.width;
    this.height = map.height;
    this.kinds = [""];
    this.colours = ["#cde2b3"];
    this.ground = new Uint8Array(map.width * map.height);
    this.barrier = new Array(map.width * map.height).fill("");
    this.lay(map);
    this.settle();
    this.guess();
    this.cells = this.halves();
    this.sectorOf = this.spread(map.sectors);
    this.arenaOf = this.spread(map.arenas);
    this.objectOf = this.spread(map.objects);
  }

  lay(map) {
    for (const [colour, kind, runs] of map.ground) {
      this.kinds.push(kind);
      this.colours.push(colour);
      const number = this.kinds.length - 1;
      for (const [y, x, w] of runs) this.ground.fill(number, y * this.width + x, y * this.width + x + w);
    }
    for (const [kind, tiles] of Object.entries(map.barriers)) {
      for (const [x, y] of tiles) this.barrier[y * this.width + x] = kind;
    }
  }

  /** Ground that has no name takes the name of what lies around it. */
  settle() {
    for (let round = 0; round < 3; round += 1) {
      for (let y = 0; y < this.height; y += 1) {
        for (let x = 0; x < this.width; x += 1) {
          if (this.kindAt(x, y)) continue;
          const near = ROUND.find(([dx, dy]) => this.isPlain(x + dx, y + dy));
          if (near) this.ground[y * this.width + x] = this.ground[(y + near[1]) * this.width + x + near[0]];
        }
      }
    }
  }

  /** What is still without a name lies wholly below furniture: a floor beside walls, else meadow. */
  guess() {
    for (let y = 0; y < this.height; y += 1) {
      for (let x = 0; x < this.width; x += 1) {
        if (this.kindAt(x, y)) continue;
        const housed = ROUND.some(([dx, dy]) => this.isWall(x + dx, y + dy));
        this.ground[y * this.width + x] = this.kindNumber(housed ? "tile floor" : "grass");
      }
    }
  }

  kindNumber(kind) {
    const known = this.kinds.indexOf(kind);
    if (known >= 0) return known;
    this.colours.push("#cde2b3");
    return this.kinds.push(kind) - 1;
  }

  isPlain(x, y) {
    const kind = this.kindAt(x, y);
    return Boolean(kind) && kind !== "door" && !this.isWall(x, y);
  }

  /** Return the kinds of the quarters of all tiles: a wall's quarters belong to the ground on their side. */
  halves() {
    const cells = new Uint8Array(this.width * this.height * 4);
    for (let y = 0; y < this.height * 2; y += 1) {
      for (let x = 0; x < this.width * 2; x += 1) cells[y * this.width * 2 + x] = this.quarter(x, y);
    }
    return cells;
  }

  quarter(x2, y2) {
    const [x, y] = [x2 >> 1, y2 >> 1];
    const own = this.ground[y * this.width + x];
    if (!this.isWall(x, y) && this.kindAt(x, y) !== "door") return own;
    const [dx, dy] = [x2 & 1 ? 1 : -1, y2 & 1 ? 1 : -1];
    const ways = [[dx, 0], [0, dy], [dx, dy], ...ROUND];
    const way = ways.find(([i, j]) => this.isPlain(x + i, y + j));
    return way ? this.ground[(y + way[1]) * this.width + x + way[0]] : own;
  }

  spread(places) {
    const found = new Int32Array(this.width * this.height).fill(-1);
    places.forEach(({ rect: [x, y, w, h] }, number) => {
      for (let row = Math.max(0, y); row < Math.min(this.height, y + h); row += 1) {
        found.fill(number, row * this.width + Math.max(0, x), row * this.width + Math.min(this.width, x + w));
      }
    });
    return found;
  }

  has(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** Return what the ground of a tile is called; empty beyond the map. */
  kindAt(x, y) {
    return this.has(x, y) ? this.kinds[this.ground[y * this.width + x]] : "";
  }

  /** Return what blocks a tile; empty for an open one. */
  barrierAt(x, y) {
    return this.has(x, y) ? this.barrier[y * this.width + x] : "";
  }

  isWall(x, y) {
    const kind = this.barrierAt(x, y);
    return Boolean(kind) && !OPEN.has(kind);
  }

  isDoor(x, y) {
    if (this.kindAt(x, y) !== "door" || this.barrierAt(x, y)) return false;
    const shut = (i, j) => this.isWall(x + i, y + j) || this.kindAt(x + i, y + j) === "door";
    return (shut(-1, 0) && shut(1, 0)) || (shut(0, -1) && shut(0, 1));
  }

  /** Return whether a tile has a floor and so a roof over it. */
  isIndoors(x, y) {
    return FLOORS.has(this.kindAt(x, y)) && !this.isWall(x, y);
  }

  /** Return the numbers of sector, arena and object at a tile; -1 for none. */
  placeAt(x, y) {
    if (!this.has(x, y)) return { sector: -1, arena: -1, object: -1 };
    const i = y * this.width + x;
    return { sector: this.sectorOf[i], arena: this.arenaOf[i], object: this.objectOf[i] };
  }
}
