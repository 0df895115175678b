// The switch of languages. What is chosen is all that a page keeps in a browser that keeps something.

import { el } from "./dom.mjs";
import { LANGUAGES, ofBrowser, speak, spokenNow, t } from "./texts.mjs";

const KEPT = "pbem-referee language";

/** Speak the language of the reader: the one chosen before, or else `usual`, or else the browser's. */
export function speakToReader(usual = "") {
  speak(ofBrowser());
  speak(usual);
  try {
    speak(localStorage.getItem(KEPT));
  } catch {
    // This browser keeps nothing.
  }
  document.documentElement.lang = spokenNow();
}

function choose(language) {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // The choice holds as long as the page is open.
  }
  speak(language);
  document.documentElement.lang = language;
}

/** A button for each language; `changed` is called when another one is spoken. */
export function languageSwitch(changed) {
  const button = ([code, name]) => {
    const pick = async () => {
      choose(code);
      await changed();
      document.querySelector(`#language [lang=${code}]`).focus({ preventScroll: true });
    };
    return el("button", { type: "button", lang: code, "aria-pressed": String(code === spokenNow()), click: pick }, name);
  };
  return el("div", { id: "language", role: "group", class: "language no-print", "aria-label": t("language") }, Object.entries(LANGUAGES).map(button));
}
