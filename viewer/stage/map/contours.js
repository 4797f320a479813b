// Outlines of patches of ground: from squares to closed lines, with corners as round as wished.

// Which way to go on from each way one came: to the right first, so that squares that touch at a corner stay apart.
const TURNS = {
  "1,0": [[0, 1], [1, 0], [0, -1]],
  "0,1": [[-1, 0], [0, 1], [1, 0]],
  "-1,0": [[0, -1], [-1, 0], [0, 1]],
  "0,-1": [[1, 0], [0, -1], [-1, 0]],
};

function edges(width, height, inside) {
  const found = new Map();
  const add = (x, y, dx, dy) => {
    const key = y * (width + 1) + x;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push([dx, dy]);
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!inside(x, y)) continue;
      if (y === 0 || !inside(x, y - 1)) add(x, y, 1, 0);
      if (x === width - 1 || !inside(x + 1, y)) add(x + 1, y, 0, 1);
      if (y === height - 1 || !inside(x, y + 1)) add(x + 1, y + 1, -1, 0);
      if (x === 0 || !inside(x - 1, y)) add(x, y + 1, 0, -1);
    }
  }
  return found;
}

function take(ways, [dx, dy]) {
  const order = TURNS[`${dx},${dy}`];
  const next = order.find(([i, j]) => ways.some(([a, b]) => a === i && b === j));
  ways.splice(ways.findIndex(([a, b]) => a === next[0] && b === next[1]), 1);
  return next;
}

function loopFrom(key, found, width) {
  const stride = width + 1;
  let [x, y] = [key % stride, Math.floor(key / stride)];
  let way = found.get(key).pop();
  const corners = [[x, y]];
  for (;;) {
    x += way[0];
    y += way[1];
    const here = y * stride + x;
    const ways = found.get(here);
    if (here === key && corners.length > 1 && !ways.length) return corners;
    if (!ways || !ways.length) return corners;
    const next = take(ways, way);
    if (next[0] !== way[0] || next[1] !== way[1]) corners.push([x, y]);
    way = next;
  }
}

/** Return the outlines of the squares for which `inside(x, y)` is true, as lists of corners. */
export function outlines(width, height, inside) {
  const found = edges(width, height, inside);
  const loops = [];
  for (const [key, ways] of found) {
    while (ways.length) loops.push(loopFrom(key, found, width));
  }
  return loops;
}

function toward([x, y], [toX, toY], length) {
  const whole = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(length, whole / 2) / whole;
  return [x + (toX - x) * share, y + (toY - y) * share];
}

/** Return outlines as one path; `scale` is the side of a square, `round` how far a corner is cut. */
export function pathOf(loops, scale, round = 0) {
  const path = new Path2D();
  for (const loop of loops) {
    const corners = loop.map(([x, y]) => [x * scale, y * scale]);
    corners.forEach((corner, i) => {
      const before = corners[(i + corners.length - 1) % corners.length];
      const after = corners[(i + 1) % corners.length];
      const [fromX, fromY] = toward(corner, before, round);
      const [toX, toY] = toward(corner, after, round);
      if (i === 0) path.moveTo(fromX, fromY);
      else path.lineTo(fromX, fromY);
      if (round) path.quadraticCurveTo(corner[0], corner[1], toX, toY);
    });
    path.closePath();
  }
  return path;
}
