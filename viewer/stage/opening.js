// Where a page begins: at the address's moment, at the live edge, or where the town begins to be worth watching.

/** Town seconds from where the page opens to the first talk: time to see who walks up to whom. */
const BEFORE_TALK = 60;
/** The speed at which a talk can be read. */
const READING = 1;

function asAsked(replay, clock, { at, speed, play }) {
  if (speed && speed !== "live") clock.setSpeed(speed);
  clock.seek(at);
  if (!play) return;
  // Where a run's past ends, what comes is waited for: a fork that is just being started.
  if (clock.atEdge && !replay.living) followNewTime(replay, clock);
  else clock.play();
}

/** Return the first talk that is known: its second, its end, whence it is watched, who talks; null where nobody has talked yet. */
function firstTalk(replay) {
  const mark = replay.marks().find(({ kind }) => kind === "talk");
  if (!mark) return null;
  const talk = replay.talksAt(mark.at)[0];
  const { who, end } = talk || { who: [mark.n], end: mark.at + BEFORE_TALK };
  return { at: mark.at, end, from: Math.max(0, mark.at - BEFORE_TALK), who };
}

function beforeTalk(clock, talk, { speed, play }) {
  clock.setSpeed(speed || READING);
  clock.seek(talk.from);
  if (play !== false) clock.play();
}

function atFirstStep(replay, clock, { speed, play }) {
  if (speed) clock.setSpeed(speed);
  clock.seek(Math.min(replay.firstWalk, replay.until));
  if (play !== false) clock.play();
}

/** Call a function with each delta, and with what ends that, until somebody takes the time in hand. */
function untilTaken(replay, clock, heed) {
  let ours = false;
  const move = (act) => {
    ours = true;
    act();
    ours = false;
  };
  const end = () => {
    offClock();
    offReplay();
  };
  const offClock = clock.on(() => ours || end());
  const offReplay = replay.on(() => heed(end, move));
}

/** Go on to the first walk and the first talk as soon as they are known, unless somebody takes the time in hand. */
function awaitScene(replay, clock, asked, onTalk) {
  untilTaken(replay, clock, (end, move) => {
    const talk = firstTalk(replay);
    if (talk && clock.at > talk.from) end();
    else if (talk) {
      end();
      move(() => clock.setSpeed(asked.speed || READING));
      clock.hurry(talk.from);
      onTalk(talk);
    } else if (clock.at < replay.firstWalk && replay.firstWalk < Infinity) move(() => clock.seek(replay.firstWalk));
  });
}

/**
 * Bring a clock to where the page opens.
 * `onTalk` is called with the first talk when the page goes there, which in a town that has just begun is later.
 */
export function opening(replay, clock, asked, onTalk) {
  const wished = { ...asked, speed: asked.speed === "live" ? null : asked.speed };
  const talk = firstTalk(replay);
  if (asked.speed === "live" && replay.living) clock.goLive();
  else if (asked.at !== null) asAsked(replay, clock, asked);
  else if (replay.living && replay.head.standin === false && asked.speed === null) clock.goLive();
  else if (talk) {
    beforeTalk(clock, talk, wished);
    onTalk(talk);
  } else {
    atFirstStep(replay, clock, wished);
    if (replay.living && asked.play !== false) awaitScene(replay, clock, wished, onTalk);
  }
}

/** Show what a run lives from now on, as soon as there is something; unless somebody takes the time in hand before. */
export function followNewTime(replay, clock) {
  const from = replay.until;
  untilTaken(replay, clock, (end) => {
    const isRule = replay.head.standin;
    if (isRule ? replay.until === from : !replay.living) return;
    end();
    // What rules live passes too fast to be watched live: it is watched from its beginning.
    if (!isRule) clock.goLive();
    else {
      clock.seek(from);
      clock.play();
    }
  });
}
