// Where a page begins: at the address's moment, at the live edge, or where the town begins to be worth watching.

/** Town seconds from where the page opens to the first talk: time to see who walks up to whom. */
const BEFORE_TALK = 60;
/** The speed at which a talk can be read. */
const READING = 1;

function asAsked(film, clock, { at, speed, play }) {
  if (speed && speed !== "live") clock.setSpeed(speed);
  clock.seek(at);
  if (!play) return;
  // Where a run's past ends, what comes is waited for: a fork that is just being started.
  if (clock.atEdge && !film.living) followNewTime(film, clock);
  else clock.play();
}

/** Return the first talk that is known: its second, its end, whence it is watched, who talks; null where nobody has talked yet. */
function firstTalk(film) {
  const mark = film.marks().find(({ kind }) => kind === "talk");
  if (!mark) return null;
  const talk = film.talksAt(mark.at)[0];
  const { who, end } = talk || { who: [mark.n], end: mark.at + BEFORE_TALK };
  return { at: mark.at, end, from: Math.max(0, mark.at - BEFORE_TALK), who };
}

function beforeTalk(clock, talk, { speed, play }) {
  clock.setSpeed(speed || READING);
  clock.seek(talk.from);
  if (play !== false) clock.play();
}

function atFirstStep(film, clock, { speed, play }) {
  if (speed) clock.setSpeed(speed);
  clock.seek(Math.min(film.firstWalk, film.until));
  if (play !== false) clock.play();
}

/** Call a function with each delta, and with what ends that, until somebody takes the time in hand. */
function untilTaken(film, clock, heed) {
  let ours = false;
  const move = (act) => {
    ours = true;
    act();
    ours = false;
  };
  const end = () => {
    offClock();
    offFilm();
  };
  const offClock = clock.on(() => ours || end());
  const offFilm = film.on(() => heed(end, move));
}

/** Go on to the first walk and the first talk as soon as they are known, unless somebody takes the time in hand. */
function awaitScene(film, clock, asked, onTalk) {
  untilTaken(film, clock, (end, move) => {
    const talk = firstTalk(film);
    if (talk && clock.at > talk.from) end();
    else if (talk) {
      end();
      move(() => clock.setSpeed(asked.speed || READING));
      clock.hurry(talk.from);
      onTalk(talk);
    } else if (clock.at < film.firstWalk && film.firstWalk < Infinity) move(() => clock.seek(film.firstWalk));
  });
}

/**
 * Bring a clock to where the page opens.
 * `onTalk` is called with the first talk when the page goes there, which in a town that has just begun is later.
 */
export function opening(film, clock, asked, onTalk) {
  const wished = { ...asked, speed: asked.speed === "live" ? null : asked.speed };
  const talk = firstTalk(film);
  if (asked.speed === "live" && film.living) clock.goLive();
  else if (asked.at !== null) asAsked(film, clock, asked);
  else if (film.living && film.head.standin === false && asked.speed === null) clock.goLive();
  else if (talk) {
    beforeTalk(clock, talk, wished);
    onTalk(talk);
  } else {
    atFirstStep(film, clock, wished);
    if (film.living && asked.play !== false) awaitScene(film, clock, wished, onTalk);
  }
}

/** Show what a run lives from now on, as soon as there is something; unless somebody takes the time in hand before. */
export function followNewTime(film, clock) {
  const from = film.until;
  untilTaken(film, clock, (end) => {
    const isRule = film.head.standin;
    if (isRule ? film.until === from : !film.living) return;
    end();
    // What rules live passes too fast to be watched live: it is watched from its beginning.
    if (!isRule) clock.goLive();
    else {
      clock.seek(from);
      clock.play();
    }
  });
}
