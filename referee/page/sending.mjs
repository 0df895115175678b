// A signed document on its way to the host of the document that it answers: as a reply, as a file, as a block.

import { writeBlock } from "./blocks.mjs";
import { download, el, fill } from "./dom.mjs";
import { t } from "./texts.mjs";

/** Longer links are cut off by some systems. */
const MAIL_MOST = 1800;
/** What makes the replies: the last line says it, below the mark of a signature, so that an office knows what its reader uses. */
let maker = () => "program";

/** Say what makes the replies of this page: "page", or "page+rules". */
export function madeBy(name) {
  maker = name;
}

/** The ways for a signed document; `reply`: address and subject of the mail that brought the answered document; `subject`: if
 * it did not come by mail; `title`: the name of the text above them. */
export function sending({ kind, name, bytes, reply, subject, title = "" }) {
  const block = `${writeBlock(kind, bytes)}\n-- \npbem-referee/${maker()}\n`;
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
  const whole = mailto(reply.to, reply.subject || subject, block);
  const fits = whole.length <= MAIL_MOST;
  const link = fits
    ? el("a", { class: "button main", id: id("mail"), href: whole }, t(reply.to ? "send mail" : "send mail no address"))
    : el("a", { class: "button main", id: id("mail"), href: mailto(reply.to, reply.subject || subject), click: copy }, t("send mail paste"));
  return el(
    "div",
    { class: "sending" },
    title ? el("p", { class: "good", role: "status" }, t(title)) : null,
    el("div", { class: "row" }, link, download(name, bytes, t("send file"), { id: id("file") })),
    reply.to ? el("p", { class: "soft" }, t("send mail to", { to: reply.to })) : null,
    fits ? null : el("p", { class: "soft" }, t("send long")),
    el("label", { for: id("block") }, t("send block")),
    area,
    el("div", { class: "row" }, el("button", { type: "button", id: id("copy"), click: copy }, t("copy")), told),
  ); // prettier-ignore
}

/** A link that begins a mail; without a text, one that only has its address and subject. */
function mailto(to, subject, text = "") {
  const head = /^(?:re|aw|antw)\s?:/i.test(subject) ? subject : `Re: ${subject}`;
  const address = encodeURIComponent(to).replace("%40", "@");
  const body = text && `&body=${encodeURIComponent(text.replace(/\n/g, "\r\n"))}`;
  return `mailto:${address}?subject=${encodeURIComponent(head)}${body}`;
}
