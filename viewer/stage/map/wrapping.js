// Texts in rows of a given width.
import { tame, widthOf } from "./lettering.js";

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
