// What one can do on the stage: with time, with the map, with people.
import { openHelp } from "./help.js";
import { followNewTime } from "./opening.js";
import { PAN, PlayActs } from "./play_acts.js";

function whereIs(replay, thing, at) {
  if (thing.kind === "person") return replay.position(thing.n, at);
  const list = { sector: replay.map.sectors, arena: replay.map.arenas, object: replay.map.objects }[thing.kind];
  const { address, index } = thing;
  return address === undefined ? list[index] : list.find((entry) => entry.address === address);
}

/** What keys, buttons and lists ask of the stage. */
export class StageActs extends PlayActs {
  /** Go to the next mark of the time bar. */
  nextMark() {
    const mark = this.replay.markAfter(this.clock.at);
    if (mark) this.clock.seek(mark.at);
  }

  /** Go to the live edge, or to the end of a run that is over. */
  live() {
    if (this.replay.living) this.clock.goLive();
    else this.clock.seek(Infinity);
  }

  /** Show a second, and there whom or what something was about: a person's name, with a tab of theirs, or an object's address. */
  reveal({ at, target, tab }) {
    this.holdAt(at);
    const n = this.replay.people.findIndex(({ name }) => name === target);
    const index = this.replay.map.objects.findIndex(({ address }) => address === target);
    if (n >= 0) {
      this.go({ kind: "person", n });
      this.panel.choose(tab);
    } else if (index >= 0) this.go({ kind: "object", index });
    else this.side.turn("feed");
  }

  /** Show what is lived from now on, as the run is about to go on. */
  goOn() {
    if (!this.pulse) this.starting.begin();
    followNewTime(this.replay, this.clock);
  }

  /** Hold time at a second, as soon as the replay has come so far. */
  holdAt(at) {
    const arrive = () => {
      if (this.replay.until < at && this.replay.living) return;
      this.letGo();
      this.clock.pause();
      this.clock.seek(at);
    };
    this.letGo();
    this.letGo = this.replay.on(arrive);
    arrive();
  }

  /** Hold time nowhere that is still to come. */
  letGo() {}

  /** Open the search. */
  find() {
    this.finder.open();
  }

  /** Open the help. */
  help() {
    openHelp(this.root, { town: true });
  }

  /** Put a link to this moment where it can be pasted from. */
  copyLink() {
    if (this.served) this.bar.copy(() => this.address.copy());
  }

  /** Move the map by parts of a step. */
  pan([x, y]) {
    this.follow(null);
    this.map.pan(x * PAN, y * PAN);
  }

  /** Bring the map closer or farther. */
  zoom(factor) {
    this.map.zoom(factor);
  }

  /** Show the whole town. */
  fit() {
    this.follow(null);
    this.map.fit();
  }

  /** Select the next person in the list who is in town, or the one before. */
  nextPerson(way) {
    const listed = this.roster.listed().filter((n) => this.replay.present(n, this.clock.at));
    if (!listed.length) return;
    const here = listed.indexOf(this.selected);
    const next = here < 0 ? (way > 0 ? 0 : -1) : (here + way) % listed.length;
    const n = listed.at(next);
    this.select(n);
    if (this.followed === null) this.showThing({ kind: "person", n });
  }

  /** Select what was clicked on the map. */
  pick(thing) {
    if (thing?.kind === "talk") {
      this.select(thing.n);
      this.panel.readTalk(thing.talk, thing.line);
      return;
    }
    if (thing?.kind === "person") {
      this.select(thing.n);
      return;
    }
    this.map.selected = thing;
    if (thing) this.scene.name(thing);
  }

  /** Show what was found, and select it where it is a person. */
  go(thing) {
    this.follow(null);
    if (thing.kind === "person") this.select(thing.n);
    else {
      this.map.selected = thing;
      this.scene.name(thing);
    }
    this.showThing(thing);
  }

  /** Have those who talk in what a visitor's card leaves free of the map. */
  watchTalk(names) {
    const numbers = names.map((name) => this.replay.people.findIndex((person) => person.name === name));
    this.map.gather(numbers.filter((n) => n >= 0));
  }

  /** Bring a person, place or object into view. */
  showThing(thing) {
    const there = whereIs(this.replay, thing, this.clock.at);
    if (there) this.map.show(there);
  }

  /** Turn the sounds of what is seen on or off. */
  toggleSounds() {
    this.scene.speaker.setAttribute("aria-pressed", String(this.sounds.toggle()));
  }

  /** Draw the town as drawn art, or with the pixels its map brought. */
  turnArt() {
    this.art = this.map.setArt(this.art === "tiles" ? "drawn" : "tiles");
    return this.art;
  }

  /** Note the request whose card is shown, so that it is there again for whoever comes back; null for none. */
  noteRequest(id) {
    this.request = id;
    this.address.write();
  }

  /** Select a person. */
  select(n) {
    this.selected = n;
    this.map.selected = n;
    this.roster.select(n);
    this.nobody.hidden = n !== null;
    this.panel.show(n);
    this.panel.at(this.clock.at);
    this.side.name("person", n === null ? "Person" : this.replay.people[n].short);
    if (n !== null) this.side.turn("person");
    // Whoever is in town as a visitor looks at others, and stays with themselves.
    if (this.followed !== null && !this.company.isOwn(this.followed)) this.follow(n);
    this.scene.show();
    this.address.touch();
    this.loop.wake();
    this.tell("select", n);
  }

  /** Select nobody. */
  deselect() {
    if (!this.company.isOwn(this.followed)) this.follow(null);
    this.select(null);
    this.side.turn("people");
  }

  /** Keep a person in the middle of the map; null for nobody. */
  follow(n) {
    if (n === this.followed) return;
    this.followed = n;
    if (n !== null && n !== this.selected) this.select(n);
    this.map.follow(n);
    this.panel.follow(n);
    this.scene.show();
    this.address.touch();
    this.loop.wake();
  }

  /** Follow the selected person; where they are followed already, or nobody is selected, nobody any more. */
  toggleFollow() {
    this.follow(this.followed === this.selected ? null : this.selected);
  }
}
