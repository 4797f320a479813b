// Two towns side by side, on one clock and one time bar.
import { TimeBar } from "./bar.js";
import { Clock } from "./clock.js";
import { button, fill, h, words } from "./dom.js";
import { Film } from "./film.js";
import { Loop } from "./loop.js";
import { MapView } from "./map/view.js";
import { doing } from "./roster.js";
import { longTime } from "./times.js";
import { readAddress } from "./url.js";

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

function parting(films, clock, told, parts) {
  if (parts === null) return told ? h("p", { class: "pair-parts" }, words(told)) : null;
  const when = button(`To ${longTime(films[0].head.start, parts)}`, () => clock.seek(parts), { class: "pair-when" });
  return h("p", { class: "pair-parts" }, when, " ", told ? words(told) : null);
}

/**
 * Show two runs in `root` on one clock, and return {clock, films, end}. `told` says how they part,
 * `parts` is the second from which they do (null: never); it begins at `at`, the address's moment, or there.
 */
export async function mountPair(root, sources, { told = "", parts = null, at = null } = {}) {
  fill(root, h("p", { class: "opening", role: "status" }, "Opening both towns …"));
  const films = await Promise.all(sources.map(filmOf));
  const clock = new Clock({
    tick: films[0].tick,
    end: () => Math.max(...films.map((film) => film.until)),
    stirs: (second) => Math.min(...films.map((film) => film.stirs(second))),
    open: () => films.some((film) => film.living),
  });
  const halves = films.map((film) => new Half(film, film.head.run, (name) => choose(name)));
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
  }, () => {
    bar.seek.tell();
    for (const half of halves) half.tell(clock.at);
  });
  const home = h("a", { href: "/", class: "head-name" }, "Smolville");
  const head = h("div", { class: "pair-head" }, home, parting(films, clock, told, parts), pick);
  fill(root, h("div", { class: "pair" }, head, h("div", { class: "pair-towns" }, halves.map((half) => half.root)), bar.root));
  clock.on(() => loop.wake());
  begin(films, halves, clock, at ?? readAddress(location.search).at ?? parts, loop);
  bar.renew();
  const ends = sources.map((source, i) => listen(source, films[i], bar, loop));
  return { clock, films, end: () => ends.forEach((end) => end()) };
}

function begin(films, halves, clock, at, loop) {
  clock.seek(at ?? Math.min(...films.map((film) => film.firstWalk)));
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
