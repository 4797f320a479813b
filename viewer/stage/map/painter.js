// The still town as a whole: ground, walls, furniture and trees, or the pixel tiles that a map brings.
import { furnish, paintThing } from "./furniture/furniture.js";
import { Ground } from "./ground.js";
import { paintLamps, lampsOf } from "./lamps.js";
import { paintLow, paintTrees } from "./plants.js";
import { Walls } from "./walls.js";

function touches({ x, y, w, h }, area) {
  return x < area.x + area.w + 1 && y < area.y + area.h + 1 && x + w > area.x - 1 && y + h > area.y - 1;
}

/** Paints a town at any place and scale. */
export class Painter {
  constructor(town) {
    this.town = town;
    this.ground = new Ground(town);
    this.walls = new Walls(town);
    this.things = town.map.objects.map((object) => furnish(object, town));
    this.lamps = lampsOf(town);
    this.art = "drawn";
    this.tiles = town.map.tiles;
    this.image = null;
  }

  /** Paint what lies in an area of tiles; the context is scaled to tiles already. */
  paint(c, area, scale) {
    if (this.art === "tiles" && this.image) this.paintTiles(c, area);
    else this.paintDrawn(c, area, scale);
  }

  paintDrawn(c, area, scale) {
    this.ground.paint(c, area, scale);
    this.walls.paintBridges(c);
    this.walls.paintShade(c);
    paintLow(c, this.town, area, scale);
    this.walls.paint(c, area, scale);
    for (const thing of this.things) if (touches(thing, area)) paintThing(c, thing);
    paintLamps(c, this.lamps.filter((lamp) => touches({ ...lamp, w: 1, h: 1 }, area)));
    paintTrees(c, this.town, area);
  }

  paintTiles(c, area) {
    const { size, columns, layers } = this.tiles;
    const { width, height } = this.town;
    c.imageSmoothingEnabled = false;
    c.fillStyle = "#8fae6f";
    c.fillRect(0, 0, width, height);
    const [right, bottom] = [Math.min(width, Math.ceil(area.x + area.w)), Math.min(height, Math.ceil(area.y + area.h))];
    for (const layer of layers) {
      for (let y = Math.max(0, Math.floor(area.y)); y < bottom; y += 1) {
        for (let x = Math.max(0, Math.floor(area.x)); x < right; x += 1) {
          const tile = layer[y * width + x] - 1;
          if (tile < 0) continue;
          c.drawImage(this.image, (tile % columns) * size, Math.floor(tile / columns) * size, size, size, x, y, 1.01, 1.01);
        }
      }
    }
  }

  /** Load the map's own tiles; calls back when they can be painted. */
  load(ready) {
    if (!this.tiles || this.image) return;
    const image = new Image();
    image.onload = () => {
      this.image = image;
      ready();
    };
    image.src = this.tiles.image;
  }
}
