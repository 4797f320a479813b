// Where the replay comes from: the server that watches the run, or the page itself.
import { whyLost } from "./connection.js";

const AGAIN = 1000;

async function read(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(typeof told.detail === "string" ? told.detail : `The server answered ${answer.status}.`);
  return told;
}

export class ServedSource {
  constructor(run) {
    this.run = run;
    this.root = `/replay/${encodeURIComponent(run)}`;
    this.place = "served";
  }

  /** Return head.json: the run, its people, its map. */
  head() {
    return read(`${this.root}/head.json`);
  }

  tracks(since) {
    return read(`${this.root}/tracks.json?since=${since}`);
  }

  person(n) {
    return read(`${this.root}/person/${n}.json`);
  }

  /**
   * Hear what comes: rows, the pulse, and why the server is lost ("" when it is there again).
   * `since()` gives the last tick that is known. Return what ends it.
   */
  live(onTracks, onPulse, onLost, since = () => -1) {
    let stream = null;
    let timer = 0;
    let ended = false;
    const open = () => {
      stream = new EventSource(`${this.root}/live?since=${since()}`);
      stream.addEventListener("open", () => onLost(""));
      stream.addEventListener("tracks", (event) => onTracks(JSON.parse(event.data)));
      stream.addEventListener("pulse", (event) => onPulse(JSON.parse(event.data)));
      // The history was begun anew: nothing that is known here holds any more.
      stream.addEventListener("again", () => location.reload());
      stream.addEventListener("error", lost);
    };
    // A stream that was refused never asks again by itself, and one that broke asks from where it began.
    const lost = async () => {
      stream.close();
      const why = await whyLost();
      if (ended) return;
      onLost(why);
      clearTimeout(timer);
      timer = setTimeout(open, AGAIN);
    };
    const end = () => {
      ended = true;
      clearTimeout(timer);
      stream.close();
    };
    window.addEventListener("pagehide", end);
    open();
    return end;
  }
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** A run inside this page: {head, tracks, people: [life, ...]} as JSON, packed with gzip, in base64. */
export class FileSource {
  constructor(id = "replay") {
    this.packed = document.getElementById(id);
    this.place = "file";
    this.whole = null;
  }

  read() {
    this.whole ||= unpack(this.packed.textContent);
    return this.whole;
  }

  /** Return head.json: the run, its people, its map. */
  async head() {
    return (await this.read()).head;
  }

  async tracks() {
    return (await this.read()).tracks;
  }

  async person(n) {
    return (await this.read()).people[n];
  }

  /** Nothing comes any more. */
  live() {
    return () => {};
  }
}
