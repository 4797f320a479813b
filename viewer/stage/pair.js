// Two towns side by side, on one clock and one time bar.
import { TimeBar } from "./bar.js";
import { Clock } from "./clock.js";
import { button, fill, h, words } from "./dom.js";
import { firstDifference } from "./difference.js";
import { Film } from "./film.js";
import { Loop } from "./loop.js";
import { MapView } from "./map/view.js";
import { doing } from "./roster.js";
import { longTime } from "./times.js";

async function filmOf(source) {
  const film = new Film(await source.head());
  film.add(await source.tracks(-1));
  return film;
}

class Half {
  constructor(film, label, onPick) {
    this.film = film;
    this.canvas = h("canvas", { class: "map", tabindex: "0", role: "img", "aria-label": `Map of ${film.head.town} in ${label}` });
    this.line = h("p", { class: "pair-line" });
    this.root = h("section", { class: "pair-half", "aria-label": label },
      h("h2", { class: "pair-name" }, words(label)), h("div", { class: "pair-map" }, this.canvas), this.line);
    this.map = new MapView(this.canvas, film, {
      onPick: (thing) => thing && thing.kind === "person" && onPick(film.people[thing.n].name),
      reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }

  select(name) {
    const n = this.film.people.findIndex((person) => person.name === name);
    this.n = n < 0 ? null : n;
    this.map.selected = this.n;
    this.map.follow(this.n);
  }

  tell(at) {
    if (this.n === null || this.n === undefined) return;
    const { activity, place } = doing(this.film, this.n, at);
    const person = this.film.people[this.n];
    fill(this.line, h("b", {}, words(person.short)), " ", words(activity), " ", h("span", { class: "soft" }, words(place)));
  }
}

function people(halves, choose) {
  const names = [...new Set(halves.flatMap(({ film }) => film.people.map(({ name }) => name)))].sort();
  return h("select", { "aria-label": "Follow in both towns", onchange: (event) => choose(event.target.value) },
    h("option", { value: "" }, "follow nobody"), names.map((name) => h("option", { value: name }, name)));
}

function differs(films, clock) {
  const found = firstDifference(films[0], films[1]);
  if (!found) return h("p", { class: "pair-differs", role: "status" }, "As far as both are known, they do not differ.");
  const when = button(longTime(films[0].head.start, found.at), () => clock.seek(found.at), { class: "pair-when" });
  return h("p", { class: "pair-differs" }, "They differ from ", when, ": ", words(found.text));
}

/**
 * Show two runs in `root` on one clock, from second `at` on, and return {clock, films, end}.
 * `labels` are the runs' names.
 */
export async function mountPair(root, sources, { labels = null, at = null } = {}) {
  fill(root, h("p", { class: "opening", role: "status" }, "Opening both towns …"));
  const films = await Promise.all(sources.map(filmOf));
  const names = labels || films.map((film) => film.head.run);
  const clock = new Clock({
    tick: films[0].tick,
    end: () => Math.max(...films.map((film) => film.until)),
    stirs: (second) => Math.min(...films.map((film) => film.stirs(second))),
    open: () => films.some((film) => film.living),
  });
  const halves = films.map((film, i) => new Half(film, names[i], (name) => choose(name)));
  const pick = people(halves, (name) => choose(name));
  const choose = (name) => {
    pick.value = name;
    for (const half of halves) half.select(name);
    loop.wake();
  };
  const bar = new TimeBar(clock, films);
  const loop = new Loop((seconds, now) => {
    const moved = clock.frame(seconds);
    const again = halves.map((half) => half.map.draw(Math.min(clock.at, half.film.until), now) === true);
    bar.move();
    return moved || again.some(Boolean);
  }, () => halves.forEach((half) => half.tell(clock.at)));
  const head = h("div", { class: "pair-head" }, differs(films, clock), pick);
  fill(root, h("div", { class: "pair" }, head, h("div", { class: "pair-towns" }, halves.map((half) => half.root)), bar.root));
  clock.on(() => loop.wake());
  begin(films, halves, clock, at, loop);
  bar.renew();
  const ends = sources.map((source, i) => listen(source, films[i], bar, loop));
  return { clock, films, end: () => ends.forEach((end) => end()) };
}

function begin(films, halves, clock, at, loop) {
  const found = firstDifference(films[0], films[1]);
  clock.seek(at ?? (found ? found.at : Math.min(...films.map((film) => film.firstWalk))));
  const resized = new ResizeObserver(() => {
    for (const half of halves) half.map.resize();
    loop.wake();
  });
  for (const half of halves) resized.observe(half.canvas.parentElement);
  for (const half of halves) half.map.fit();
  document.addEventListener("theme", () => loop.wake());
}

function listen(source, film, bar, loop) {
  film.on(() => {
    bar.renew();
    loop.wake();
  });
  return source.live((tracks) => film.add(tracks), () => {}, () => {}, () => film.watermark);
}
