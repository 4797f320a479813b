// Where a page begins: at the address's moment, at the live edge, or where the town begins to move.

function asAsked(clock, { at, speed, play }) {
  if (speed && speed !== "live") clock.setSpeed(speed);
  clock.seek(at);
  if (play) clock.play();
}

function atFirstStep(film, clock, { speed, play }) {
  if (speed) clock.setSpeed(speed);
  clock.seek(Math.min(film.firstWalk, film.until));
  if (play !== false) clock.play();
  if (film.firstWalk < Infinity) return;
  // Nobody walked yet: the first who does is shown as soon as it is known, unless somebody seeks.
  const end = film.on(() => {
    if (film.firstWalk === Infinity) return;
    end();
    if (clock.playing && clock.at < film.firstWalk) clock.seek(film.firstWalk);
  });
}

/** Bring a clock to where the page opens. */
export function opening(film, clock, asked) {
  if (asked.speed === "live" && film.living) clock.goLive();
  else if (asked.at !== null) asAsked(clock, asked);
  else if (film.living && film.head.standin === false && asked.speed === null) clock.goLive();
  else atFirstStep(film, clock, { ...asked, speed: asked.speed === "live" ? null : asked.speed });
}
