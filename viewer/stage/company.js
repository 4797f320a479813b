// A visitor of this page's own: the town lives at the speed that is chosen here, and waits for who pauses or looks back.
import { PACE } from "./clock.js";
import { visitorLeft, visitorParted, visitorStays, welcomeVisitor } from "./welcome.js";

/** Milliseconds between two times that the run's owner is told the pace; it forgets it when nobody does. */
const BEAT = 2000;
/** The least speed while the visitor walks. */
const WALKING = 8;
/** Town seconds from the edge at which whoever plays is there. */
const CLOSE = 60;

/** Holds the town at the page's clock while its visitor is there; `tell(rate, name)` leads to the server. */
export class Company {
  constructor(stage, tell) {
    this.stage = stage;
    this.tell = tell;
    this.name = null;
    this.isThere = false;
    this.rate = null;
    this.timer = 0;
    /** Whether the card of a talk that is over is open: the town waits for whoever reads it. */
    this.isReading = false;
    stage.clock.on(() => this.renew());
  }

  /** The visitor's number while they are in town, or null. */
  get visitor() {
    const { people, until } = this.stage.replay;
    const n = people.findIndex((person, i) => person.visitor && person.name === this.name && this.stage.replay.present(i, until));
    return n < 0 ? null : n;
  }

  /** The name for the page's address, where it leads to the visitor: not to another moment that is shown. */
  get inAddress() {
    return !this.isThere || this.stage.clock.live ? this.name : null;
  }

  /** Town seconds that may be lived in a second: none while the page shows another moment, or is paused. */
  get wanted() {
    const { clock, replay } = this.stage;
    if (!this.isThere) return PACE * WALKING;
    if (!clock.live || !clock.playing) return 0;
    const spot = replay.position(this.visitor, replay.until);
    return PACE * (spot && spot.walking ? Math.max(clock.speed, WALKING) : clock.speed);
  }

  /** Whether somebody is the visitor with whom this page goes. */
  isOwn(n) {
    return this.isThere && n !== null && n === this.visitor;
  }

  /** A sentence on what the town does for its visitor; empty without one. */
  get said() {
    if (!this.name) return "";
    const { replay, starting } = this.stage;
    if (this.isReading) return `The talk is over. The town waits until ${this.name} closes the card.`;
    if (this.visitor === null) return `${this.name} is on the way to the town.`;
    if (starting.now) return `${this.name} is in town.`;
    if (!replay.living) return `${this.name} is in town, where time stands still: press Go on to continue.`;
    return this.wanted ? `In town as ${this.name}, at your speed.` : `The town waits for ${this.name}: press play.`;
  }

  /**
   * Begin with the visitor of the page's address, who comes with a request where `isSent`. Who has left meanwhile is
   * only told of; with one who was left in town by another page, this one can go on.
   */
  begin(name, isSent) {
    const { replay, scene, served } = this.stage;
    const staying = replay.people.findLastIndex((person, i) => person.visitor && replay.present(i, replay.until));
    const known = replay.people.findIndex((person) => person.visitor && person.name === name);
    if (name && (isSent || known < 0 || replay.present(known, replay.until))) this.join(name);
    else if (name) scene.welcome(visitorLeft(name));
    else if (served && !replay.head.about && staying >= 0) {
      const left = replay.people[staying].name;
      scene.welcome(visitorStays(left, () => this.takeOver(left)));
    }
  }

  /** Go on with a visitor who is in town; where nobody lives the run, it goes on with them. */
  takeOver(name) {
    this.join(name);
    if (!this.stage.replay.living) this.stage.open("resume");
  }

  /** Expect a visitor who was sent from here, and go with them as soon as they are in town. */
  join(name) {
    if (this.name !== name) this.isThere = false;
    this.name = name;
    if (!this.timer) this.timer = setInterval(() => this.watch(), BEAT);
    this.goOn();
    this.watch();
  }

  /** Note whether the card of a talk that is over is open. */
  read(isReading) {
    this.isReading = isReading;
    this.stage.strip.show();
  }

  /** Let the town live on, where it waits for this visitor. */
  goOn() {
    this.read(false);
    this.stage.letGo();
    if (this.isThere && !this.stage.clock.live) this.stage.clock.goLive();
  }

  /** Expect nobody any more: the town did not let them in. */
  giveUp() {
    if (this.name !== null && !this.isThere) this.end();
  }

  /** Let go: the visitor has left, or does not come. */
  end() {
    const { stage, name, isThere } = this;
    this.tell(null, name);
    clearInterval(this.timer);
    this.timer = 0;
    this.name = null;
    this.isThere = false;
    stage.clock.paced = false;
    if (isThere) this.part(name);
    stage.strip.show();
  }

  /** Hold where the visitor was last, in place and time, as the town lives on without them at its full speed. */
  part(name) {
    const { clock, replay, followed, scene } = this.stage;
    if (followed !== null && replay.people[followed].name === name) this.stage.follow(null);
    const { to, stays } = replay.people.findLast((person) => person.visitor && person.name === name);
    if (this.skipped) clock.setSkipping(true);
    if (clock.live) {
      clock.pause();
      clock.seek((stays?.length ? stays.at(-1)[1] : to) * replay.tick);
    }
    scene.welcome(visitorParted(name));
  }

  /** Note what the replay or the clock has become. */
  renew() {
    if (this.name === null || this.isBusy) return;
    this.isBusy = true;
    const n = this.visitor;
    if (n === null && this.isThere) this.end();
    else if (n !== null && !this.isThere && this.stage.replay.living) this.arrive(n);
    else if (this.isThere) this.keep();
    this.isBusy = false;
  }

  arrive(n) {
    const { stage } = this;
    this.isThere = true;
    stage.clock.setSpeed(1);
    this.takeTime();
    stage.clock.goLive();
    // Whoever follows somebody else goes on doing so.
    if (stage.followed === null) stage.follow(n);
    stage.scene.welcome(welcomeVisitor());
    this.beat();
  }

  /** Let the town live by this page's clock. What is quiet is a visitor's own time: it passes as it does, unless they skip it. */
  takeTime() {
    const { clock } = this.stage;
    clock.paced = true;
    this.skipped = clock.skipping;
    clock.setSkipping(false);
  }

  /** Whoever plays up to the edge goes on with the town. */
  keep() {
    const { clock, replay } = this.stage;
    if (clock.playing && !clock.live && replay.until - clock.at < CLOSE) clock.goLive();
    if (this.wanted !== this.rate) this.beat();
  }

  watch() {
    this.renew();
    if (this.name !== null) this.beat();
  }

  beat() {
    const { replay } = this.stage;
    // Only the head of a run says that somebody has left.
    const deed = this.isThere && replay.deed(this.visitor, replay.until);
    if (deed && deed.activity === "leaving") this.stage.askHead();
    this.rate = this.wanted;
    if (this.stage.replay.living || !this.isThere) this.tell(this.rate, this.name);
    this.stage.strip.show();
  }
}
