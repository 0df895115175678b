// The language switch. The chosen language is the only thing that a page stores, if the browser lets it.

import { el } from "./dom.mjs";
import { LANGUAGES, browserLanguage, setLanguage, currentLanguage, t } from "./texts.mjs";

const KEPT = "pbem-referee language";

/** Use the reader's language: the one chosen before, or else `usual`, or else the browser's. */
export function speakToReader(usual = "") {
  setLanguage(browserLanguage());
  setLanguage(usual);
  try {
    setLanguage(localStorage.getItem(KEPT));
  } catch {
    // This browser stores nothing.
  }
  document.documentElement.lang = currentLanguage();
}

function choose(language) {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // The choice lasts while the page is open.
  }
  setLanguage(language);
  document.documentElement.lang = language;
}

/** A button for each language; `changed` is called when the language changes. */
export function languageSwitch(changed) {
  const button = ([code, name]) => {
    const pick = async () => {
      choose(code);
      await changed();
      document.querySelector(`#language [lang=${code}]`).focus({ preventScroll: true });
    };
    return el("button", { type: "button", lang: code, "aria-pressed": String(code === currentLanguage()), click: pick }, name);
  };
  return el("div", { id: "language", role: "group", class: "language no-print", "aria-label": t("language") }, Object.entries(LANGUAGES).map(button));
}
