// A list whose lines glide to their new places, so that the eye can follow them and none jumps from under the hand.

const TAKES = 320;
// Of hundreds of lines only those glide that are on the screen before or after; no line is higher than this.
const HIGH = 120;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const gliding = new WeakMap();

function tops(nodes) {
  return nodes.map((node) => node.getBoundingClientRect().top);
}

function isSeen(top) {
  return top > -HIGH && top < innerHeight;
}

function stop(node) {
  gliding.get(node)?.cancel?.();
  gliding.delete(node);
  node.style.transform = "";
}

function glide(node, by) {
  const from = `translateY(${by}px)`;
  const begun = {};
  gliding.set(node, begun);
  // One picture with the line where it was comes first: so the browser does not take it for a jump.
  node.style.transform = from;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (gliding.get(node) !== begun) return;
    node.style.transform = "";
    gliding.set(node, node.animate([{ transform: from }, { transform: "none" }], { duration: TAKES, easing: "ease-out" }));
  }));
}

/** Make a list hold these nodes in this order, at once or, unless motion is reduced, gliding. */
export function glideInto(list, nodes, atOnce) {
  const known = [...list.children];
  if (known.length === nodes.length && nodes.every((node, i) => node === known[i])) return;
  const before = tops(known);
  const kept = new Set(nodes);
  for (const node of known) if (!kept.has(node)) node.remove();
  place(list, nodes);
  known.forEach(stop);
  if (atOnce || still.matches) return;
  tops(known).forEach((top, i) => {
    if (top !== before[i] && known[i].isConnected && (isSeen(top) || isSeen(before[i]))) glide(known[i], before[i] - top);
  });
}

/** Put nodes into a list in this order, moving only what stands elsewhere. */
function place(list, nodes) {
  let here = list.firstChild;
  for (const node of nodes) {
    if (node === here) here = here.nextSibling;
    else list.insertBefore(node, here);
  }
}
