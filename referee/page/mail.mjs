// The documents in a saved mail, and whom to reply to. Nothing else in a mail is trusted.

const PARTS_MOST = 200;
const DEEPEST = 6;
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}$/;

/** Whether a file begins like a mail. */
export function isMail(text) {
  const head = text.slice(0, 8000).replace(/^\ufeff?\s*/, "");
  const field = /^[A-Za-z][A-Za-z0-9-]{1,60}:/.test(head) || /^From /.test(head);
  return field && /^(?:from|to|subject|date|message-id|mime-version|received|content-type):/im.test(head);
}

/** `{documents: [{name, bytes}], texts: [...], reply: {to, subject}}` of a mail, given one character for each byte. */
export function readMail(raw) {
  const texts = [];
  const documents = [];
  const [headers] = split(raw.replace(/^\ufeff?\s*(?:From .*\r?\n)?/, ""));
  let left = PARTS_MOST;
  const visit = (part, depth = 0) => {
    if (left-- <= 0 || depth > DEEPEST) return;
    const [fields, body] = split(part);
    const type = fields.get("content-type") ?? "text/plain";
    const boundary = /boundary="?([^";\r\n]{1,200})"?/i.exec(type)?.[1]?.trim();
    if (/^\s*multipart\//i.test(type) && boundary) return parts(body, boundary).forEach((one) => visit(one, depth + 1));
    const bytes = decoded(body, (fields.get("content-transfer-encoding") ?? "").trim().toLowerCase());
    if (/^\s*message\/rfc822/i.test(type)) return visit(binary(bytes), depth + 1);
    const name = named(fields);
    if (/^\s*text\/(?:plain|html)/i.test(type) && !/\.json$/i.test(name)) texts.push(new TextDecoder().decode(bytes));
    else if (!/^\s*image\//i.test(type)) documents.push({ name, bytes });
  };
  visit(raw.replace(/^\ufeff?\s*(?:From .*\r?\n)?/, ""));
  return { documents, texts, reply: { to: replyTo(headers), subject: words(headers.get("subject") ?? "") } };
}

/** Bytes as text with one character for each. */
export function binary(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function split(part) {
  const end = /\r?\n\r?\n/.exec(part);
  const head = (end ? part.slice(0, end.index) : part).replace(/\r?\n[ \t]+/g, " ");
  const fields = new Map();
  for (const line of head.split(/\r?\n/)) {
    const found = /^([A-Za-z0-9-]{1,70}):\s*(.*)$/.exec(line);
    if (found && !fields.has(found[1].toLowerCase())) fields.set(found[1].toLowerCase(), found[2]);
  }
  return [fields, end ? part.slice(end.index + end[0].length) : ""];
}

function parts(body, boundary) {
  const pieces = ("\n" + body).split(`\n--${boundary}`).slice(1);
  return pieces.filter((piece) => !piece.startsWith("--")).map((piece) => piece.replace(/^[^\n]*\n/, ""));
}

function decoded(body, encoding) {
  let text = body;
  if (encoding === "base64") {
    try {
      text = atob(body.replace(/[^A-Za-z0-9+/]/g, ""));
    } catch {
      text = "";
    }
  } else if (encoding === "quoted-printable") text = quoted(body);
  return bytesOf(text);
}

/** The bytes of a text with one character for each. */
export function bytesOf(text) {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function quoted(text) {
  const joined = text.replace(/=[ \t]*\r?\n/g, "");
  return joined.replace(/=([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

function named(fields) {
  const where = `${fields.get("content-disposition") ?? ""}; ${fields.get("content-type") ?? ""}`;
  return words(/name="?([^";\r\n]{1,200})"?/i.exec(where)?.[1] ?? "");
}

/** Words of a header that are spelled as `=?utf-8?q?...?=`. */
function words(text) {
  const close = text.replace(/\?=\s+=\?/g, "?==?");
  return close.replace(/=\?([\w-]{1,40})\?([bq])\?([^?]*)\?=/gi, (whole, charset, kind, code) => {
    try {
      const plain = kind.toLowerCase() === "b" ? atob(code) : quoted(code.replace(/_/g, " "));
      return new TextDecoder(charset).decode(bytesOf(plain));
    } catch {
      return whole;
    }
  });
}

function replyTo(headers) {
  for (const name of ["reply-to", "from"]) {
    const value = headers.get(name) ?? "";
    const address = (/<([^<>]*)>/.exec(value)?.[1] ?? value).trim();
    if (ADDRESS.test(address)) return address;
  }
  return "";
}
