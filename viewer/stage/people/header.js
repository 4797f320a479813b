// Who the panel is about: disc, name, age, traits, home and work, and what one can do with them.

import { button, fill, h, words } from "../dom.js";
import { moment } from "../times.js";
import { disc, fact } from "./pieces.js";
import { placeWords } from "./words.js";

/** The head of a person's panel. */
export class PersonHeader {
  constructor(scene) {
    this.scene = scene;
    this.told = h("p", { class: "person-told soft", role: "status" });
    this.followButton = button("Follow", () => this.follow(), { class: "person-button", "aria-pressed": "false" });
    this.root = h("header", { class: "person-head" });
    this.draw();
  }

  /** Draw it. */
  draw() {
    const { replay, n, inFile, calls } = this.scene;
    const person = replay.people[n];
    const facts = [];
    if (person.home || !person.visitor) facts.push(fact("Home", words(placeWords(person.home) || "–")));
    if (person.work) facts.push(fact("Work", words(placeWords(person.work))));
    const acts = [this.followButton];
    if (!inFile) {
      acts.push(button("Take part", () => calls.onOpen("take-part", { who: person.name }), { class: "person-button" }));
      acts.push(button("Copy link", () => this.copy(), { class: "person-button", "aria-label": `Copy link to ${person.short}` }));
    }
    if (calls.onClose) {
      acts.push(button("✕", () => calls.onClose(), { class: "person-button person-close", "aria-label": "Close" }));
    }
    const who = h(
      "div",
      { class: "person-who" },
      h("h2", { class: "person-name", tabindex: "-1" }, words(person.name)),
      h("p", { class: "soft" }, this.traits(person)),
    );
    fill(
      this.root,
      h("div", { class: "person-top" }, disc(person, "disc-large"), who),
      facts.length ? h("dl", { class: "facts person-places" }, facts) : "",
      h("div", { class: "person-acts" }, acts),
      this.told,
    );
  }

  traits(person) {
    if (person.visitor) return ["a visitor", person.traits ? " · " : "", words(person.traits || "")];
    const age = person.age ? `${person.age}` : "";
    return [age, age && person.traits ? " · " : "", words(person.traits || "")];
  }

  /** Show whether this person is followed. */
  followed(isFollowed) {
    this.followButton.setAttribute("aria-pressed", String(isFollowed));
    this.followButton.textContent = isFollowed ? "Following" : "Follow";
  }

  follow() {
    const isFollowed = this.followButton.getAttribute("aria-pressed") === "true";
    this.scene.calls.onFollow?.(isFollowed ? null : this.scene.n);
    this.followed(!isFollowed);
  }

  async copy() {
    const link = this.link();
    try {
      await navigator.clipboard.writeText(link);
      this.told.textContent = "The link to this moment is copied.";
    } catch {
      const field = h("input", { class: "find-field", readonly: true, value: link, "aria-label": "Link to this moment" });
      fill(this.told, field);
      field.select();
    }
  }

  link() {
    const { replay, n, at } = this.scene;
    const url = new URL(window.location.href);
    url.searchParams.set("at", moment(at));
    url.searchParams.set("who", replay.people[n].name);
    return url.href;
  }
}
