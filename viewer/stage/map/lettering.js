// Words and emoji as small pictures, each measured and drawn once.

/** The type of the town. */
export const SANS = '"Avenir Next","Segoe UI","Noto Sans","DejaVu Sans",Helvetica,Arial,sans-serif';
/** The type of emoji. */
export const EMOJI = '"Noto Color Emoji","Apple Color Emoji","Segoe UI Emoji",sans-serif';
const MOST_WORDS = 9000;
const MOST_PIXELS = 24e6;
const LONGEST = 60;

const ruler = new OffscreenCanvas(1, 1).getContext("2d");
const widths = new Map();
const pictures = new Map();
let pixels = 0;

export function widthOf(text, font) {
  const key = `${font}|${text}`;
  if (!widths.has(key)) {
    if (widths.size > MOST_WORDS) widths.clear();
    ruler.font = font;
    widths.set(key, ruler.measureText(text).width);
  }
  return widths.get(key);
}

/** Return a text that no mark of direction or control can turn around, at most so many letters long. */
export function tame(text, most = LONGEST) {
  const plain = String(text ?? "").slice(0, most * 4).replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, " ");
  const letters = [...plain.replace(/\s+/g, " ").trim()];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}

export function picture(key, width, height, draw) {
  let found = pictures.get(key);
  if (!found) {
    if (pixels > MOST_PIXELS) {
      pictures.clear();
      pixels = 0;
    }
    const canvas = new OffscreenCanvas(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)));
    draw(canvas.getContext("2d"), canvas.width, canvas.height);
    found = canvas.transferToImageBitmap();
    pictures.set(key, found);
    pixels += found.width * found.height;
  }
  return found;
}

/** Return a text, its rows parted by line ends, as a picture with a halo: `{weight, size, ink, halo}`, sizes in device pixels. */
export function written(text, { weight = 600, size, ink, halo }) {
  const font = `${weight} ${size}px ${SANS}`;
  const edge = Math.max(2, size * 0.3);
  const rows = text.split("\n");
  const wide = Math.max(...rows.map((row) => widthOf(row, font))) + edge * 2;
  const high = size * (0.2 + 1.15 * rows.length) + edge;
  return picture(`w|${font}|${ink}|${halo}|${text}`, wide, high, (c, width, height) => {
    c.font = font;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineJoin = "round";
    c.strokeStyle = halo;
    c.lineWidth = edge;
    c.fillStyle = ink;
    const down = (i) => height / 2 + (i - (rows.length - 1) / 2) * size * 1.15;
    rows.forEach((row, i) => c.strokeText(row, width / 2, down(i)));
    rows.forEach((row, i) => c.fillText(row, width / 2, down(i)));
  });
}

export function drawEmoji(c, sign, x, y, size) {
  c.font = `${size}px ${EMOJI}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillStyle = "#2b2838";
  c.fillText([...String(sign)].slice(0, 8).join(""), x, y + size * 0.06);
}

const LETTERS = 110;

/** Return a text in rows no wider than `most`, at most `count`; the last ends with an ellipsis where the text goes on. */
export function rowsOf(text, font, most, count = 3) {
  const rows = [""];
  const words = tame(text, LETTERS * count).split(" ").flatMap((word) => pieces(word, font, most));
  for (const word of words) {
    const last = rows.length - 1;
    const longer = rows[last] ? `${rows[last]} ${word}` : word;
    if (widthOf(longer, font) <= most) rows[last] = longer;
    else if (rows.length < count) rows.push(word);
    else {
      rows[last] = cut(rows[last], font, most);
      break;
    }
  }
  return rows;
}

function pieces(word, font, most) {
  if (widthOf(word, font) <= most) return [word];
  const letters = [...word];
  const found = [""];
  for (const letter of letters) {
    const last = found.length - 1;
    if (widthOf(found[last] + letter, font) <= most) found[last] += letter;
    else found.push(letter);
  }
  return found;
}

function cut(row, font, most) {
  let letters = [...row];
  while (letters.length && widthOf(`${letters.join("")}…`, font) > most) letters = letters.slice(0, -1);
  return `${letters.join("").trimEnd()}…`;
}
