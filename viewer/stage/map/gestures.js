// Hands on the map: drag, wheel, pinch, click, double click, and what hovers.

const STILL = 5;
const TWICE = 400;
const WHEEL = 0.0016;

/**
 * Listen to a canvas. `hands` has `pan(dx, dy)`, `zoom(factor, x, y, atOnce)`, `click(x, y)` (once for a double click),
 * `hover(x, y)` and `leave()`; places are CSS pixels from the canvas's corner. Returns what stops listening.
 */
export function listen(canvas, hands) {
  const touch = { down: new Map(), moved: 0, gap: 0, clicked: null };
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const listeners = {
    pointerdown: (event) => press(canvas, touch, event, place(event)),
    pointermove: (event) => move(touch, event, place(event), hands),
    pointerup: (event) => lift(touch, event, place(event), hands),
    pointercancel: (event) => drop(touch, event),
    pointerleave: () => hands.leave(),
    dblclick: (event) => hands.zoom(event.shiftKey ? 1 / 1.9 : 1.9, ...place(event), false),
    wheel: (event) => turn(event, place(event), hands),
  };
  canvas.style.touchAction = "none";
  for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener, { passive: false });
  return () => {
    for (const [name, listener] of Object.entries(listeners)) canvas.removeEventListener(name, listener);
  };
}

function press(canvas, touch, event, at) {
  if (event.button > 0) return;
  if (!touch.down.size) touch.moved = 0;
  touch.down.set(event.pointerId, at);
  touch.gap = gapOf(touch);
  try {
    canvas.setPointerCapture(event.pointerId);
  } catch {
    // A pointer that is gone already cannot be held.
  }
}

function gapOf({ down }) {
  if (down.size !== 2) return 0;
  const [[ax, ay], [bx, by]] = [...down.values()];
  return Math.hypot(bx - ax, by - ay);
}

function move(touch, event, at, hands) {
  const before = touch.down.get(event.pointerId);
  if (!before) {
    if (!touch.down.size && event.pointerType !== "touch") hands.hover(...at);
    return;
  }
  const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
  touch.moved += Math.hypot(dx, dy);
  if (touch.moved < STILL) return;
  touch.down.set(event.pointerId, at);
  hands.leave();
  hands.pan(-dx / touch.down.size, -dy / touch.down.size);
  const gap = gapOf(touch);
  if (gap && touch.gap) {
    const [[ax, ay], [bx, by]] = [...touch.down.values()];
    hands.zoom(gap / touch.gap, (ax + bx) / 2, (ay + by) / 2, true);
  }
  touch.gap = gap;
}

function lift(touch, event, at, hands) {
  const held = touch.down.has(event.pointerId);
  drop(touch, event);
  if (!held || touch.down.size || touch.moved >= STILL) return;
  const before = touch.clicked;
  const again = before && event.timeStamp - before.when < TWICE
    && Math.hypot(at[0] - before.at[0], at[1] - before.at[1]) < 2 * STILL;
  touch.clicked = again ? null : { when: event.timeStamp, at };
  if (!again) hands.click(...at);
}

function drop(touch, event) {
  touch.down.delete(event.pointerId);
  touch.gap = gapOf(touch);
}

function turn(event, at, hands) {
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 16 : 1;
  const by = Math.min(240, Math.max(-240, event.deltaY * lines));
  hands.zoom(Math.exp(-by * WHEEL * (event.ctrlKey ? 4 : 1)), ...at, false);
}
