// The interface behind the table, as the program on this machine serves it: a call is a name, an object in, an object out.

import { currentLanguage } from "./texts.mjs";

const KEPT = "pbem-referee session";

/** What a call was refused with: a code, words, what to do next. */
export class Refused extends Error {
  constructor({ code = "gone", message = "", next = "", clause = "" }) {
    super(message);
    Object.assign(this, { code, next, clause });
  }
}

/** Whether the program that served this page has ended. */
export const isGone = (error) => error instanceof Refused && error.code === "gone";

/** Sit down at the program: `{call, start}`. The token of the link is given back once; the key that comes for it stays in this
 * window. Null if there is neither; a link that was used before is worth nothing. */
export async function connect() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/");
  const given = token ? await post("/session", token).catch(() => null) : null;
  if (given) sessionStorage.setItem(KEPT, JSON.stringify(given));
  const session = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  if (!session) return null;
  const call = (name, body = {}) => post(`/call/${name}`, { language: currentLanguage(), ...body }, session.key);
  return { call, start: session.start };
}

async function post(path, body, key = "") {
  let response;
  let answer;
  try {
    const headers = { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) };
    response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" });
    if (response.ok || response.status === 400) answer = await response.json();
  } catch {
    throw new Refused({}); // no answer, or one that was cut off
  }
  if (response.ok) return answer;
  throw new Refused(response.status === 403 ? { code: "no-access" } : (answer ?? {}));
}
