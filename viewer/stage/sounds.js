// What is heard of the part of the town that is seen: steps, something that boils, people who talk. Off until asked for.
import { isHot } from "./map/steam.js";
import { footstep, Kettle, Murmur, noiseOf } from "./sound_sources.js";

const BEAT = 120;
const STRIDE = 460;
/** The most people whose steps and voices are told apart. */
const WALKERS = 4;
const VOICES = 2;
const LOUDEST = 0.55;
/** Pixels of a tile at which sounds are as loud as they get. */
const NEAR = 40;

/** The sounds of a stage's map. */
export class Sounds {
  constructor(stage) {
    this.stage = stage;
    this.audio = null;
    this.timer = 0;
    this.strides = new Map();
    this.voices = new Map();
  }

  /** Whether they are on. */
  get on() {
    return this.timer !== 0;
  }

  /** Turn them on or off; return whether they are on. */
  toggle() {
    if (this.on) this.hush();
    else this.begin();
    return this.on;
  }

  begin() {
    if (!this.audio) {
      this.audio = new AudioContext();
      this.out = new GainNode(this.audio, { gain: LOUDEST });
      this.out.connect(new DynamicsCompressorNode(this.audio)).connect(this.audio.destination);
      this.noise = noiseOf(this.audio);
      this.kettle = new Kettle(this.audio, this.out, this.noise);
    }
    this.audio.resume();
    this.timer = setInterval(() => this.listen(), BEAT);
  }

  hush() {
    clearInterval(this.timer);
    this.timer = 0;
    this.audio.suspend();
  }

  /** Make heard what is on the map at this moment; nothing while time is held or nobody looks. */
  listen() {
    const { stage } = this;
    const isHeard = stage.clock.playing && !document.hidden;
    const { map } = stage;
    const near = isHeard ? Math.min(1, map.camera.now.scale / NEAR) : 0;
    const boxes = isHeard ? map.drawn.boxes : [];
    this.step(boxes.filter(({ one }) => one.pose === "walking").slice(0, WALKERS), near);
    this.boil(near);
    this.talk(boxes, near);
  }

  side({ x, w }) {
    return Math.max(-1, Math.min(1, ((x + w / 2) / this.stage.map.camera.wide) * 2 - 1)) * 0.8;
  }

  step(walkers, near) {
    const now = performance.now();
    for (const walker of walkers) {
      const { n, one } = walker;
      if (now - (this.strides.get(n) || 0) < STRIDE) continue;
      this.strides.set(n, now + Math.random() * 40);
      const isIndoors = this.stage.map.town.isIndoors(Math.floor(one.x), Math.floor(one.y));
      footstep(this.audio, this.out, this.noise, { pan: this.side(walker), loud: near, isIndoors });
    }
  }

  boil(near) {
    const { map, replay, clock } = this.stage;
    const seen = near ? map.inView(replay, clock.at).filter(isHot) : [];
    this.kettle.be(seen.length ? near * 0.5 : 0, 0, 0.6);
  }

  /** Let those speak whose line is being said. */
  talk(boxes, near) {
    const { replay, clock } = this.stage;
    const speaking = new Map();
    for (const talk of near ? replay.talksAt(clock.at) : []) {
      const line = replay.lineAt(talk, clock.at);
      const box = line && boxes.find(({ n }) => n === line.n);
      if (box && speaking.size < VOICES) speaking.set(line.n, box);
    }
    for (const [n, voice] of this.voices) {
      if (speaking.has(n)) continue;
      voice.end();
      this.voices.delete(n);
    }
    for (const [n, box] of speaking) {
      if (!this.voices.has(n)) this.voices.set(n, new Murmur(this.audio, this.out, ((n * 0.618) % 1)));
      const voice = this.voices.get(n);
      voice.be(near * 0.35, this.side(box), 0.12);
      voice.speak((BEAT / 1000) * 2);
    }
  }
}
