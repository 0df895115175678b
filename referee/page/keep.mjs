// Keeps what a person did on a page while its language changes: the controls are the same in every language, in the
// same order.

const CONTROLS = "input:not([type=file]), select, textarea:not([readonly]), details";

/** Have `change` refill a node, then restore what was chosen, typed, expanded and scrolled to. */
export function keeping(node, change) {
  const place = [scrollX, scrollY];
  const before = [...node.querySelectorAll(CONTROLS)].map(({ localName, open, checked, value }) => ({ localName, open, checked, value }));
  change();
  before.forEach((was, at) => {
    // Searched each time: choices above decide what is below.
    const now = node.querySelectorAll(CONTROLS)[at];
    if (now?.localName === was.localName) repeat(now, was);
  });
  scrollTo(...place);
}

/** With the events that a person's input would cause. */
function repeat(now, was) {
  if (now.localName === "details") now.open = was.open;
  else if (now.type === "radio" || now.type === "checkbox") {
    if (now.checked !== was.checked && (was.checked || now.type === "checkbox")) now.click();
  } else if (now.value !== was.value) {
    now.value = was.value;
    now.dispatchEvent(new Event(now.localName === "select" ? "change" : "input"));
  }
}
