// Elements of a page, made so that a text stays a text: nothing here reads markup.

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (value === true) node.setAttribute(name, "");
  else node.setAttribute(name, String(value));
}

/** Return an element; children are nodes or texts, `on...` attributes are listeners, false ones are left out. */
export function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) set(node, name, value);
  put(node, children);
  return node;
}

function put(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function fill(node, ...children) {
  clear(node);
  put(node, children);
  return node;
}

export function clear(node) {
  node.replaceChildren();
  return node;
}

/** Return an emoji in an element of its own, which readers of the screen pass over. */
export function emoji(text) {
  return h("span", { class: "emoji", "aria-hidden": "true" }, text);
}

/** Return foreign words (of a model, a persona, an operator), kept from turning their surroundings around. */
export function words(text) {
  return h("bdi", {}, text);
}

/** Write a text into a node only where it differs, and return whether it did. */
export function say(node, text) {
  if (node.textContent === text) return false;
  node.textContent = text;
  return true;
}

/** Return a button: what it says or shows, its name for those who do not see it, and what it does. */
export function button(label, act, attributes) {
  return h("button", { type: "button", onclick: act, ...attributes }, label);
}

export function drawing(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  node.append(...children);
  return node;
}

/** Return a drawn sign of 16 by 16 whose path is filled with the colour of the text around it. */
export function icon(path) {
  return drawing("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, drawing("path", { d: path }));
}
