// What a card of the server lies over of the map: the rest is where people are looked at. On a phone it is a sheet below.

const CARD = ".turn-card";

/** Tells a map, on a phone the style sheets, how high a visitor's card is, from when it comes to when it goes. */
export class Cover {
  constructor(map) {
    this.map = map;
    this.card = null;
    this.covered = 0;
    this.sizes = new ResizeObserver(() => this.measure());
    // Dialogs are put at the end of the page; what is in them is there with the next picture.
    new MutationObserver(() => requestAnimationFrame(() => this.find())).observe(document.body, { childList: true });
  }

  find() {
    const card = document.querySelector(CARD);
    if (card === this.card) return;
    this.sizes.disconnect();
    this.card = card;
    if (card) this.sizes.observe(card);
    else this.measure();
  }

  measure() {
    const { card, map } = this;
    // On a phone the card lies over the side instead.
    const isBeside = matchMedia("(max-width: 760px)").matches;
    const isSheet = card?.isConnected && isBeside;
    document.documentElement.style.setProperty("--sheet", isSheet ? `${card.offsetHeight}px` : "");
    const covered = card?.isConnected && !isBeside ? card.offsetHeight : 0;
    if (!card?.isConnected) map.gather([]);
    if (covered === this.covered) return;
    this.covered = covered;
    map.cover(covered);
  }
}
