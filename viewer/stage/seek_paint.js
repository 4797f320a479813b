// The picture below the playhead: nights, days, hours, marks in lanes, and what is not lived yet.
import { bins, drawMark, KINDS, LANES } from "./marks.js";
import { clockTime, dateShort, DAY } from "./times.js";

const LANE = 9;
const TOP = 3;
const BIN = 8;
const DUSK = 21 * 3600;
const DAWN = 6 * 3600;
const HOURS = [1, 2, 3, 6, 12, 24];
const ROOM = 62;

/** Where the axis begins, below the lanes. */
export const AXIS = TOP + LANE * LANES + 2;
/** How high the picture is. */
export const HEIGHT = AXIS + 18;

function nights(pen, view) {
  pen.fillStyle = view.colours("--sunken");
  for (let day = 0; day * DAY < view.span + DAY; day += 1) {
    const from = view.x(day * DAY - (DAY - DUSK));
    pen.fillRect(from, 0, view.x(day * DAY + DAWN) - from, AXIS);
  }
}

function days(pen, view) {
  pen.font = `11px ${view.font}`;
  pen.textBaseline = "middle";
  for (let day = 0; day * DAY < view.span; day += 1) {
    const x = Math.round(view.x(day * DAY)) + 0.5;
    pen.strokeStyle = view.colours("--soft");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, HEIGHT);
    pen.stroke();
    pen.fillStyle = view.colours("--ink");
    const room = view.x((day + 1) * DAY) - x;
    if (room > 44 && view.width - x > 44) pen.fillText(dateShort(view.start, day + 1), x + 5, AXIS + 10);
  }
}

function hours(pen, view) {
  const wide = view.x(3600) - view.x(0);
  const step = HOURS.find((count) => count * wide >= ROOM);
  if (!step || step > 12) return;
  pen.fillStyle = view.colours("--soft");
  for (let at = step * 3600; at < view.span; at += step * 3600) {
    const x = view.x(at);
    if (at % DAY === 0 || x > view.width - 34) continue;
    pen.fillRect(Math.round(x), AXIS, 1, 4);
    pen.fillText(clockTime(at), x - 14, AXIS + 10);
  }
}

function lanes(pen, view) {
  const found = bins(view.marks, view.x, BIN);
  Object.entries(KINDS).forEach(([kind, { lane }]) => {
    const y = TOP + LANE * lane + LANE / 2;
    for (const [bin, count] of found[kind]) {
      const radius = 1.9 + Math.min(1.6, Math.log2(count) * 0.6);
      drawMark(pen, kind, bin * BIN + BIN / 2, y, radius, view.colours);
    }
  });
}

function unlived(pen, view) {
  const x = view.x(view.until);
  if (x >= view.width - 1) return;
  pen.save();
  pen.beginPath();
  pen.rect(x, 0, view.width - x, AXIS);
  pen.clip();
  pen.strokeStyle = view.colours("--line");
  pen.lineWidth = 1;
  pen.beginPath();
  for (let at = x - AXIS; at < view.width; at += 7) {
    pen.moveTo(at, AXIS);
    pen.lineTo(at + AXIS, 0);
  }
  pen.stroke();
  pen.restore();
  pen.fillStyle = view.colours("--good");
  pen.fillRect(x - 1, 0, 2, AXIS);
}

/** Draw everything that stays while the playhead moves. */
export function paint(pen, view) {
  pen.clearRect(0, 0, view.width, HEIGHT);
  nights(pen, view);
  unlived(pen, view);
  pen.fillStyle = view.colours("--line");
  pen.fillRect(0, AXIS - 1, view.width, 1);
  days(pen, view);
  hours(pen, view);
  lanes(pen, view);
}
