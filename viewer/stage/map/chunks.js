// The still town, painted once into squares of pixels for a scale, and laid together wherever the camera looks.

const SIDE = 512;
const MOST = 90;
const OVERVIEW = 800;

function canvasOf(width, height) {
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  return [canvas, canvas.getContext("2d", { alpha: false })];
}

/** `paint(context, area, scale)` paints the part of a town of so many tiles that lies in an area. */
export class Chunks {
  constructor(width, height, paint) {
    this.width = width;
    this.height = height;
    this.paint = paint;
    this.levels = new Map();
    this.painted = 0;
    this.far = null;
  }

  overview() {
    if (this.far) return this.far;
    const scale = Math.min(16, OVERVIEW / Math.max(this.width, this.height));
    const [canvas, c] = canvasOf(Math.round(this.width * scale), Math.round(this.height * scale));
    c.scale(scale, scale);
    this.paint(c, { x: 0, y: 0, w: this.width, h: this.height }, scale);
    this.far = { canvas, scale };
    return this.far;
  }

  level(scale) {
    const key = scale.toFixed(5);
    const found = this.levels.get(key) || { scale, squares: new Map() };
    this.levels.delete(key);
    this.levels.set(key, found);
    let count = 0;
    for (const each of this.levels.values()) count += each.squares.size;
    for (const [name, each] of this.levels) {
      if (count <= MOST || each === found) break;
      count -= each.squares.size;
      this.levels.delete(name);
    }
    return found;
  }

  square(level, column, row) {
    const { scale } = level;
    const [canvas, c] = canvasOf(
      Math.min(SIDE, Math.ceil(this.width * scale) - column * SIDE),
      Math.min(SIDE, Math.ceil(this.height * scale) - row * SIDE),
    );
    c.setTransform(scale, 0, 0, scale, -column * SIDE, -row * SIDE);
    const [x, y] = [(column * SIDE) / scale, (row * SIDE) / scale];
    this.paint(c, { x, y, w: canvas.width / scale, h: canvas.height / scale }, scale);
    this.painted += 1;
    return canvas.transferToImageBitmap();
  }

  /** Return the squares that a screen shows, nearest to its middle first. */
  seen({ scale }, left, top, wide, high) {
    const last = (length) => Math.ceil(Math.ceil(length * scale) / SIDE) - 1;
    const span = (corner, length, screen) => {
      const end = Math.min(last(length), Math.floor((screen - corner - 1) / SIDE));
      return [Math.max(0, Math.floor(-corner / SIDE)), end];
    };
    const [from, to] = span(left, this.width, wide);
    const [first, end] = span(top, this.height, high);
    const found = [];
    for (let row = first; row <= end; row += 1) {
      for (let column = from; column <= to; column += 1) found.push([column, row]);
    }
    const off = ([column, row]) => {
      return Math.hypot((column + 0.5) * SIDE + left - wide / 2, (row + 0.5) * SIDE + top - high / 2);
    };
    return found.sort((a, b) => off(a) - off(b));
  }

  /**
   * Lay the town onto a screen: its corner at `left`, `top`, a tile `scale` pixels wide; `steady`
   * when the scale will stay. Paints squares that are missing for at most `budget` milliseconds, and at least one; the very first picture is the
   * overview alone, so that it comes at once. Returns whether none is missing.
   */
  draw(c, { left, top, scale, steady }, wide, high, budget) {
    const level = steady ? this.level(scale) : null;
    const seen = level ? this.seen(level, left, top, wide, high) : [];
    const missing = seen.filter(([column, row]) => !level.squares.has(`${column},${row}`));
    const end = performance.now() + budget;
    while (this.far && missing.length) {
      const [column, row] = missing.shift();
      level.squares.set(`${column},${row}`, this.square(level, column, row));
      if (performance.now() > end) break;
    }
    if (!level || missing.length) this.lay(c, left, top, scale, level, wide, high);
    for (const [column, row] of seen) {
      const image = level.squares.get(`${column},${row}`);
      if (image) c.drawImage(image, left + column * SIDE, top + row * SIDE);
    }
    return Boolean(level) && !missing.length;
  }

  /** Lay the nearest picture there is, made larger or smaller, below what is not painted yet. */
  lay(c, left, top, scale, but, wide, high) {
    const far = this.overview();
    c.imageSmoothingEnabled = true;
    const [x, y] = [Math.max(0, -left / scale), Math.max(0, -top / scale)];
    const [w, h] = [Math.min(this.width - x, wide / scale), Math.min(this.height - y, high / scale)];
    const f = far.scale;
    const onto = [left + x * scale, top + y * scale, w * scale, h * scale];
    if (w > 0 && h > 0) c.drawImage(far.canvas, x * f, y * f, w * f, h * f, ...onto);
    const others = [...this.levels.values()].filter((each) => each !== but && each.scale > f);
    const best = others.sort((a, b) => Math.abs(Math.log(a.scale / scale)) - Math.abs(Math.log(b.scale / scale)))[0];
    if (!best || Math.abs(Math.log(f / scale)) < Math.abs(Math.log(best.scale / scale))) return;
    const grow = scale / best.scale;
    for (const [key, image] of best.squares) {
      const [column, row] = key.split(",").map(Number);
      const [px, py] = [left + column * SIDE * grow, top + row * SIDE * grow];
      if (px > wide || py > high || px + SIDE * grow < 0 || py + SIDE * grow < 0) continue;
      c.drawImage(image, px, py, image.width * grow + 0.5, image.height * grow + 0.5);
    }
  }
}
