// A visitor of this page's own: the town lives at the speed that is chosen here, and waits for who pauses or looks back.
import { PACE } from "./clock.js";
import { welcomeVisitor } from "./welcome.js";

/** Milliseconds between two times that the run's owner is told the pace; it forgets it when nobody does. */
const BEAT = 2000;
/** The least speed while the visitor walks. */
const WALKING = 8;
/** Town seconds from the edge at which whoever plays is there. */
const CLOSE = 60;

/** Holds the town at the page's clock while its visitor is there; `tell(rate)` leads to the server. */
export class Company {
  constructor(stage, tell) {
    this.stage = stage;
    this.tell = tell;
    this.name = null;
    this.isThere = false;
    this.rate = null;
    this.timer = 0;
    stage.clock.on(() => this.renew());
  }

  /** The visitor's number while they are in town, or null. */
  get visitor() {
    const { people, until } = this.stage.film;
    const n = people.findIndex((person, i) => person.visitor && person.name === this.name && this.stage.film.present(i, until));
    return n < 0 ? null : n;
  }

  /** The name for the page's address, where it leads to the visitor: not to another moment that is shown. */
  get inAddress() {
    return !this.isThere || this.stage.clock.live ? this.name : null;
  }

  /** Town seconds that may be lived in a second: none while the page shows another moment, or is paused. */
  get wanted() {
    const { clock, film } = this.stage;
    if (!this.isThere) return PACE * WALKING;
    if (!clock.live || !clock.playing) return 0;
    const spot = film.position(this.visitor, film.until);
    return PACE * (spot && spot.walking ? Math.max(clock.speed, WALKING) : clock.speed);
  }

  /** Whether somebody is the visitor with whom this page goes. */
  isOwn(n) {
    return this.isThere && n !== null && n === this.visitor;
  }

  /** A sentence on what the town does for its visitor; empty without one. */
  get said() {
    if (!this.isThere) return this.name ? `${this.name} is on the way to the town.` : "";
    return this.wanted ? `In town as ${this.name}, at your speed.` : `The town waits for ${this.name}: press play.`;
  }

  /** Expect a visitor who was sent from here, and go with them as soon as they are in town. */
  join(name) {
    if (this.name !== name) this.isThere = false;
    this.name = name;
    if (!this.timer) this.timer = setInterval(() => this.watch(), BEAT);
    this.goOn();
    this.watch();
  }

  /** Let the town live on, where it waits for this visitor. */
  goOn() {
    this.stage.letGo();
    if (this.isThere && !this.stage.clock.live) this.stage.clock.goLive();
  }

  /** Expect nobody any more: the town did not let them in. */
  giveUp() {
    if (this.name !== null && !this.isThere) this.end();
  }

  /** Let go: whoever is in town goes on without this page. */
  end() {
    clearInterval(this.timer);
    this.timer = 0;
    this.name = null;
    if (this.isThere && this.skipped) this.stage.clock.setSkipping(true);
    this.isThere = false;
    this.stage.clock.paced = false;
    this.stage.strip.show();
  }

  /** Note what the film or the clock has become. */
  renew() {
    if (this.name === null || this.isBusy) return;
    this.isBusy = true;
    const n = this.visitor;
    if (n === null && this.isThere) this.end();
    else if (n !== null && !this.isThere && this.stage.film.living) this.arrive(n);
    else if (this.isThere) this.keep();
    this.isBusy = false;
  }

  arrive(n) {
    const { stage } = this;
    this.isThere = true;
    stage.clock.setSpeed(1);
    this.takeTime();
    stage.clock.goLive();
    stage.follow(n);
    stage.scene.welcome(welcomeVisitor());
    this.beat();
  }

  /** Be with a visitor again who is in town, at the moment that is shown; the town waits meanwhile. */
  rejoin(name) {
    this.name = name;
    this.isThere = this.visitor !== null;
    if (!this.isThere) {
      this.name = null;
      return;
    }
    this.takeTime();
    this.timer = setInterval(() => this.watch(), BEAT);
    this.watch();
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
    const { clock, film } = this.stage;
    if (clock.playing && !clock.live && film.until - clock.at < CLOSE) clock.goLive();
    if (this.wanted !== this.rate) this.beat();
  }

  watch() {
    this.renew();
    if (this.name !== null) this.beat();
  }

  beat() {
    const { film } = this.stage;
    // Only the head of a run says that somebody has left.
    const deed = this.isThere && film.deed(this.visitor, film.until);
    if (deed && deed.activity === "leaving") this.stage.askHead();
    this.rate = this.wanted;
    if (this.stage.film.living || !this.isThere) this.tell(this.rate);
    this.stage.strip.show();
  }
}
