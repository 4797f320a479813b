// The still town as a whole: ground, walls, furniture and trees.
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
  }

  /** Paint what lies in an area of tiles; the context is scaled to tiles already. */
  paint(c, area, scale) {
    this.ground.paint(c, area, scale);
    this.walls.paintBridges(c);
    this.walls.paintShade(c);
    paintLow(c, this.town, area, scale);
    this.walls.paint(c, area, scale);
    for (const thing of this.things) if (touches(thing, area)) paintThing(c, thing);
    paintLamps(c, this.lamps.filter((lamp) => touches({ ...lamp, w: 1, h: 1 }, area)));
    paintTrees(c, this.town, area);
  }
}
