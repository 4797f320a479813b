// How the page of a run was left, for whoever comes back to it in the same tab.

const keyOf = (run) => `smolville-left-${run}`;

/** Keep how the page is: speed, whether it plays, who is followed, which visitor it goes with, which tab of a person is open. */
export function keepPage(run, page) {
  try {
    sessionStorage.setItem(keyOf(run), JSON.stringify(page));
  } catch {
    // A page from disk may have no memory.
  }
}

function leftPage(run) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(run)));
  } catch {
    return null;
  }
}

/** Return what an address asks for, with what it does not say as the page was left: speed and tab; for who `returns`, all of it. */
export function completed(asked, run) {
  const left = leftPage(run);
  if (!left || asked.at === null) return asked;
  const speed = asked.speed ?? left.speed;
  const { section } = left;
  if (!asked.returns) return { ...asked, speed, section };
  return { ...asked, speed, section, play: asked.play ?? left.playing, followed: left.followed, visitor: asked.visitor ?? left.visitor };
}
