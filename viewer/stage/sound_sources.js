// Sounds made of noise and simple tones: a footstep, a kettle, somebody's murmur. Nothing is recorded or loaded.

const SECONDS = 2;
/** The low end of a voice in Hz, and how far voices differ. */
const VOICE = 105;
const RANGE = 95;
const VOWELS = [[700, 1150], [480, 1700], [330, 2100], [520, 950], [360, 800]];

/** Return two seconds of noise. */
export function noiseOf(audio) {
  const buffer = audio.createBuffer(1, audio.sampleRate * SECONDS, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
  return buffer;
}

function filter(audio, type, frequency, Q = 1) {
  return new BiquadFilterNode(audio, { type, frequency, Q });
}

function chain(...nodes) {
  nodes.reduce((one, next) => one.connect(next));
  return nodes.at(-1);
}

/** Let one foot touch the ground: `pan` from -1 (left) to 1, softer on grass than on a floor. */
export function footstep(audio, out, noise, { pan, loud, isIndoors }) {
  const now = audio.currentTime;
  const source = new AudioBufferSourceNode(audio, { buffer: noise, playbackRate: 0.8 + Math.random() * 0.4 });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, now);
  gain.gain.linearRampToValueAtTime(loud * (isIndoors ? 0.5 : 0.35), now + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0005, now + (isIndoors ? 0.09 : 0.14));
  const tone = filter(audio, "lowpass", isIndoors ? 620 + Math.random() * 200 : 380);
  chain(source, tone, gain, new StereoPannerNode(audio, { pan }), out);
  source.start(now, Math.random() * (SECONDS - 0.3), 0.2);
}

/** A sound that goes on, as loud as it is told to be. */
class Lasting {
  constructor(audio, out) {
    this.audio = audio;
    this.gain = new GainNode(audio, { gain: 0 });
    this.pan = new StereoPannerNode(audio);
    chain(this.gain, this.pan, out);
    this.sources = [];
  }

  /** Become as loud as this, from a side, within a moment. */
  be(loud, pan = 0, within = 0.25) {
    const now = this.audio.currentTime;
    this.gain.gain.setTargetAtTime(loud, now, within);
    this.pan.pan.setTargetAtTime(pan, now, within);
  }

  start(...sources) {
    for (const source of sources) source.start();
    this.sources.push(...sources);
  }

  /** Fall silent for good. */
  end() {
    this.be(0, 0, 0.1);
    for (const source of this.sources) source.stop(this.audio.currentTime + 0.6);
  }
}

/** Steam and bubbles of something that boils. */
export class Kettle extends Lasting {
  constructor(audio, out, noise) {
    super(audio, out);
    const hiss = new AudioBufferSourceNode(audio, { buffer: noise, loop: true });
    chain(hiss, filter(audio, "bandpass", 3200, 0.9), new GainNode(audio, { gain: 0.16 }), this.gain);
    const water = new AudioBufferSourceNode(audio, { buffer: noise, loop: true, playbackRate: 0.35 });
    const bubbles = new GainNode(audio, { gain: 0.3 });
    chain(water, filter(audio, "bandpass", 260, 4), bubbles, this.gain);
    const beat = new OscillatorNode(audio, { type: "triangle", frequency: 6.3 });
    chain(beat, new GainNode(audio, { gain: 0.25 }), bubbles.gain);
    this.start(hiss, water, beat);
  }
}

/** Somebody's voice without words; `own` from 0 to 1 tells people apart. */
export class Murmur extends Lasting {
  constructor(audio, out, own) {
    super(audio, out);
    this.pitch = VOICE + own * RANGE;
    this.voice = new OscillatorNode(audio, { type: "sawtooth", frequency: this.pitch });
    this.mouth = new GainNode(audio, { gain: 0 });
    this.formants = [0, 1].map((i) => {
      const formant = filter(audio, "bandpass", VOWELS[0][i], 5);
      chain(this.voice, formant, new GainNode(audio, { gain: i ? 0.35 : 0.8 }), this.mouth);
      return formant;
    });
    chain(this.mouth, filter(audio, "lowpass", 1900), this.gain);
    this.next = 0;
    this.start(this.voice);
  }

  /** Go on to speak: the syllables of the next moment, of `seconds`. */
  speak(seconds) {
    const now = this.audio.currentTime;
    this.next = Math.max(this.next, now);
    while (this.next < now + seconds) {
      const long = 0.11 + Math.random() * 0.14;
      const isPause = Math.random() < 0.14;
      const vowel = VOWELS[Math.floor(Math.random() * VOWELS.length)];
      this.formants.forEach((formant, i) => formant.frequency.setTargetAtTime(vowel[i], this.next, 0.03));
      this.voice.frequency.setTargetAtTime(this.pitch * (0.92 + Math.random() * 0.2), this.next, 0.06);
      this.mouth.gain.setTargetAtTime(isPause ? 0 : 0.5 + Math.random() * 0.4, this.next, 0.03);
      this.mouth.gain.setTargetAtTime(0.06, this.next + long * 0.7, 0.04);
      this.next += isPause ? long * 2.4 : long;
    }
  }
}
