// Elements. Strings go into the page as text only.

const SVG = "http://www.w3.org/2000/svg";

/** An element; functions are event handlers, and null or false omits an attribute. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** A link that saves bytes as a file. */
export function download(name, bytes, label, attributes = {}) {
  const link = el("a", { class: "button", download: name, ...attributes }, label);
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  return link;
}

export function details(summary, ...children) {
  return el("details", {}, el("summary", {}, summary), ...children);
}

/** A place where files are picked or dropped; `take` gets them, and what was dropped. `id` is that of the input. */
export function dropZone(id, take, label, hint) {
  const input = el("input", { type: "file", multiple: true, id, change: () => take([...input.files]).finally(() => (input.value = "")) });
  const zone = el(
    "div",
    {
      class: "drop",
      dragover: (event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      dragleave: () => zone.classList.remove("over"),
      drop: (event) => {
        event.preventDefault();
        event.stopPropagation(); // it was meant for this place
        zone.classList.remove("over");
        take([...event.dataTransfer.files], event.dataTransfer);
      },
    },
    input,
    el("label", { for: id, class: "button" }, label),
    el("p", { class: "soft" }, hint),
  );
  return zone;
}

/** A text with `commands` set as code. */
export function marked(text) {
  return text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

/** A list of lines under a heading; nothing if there are none. `lang`: the language of the lines, if it is another one. */
export function listed(heading, lines, attributes = {}, lang = null) {
  if (!lines.length) return null;
  const items = lines.map((line) => el("li", {}, line));
  return el("section", attributes, el("h3", {}, heading), el("ul", { lang }, items));
}
