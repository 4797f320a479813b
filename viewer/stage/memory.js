// What the browser keeps for this page; one opened from disk may have no memory.

/** Return what was kept under a name; null for nothing. */
export function recall(name, where = "localStorage") {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, text, where = "localStorage") {
  try {
    window[where].setItem(name, text);
  } catch {
    // Nothing is kept then.
  }
}
