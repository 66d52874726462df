// Elements in a few words, and changing a page in place: what has the focus keeps it.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "title", "use", "defs", "clipPath"]);

/** An element: h("button", {class: "button", onclick: press}, "Deal"). Attributes that are false, null or undefined are left out. */
export function h(tag, attributes, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element[name.toLowerCase()] = value;
    } else if (name === "value" || name === "checked") {
      element[name] = value;
      if (name === "value" && element.tagName !== "TEXTAREA") element.setAttribute(name, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit", "onkeydown", "onkeyup", "onclose", "onpointerdown", "onfocus", "onblur"];

/** Make an element's children those given, changing as little as possible. A `key` attribute tells which is which. */
export function show(parent, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
  const keyed = new Map();
  for (const child of parent.childNodes) {
    const key = child.nodeType === 1 ? child.getAttribute("key") : null;
    if (key) keyed.set(key, child);
  }
  let at = parent.firstChild;
  for (const next of wanted) {
    const key = next.nodeType === 1 ? next.getAttribute("key") : null;
    let have = key ? keyed.get(key) : at;
    if (have && key) {
      if (have !== at) parent.insertBefore(have, at);
      else at = at.nextSibling;
    } else if (have && !key && have.nodeType === 1 && have.getAttribute("key")) {
      have = null;
    } else if (have) {
      at = at.nextSibling;
    }
    if (!have) parent.insertBefore(next, at);
    else if (!same(have, next)) have.replaceWith(next);
    else change(have, next);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function same(have, next) {
  return have.nodeType === next.nodeType && have.nodeName === next.nodeName &&
    (have.nodeType !== 1 || (have.getAttribute("key") === next.getAttribute("key") && have.id === next.id));
}

function change(have, next) {
  if (have === next) return;
  if (have.nodeType !== 1) {
    if (have.data !== next.data) have.data = next.data;
    return;
  }
  for (const { name, value } of [...next.attributes]) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
  for (const { name } of [...have.attributes]) {
    // What the user opened stays open.
    if (!next.hasAttribute(name) && !(name === "open" && /^(DIALOG|DETAILS)$/.test(have.tagName))) have.removeAttribute(name);
  }
  for (const handler of HANDLERS) have[handler] = next[handler];
  if ("checked" in next && have.type !== undefined && have.checked !== next.checked && document.activeElement !== have) have.checked = next.checked;
  // What somebody is typing stays as it is.
  if (have.hasAttribute("data-own")) return;
  show(have, ...[...next.childNodes]);
}

// While somebody presses, the page does not change: the press must end on what it began on, with the same meaning.
const LONGEST_PRESS = 2_000;
let pressed = null;
let waiting = null;

function press() {
  clearTimeout(pressed);
  pressed = setTimeout(release, LONGEST_PRESS);
}

function release() {
  clearTimeout(pressed);
  pressed = null;
  if (waiting) main(...waiting);
}

/** The press is over, and its click is about to come: on a touch screen a little later. */
function lift() {
  if (pressed === null) return;
  clearTimeout(pressed);
  pressed = setTimeout(release, 50);
}

addEventListener("pointerdown", press, true);
addEventListener("keydown", (event) => { if (event.key === " ") press(); }, true);
for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) addEventListener(end, lift, true);
// What a click draws is newer than what waits.
addEventListener("click", () => {
  clearTimeout(pressed);
  pressed = null;
  setTimeout(release);
}, true);

/** The page's main part shows this: at once, or as soon as a press is over. */
export function main(...children) {
  waiting = pressed === null ? null : children;
  if (!waiting) show(document.getElementById("main"), ...children);
}

/** Focus the first thing in an element that can take it. */
export function focusIn(element) {
  element.querySelector("input, button, select, textarea, a[href]")?.focus();
}
