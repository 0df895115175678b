// A signed document on its way to the host of the document that it answers: as a reply, as a file, as a block.

import { writeBlock } from "./blocks.mjs";
import { download, el, fill } from "./dom.mjs";
import { t } from "./texts.mjs";

/** Signed documents: the place on the page -> what is shown there instead of a form. */
export const done = new Map();

/** `reply`: address and subject of the mail that brought the answered document; `subject`: if it did not come by mail. */
export function sending(kind, name, bytes, { reply, subject, title = "" }) {
  const block = writeBlock(kind, bytes);
  const id = (name) => (kind === "word" ? `word-${name}` : name);
  const told = el("span", { role: "status" });
  const area = el("textarea", { id: id("block"), readonly: true, rows: 8, focus: () => area.select() });
  area.value = block;
  const copy = async () => {
    area.select();
    try {
      await navigator.clipboard.writeText(block);
    } catch {
      document.execCommand("copy");
    }
    fill(told, t("copied"));
  };
  return el(
    "div",
    { class: "sending" },
    title ? el("p", { class: "good", role: "status" }, title) : null,
    el("div", { class: "row" },
      el("a", { class: "button main", id: id("mail"), href: mailto(reply.to, reply.subject || subject, block) }, reply.to ? t("send mail") : t("send mail no address")),
      download(name, bytes, t("send file"), { id: id("file") })),
    reply.to ? el("p", { class: "soft" }, t("send mail to", { to: reply.to })) : null,
    el("label", { for: id("block") }, t("send block")),
    area,
    el("div", { class: "row" }, el("button", { type: "button", id: id("copy"), click: copy }, t("copy")), told),
  ); // prettier-ignore
}

function mailto(to, subject, block) {
  const head = /^(?:re|aw|antw)\s?:/i.test(subject) ? subject : `Re: ${subject}`;
  const address = encodeURIComponent(to).replace("%40", "@");
  return `mailto:${address}?subject=${encodeURIComponent(head)}&body=${encodeURIComponent(block.replace(/\n/g, "\r\n"))}`;
}
