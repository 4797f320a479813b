// The address of a moment: run, time, speed, whether it plays, who is selected and followed.
import { moment, readMoment } from "./times.js";

const ONCE_A_SECOND = 1000;

/**
 * Return what an address asks for: at, speed ("live" or a number), play, who, follow, visitor, which tab of who, the id of
 * a request that was sent from elsewhere; null where it says nothing.
 */
export function readAddress(search) {
  const asked = new URLSearchParams(search);
  const speed = asked.get("speed");
  return {
    at: readMoment(asked.get("at")),
    speed: speed === "live" ? "live" : Number(speed) || null,
    play: asked.has("play") ? asked.get("play") === "1" : null,
    who: asked.get("who"),
    follow: asked.get("follow") === "1",
    visitor: asked.get("visitor"),
    section: asked.get("tab"),
    request: asked.get("asked"),
  };
}

/** Return the part of an address behind "?" that leads to a moment. */
export function addressOf({ at, speed, live, playing, who, follow, visitor = null }) {
  const parts = [`at=${moment(at)}`, `speed=${live ? "live" : speed}`];
  if (playing) parts.push("play=1");
  if (who) parts.push(`who=${encodeURIComponent(who).replaceAll("%20", "+")}`);
  if (who && follow) parts.push("follow=1");
  if (visitor) parts.push(`visitor=${encodeURIComponent(visitor).replaceAll("%20", "+")}`);
  return parts.join("&");
}

/** Keeps the page's own address at the moment that is shown, at most once a second. */
export class Address {
  constructor(tell) {
    this.tell = tell;
    this.timer = 0;
  }

  touch() {
    if (!this.timer) this.timer = setTimeout(() => this.write(), ONCE_A_SECOND);
  }

  write() {
    clearTimeout(this.timer);
    this.timer = 0;
    try {
      history.replaceState(history.state, "", `?${this.tell()}${location.hash}`);
    } catch {
      // A page from disk may not have an address of its own.
    }
  }

  /** Put the whole address where it can be pasted from; return whether that could be done. */
  async copy() {
    this.write();
    try {
      await navigator.clipboard.writeText(this.link());
      return true;
    } catch {
      return false;
    }
  }

  link() {
    return `${location.origin === "null" ? "" : location.origin}${location.pathname}?${this.tell()}`;
  }
}
