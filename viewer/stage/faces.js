// Faces of people on pages without a map: <town-face look colour age>, drawn as on the map.
import { hairBehind, head } from "./map/heads.js";
import { lookOf } from "./map/looks.js";
import { slab } from "./map/pencil.js";

/** Pixels of the picture, sharp on dense screens too. */
const SIDE = 96;
const HEAD = -0.31;

function draw(canvas, look) {
  const c = canvas.getContext("2d");
  c.translate(SIDE / 2, SIDE);
  c.scale(SIDE * 1.5, SIDE * 1.5);
  hairBehind(c, look, "down", HEAD);
  slab(c, -0.24, -0.13, 0.48, 0.3, 0.12, look.coat, look.line);
  head(c, look, "down", HEAD);
}

class TownFace extends HTMLElement {
  static observedAttributes = ["look", "colour", "age"];

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  show() {
    const of = (name) => this.getAttribute(name);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    draw(canvas, lookOf({ look: Number(of("look")), colour: of("colour"), age: Number(of("age")) }));
    this.replaceChildren(canvas);
  }
}

customElements.define("town-face", TownFace);
