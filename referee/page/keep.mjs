// What a person has done on a page, while its texts are exchanged: in every language the same controls stand in the same
// order.

const CONTROLS = "input:not([type=file]), select, textarea:not([readonly]), details";

/** Have `change` fill a node anew; what was chosen, typed, unfolded and scrolled to is so again. */
export function keeping(node, change) {
  const place = [scrollX, scrollY];
  const before = [...node.querySelectorAll(CONTROLS)].map(({ localName, open, checked, value }) => ({ localName, open, checked, value }));
  change();
  before.forEach((was, at) => {
    // Looked for each time: what is chosen above decides what stands below.
    const now = node.querySelectorAll(CONTROLS)[at];
    if (now?.localName === was.localName) repeat(now, was);
  });
  scrollTo(...place);
}

/** By the events that a person's hands make. */
function repeat(now, was) {
  if (now.localName === "details") now.open = was.open;
  else if (now.type === "radio" || now.type === "checkbox") {
    if (now.checked !== was.checked && (was.checked || now.type === "checkbox")) now.click();
  } else if (now.value !== was.value) {
    now.value = was.value;
    now.dispatchEvent(new Event(now.localName === "select" ? "change" : "input"));
  }
}
