// A list whose lines glide to their new places, so that the eye can follow them and none jumps from under the hand.

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Of hundreds of lines only those glide that are on the screen before or after; no line is higher than this.
const HIGH = 120;

const tops = (nodes) => nodes.map((node) => node.getBoundingClientRect().top);
const isSeen = (top) => top > -HIGH && top < innerHeight;

const begun = new WeakMap();

function glide(node, by) {
  const from = { transform: `translateY(${by}px)` };
  begun.set(node, from);
  // One picture with the line where it was comes first: so the browser does not take it for a jump.
  Object.assign(node.style, from);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (begun.get(node) !== from) return;
    node.style.transform = "";
    node.animate([from, { transform: "none" }], { duration: 320, easing: "ease-out" });
  }));
}

function stop(node) {
  begun.delete(node);
  node.style.transform = "";
  for (const each of node.getAnimations()) each.cancel();
}

/** Make a list hold these nodes in this order, at once or, unless motion is reduced, gliding. */
export function glideInto(list, nodes, atOnce) {
  const known = [...list.children];
  if (known.length === nodes.length && nodes.every((node, i) => node === known[i])) return;
  const before = tops(known);
  const kept = new Set(nodes);
  for (const node of known) {
    if (!kept.has(node)) node.remove();
    stop(node);
  }
  // Only what stands elsewhere is moved, so that focus and place stay.
  let here = list.firstChild;
  for (const node of nodes) {
    if (node === here) here = here.nextSibling;
    else list.insertBefore(node, here);
  }
  if (atOnce || still.matches) return;
  tops(known).forEach((top, i) => {
    if (top === before[i] || !known[i].isConnected || !(isSeen(top) || isSeen(before[i]))) return;
    glide(known[i], before[i] - top);
  });
}
