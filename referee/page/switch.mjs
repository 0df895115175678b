// The switch of languages. What is chosen is kept nowhere.

import { el } from "./dom.mjs";
import { LANGUAGES, speak, spokenNow, t } from "./texts.mjs";

/** Speak a language, and say so to the browser. */
export function speakTo(language) {
  speak(language);
  document.documentElement.lang = spokenNow();
}

/** A list of languages; `changed` is called when another one is spoken. */
export function languageSwitch(changed) {
  const rows = Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code, selected: code === spokenNow() }, name));
  const list = el("select", { id: "language", "aria-label": t("language") }, rows);
  list.addEventListener("change", () => {
    speakTo(list.value);
    changed();
    document.getElementById("language").focus();
  });
  return el("div", { class: "language no-print" }, list);
}
