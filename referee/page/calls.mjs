// The engine of the window: the program on this machine, asked over HTTP.

import { Refused } from "./engine.mjs";
import { paper } from "./screen.mjs";
import { currentLanguage } from "./texts.mjs";

const KEPT = "pbem-referee session";

/** Sit down at the program: `{engine, start}`. The token of the link is given back once; the key that comes for it stays in
 * this window. Null if there is neither; a link that was used before is worth nothing. */
export async function connect() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/");
  const given = token ? await post("/session", token).catch(() => null) : null;
  if (given) sessionStorage.setItem(KEPT, JSON.stringify(given));
  const session = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  if (!session) return null;
  const call = (name, body = {}) => post(`/call/${name}`, { language: currentLanguage(), ...paper(name), ...body }, session.key);
  return { engine: { call, offers: new Set([...session.calls, "words", "rounds"]) }, start: session.start };
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
