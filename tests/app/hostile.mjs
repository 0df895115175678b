// What a page tries that wants to read from a window of the local app, or to make it do something, and has no key.
// `attack(host, token)`: the names of what worked. It knows the port, and a token that was used.

const PATHS = ["/", "/call/games", "/call/practice", "/session"];
const BODY = '{"game":"auction","new":true}';

/** What a promise comes to, or null if it fails or nothing comes of it: an opener that is not told waits for ever. */
const outcome = (promise) => Promise.resolve(promise).catch(() => null);

async function fetches(url, token) {
  const read = [];
  const heads = [{}, { "Content-Type": "application/json" }, { "Content-Type": "application/json", Authorization: `Bearer ${token}` }];
  for (const method of ["GET", "POST", "PUT", "OPTIONS"]) {
    for (const mode of ["cors", "no-cors", "same-origin"]) {
      for (const headers of heads) {
        const body = method === "GET" ? undefined : BODY;
        const answer = await outcome(fetch(url, { method, mode, headers, body, credentials: "include" }));
        const text = answer && (await outcome(answer.text()));
        if (answer?.ok || text) read.push(`${method} ${mode} ${answer.status} ${text}`);
      }
    }
  }
  return read;
}

const asked = (url) =>
  new Promise((done) => {
    const one = new XMLHttpRequest();
    one.onloadend = () => done(one.responseText ? [`xhr ${one.responseText}`] : []);
    one.open("POST", url);
    one.setRequestHeader("Content-Type", "application/json");
    one.send(BODY);
  });

/** Elements that load something: whether they could. A frame always loads something; whether it can be read counts. */
const loaded = (name, attributes) =>
  new Promise((done) => {
    const one = Object.assign(document.createElement(name), attributes);
    one.onload = () => done(["script", "img", "link", "video"].includes(name) ? [`${name} loads`] : seen(name, one));
    one.onerror = () => done([]);
    document.body.append(one);
  });

const seen = (name, one) => {
  try {
    return one.contentDocument.body.textContent.trim() ? [`${name} shows ${one.contentDocument.body.textContent}`] : [];
  } catch {
    return [];
  }
};

/** A form: its answer replaces a frame, which tells that it is there, and no more. */
const posted = (url, enctype) =>
  new Promise((done) => {
    const frame = Object.assign(document.createElement("iframe"), { name: `frame${Math.random()}` });
    const form = Object.assign(document.createElement("form"), { method: "POST", action: url, enctype, target: frame.name });
    const field = Object.assign(document.createElement("input"), { name: '{"game":"auction","new":true,"words":"', value: '"}' });
    form.append(field);
    document.body.append(frame, form);
    frame.onload = () => done(seen("form", frame));
    form.submit();
  });

const streamed = (url) =>
  new Promise((done) => {
    const one = new EventSource(url);
    one.onmessage = (event) => done([`stream ${event.data}`]);
    one.onerror = () => (one.close(), done([]));
  });

const socket = (host) =>
  new Promise((done) => {
    const one = new WebSocket(`ws://${host}/call/games`);
    one.onopen = () => done(["socket opens"]);
    one.onerror = () => done([]);
  });

const worker = (url) =>
  new Promise((done) => {
    const one = new Worker(URL.createObjectURL(new Blob([`importScripts("${url}"); postMessage("worker reads")`])));
    one.onmessage = (event) => done([event.data]);
    one.onerror = () => done([]);
  });

/** A window of the app's own page: opened by us, and out of our reach as soon as it is there. */
async function opened(url) {
  const one = open(url, "stolen");
  if (!one) return ["no window opens"];
  const reachable = () => {
    try {
      return one.location.href !== "about:blank" && one.document.readyState === "complete";
    } catch {
      return false;
    }
  };
  while (!one.closed && !reachable()) await new Promise((again) => setTimeout(again, 10)); // closed: we are cut off
  const read = [];
  for (const look of [() => one.document.body.textContent, () => one.location.href, () => one.sessionStorage.length && "stored"]) {
    try {
      const found = look();
      if (found && found !== "about:blank") read.push(`window ${found}`);
    } catch {
      // As it should be.
    }
  }
  one.postMessage({ call: "games" }, "*");
  return read;
}

export async function attack(host, token) {
  const read = [];
  for (const path of PATHS) {
    const url = `http://${host}${path}`;
    read.push(...(await fetches(url, token)), ...(await asked(url)));
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) read.push(...(await posted(url, enctype)));
    for (const [name, attributes] of [["script", { src: url }], ["script", { src: url, type: "module" }], ["img", { src: url }], ["link", { href: url, rel: "stylesheet" }], ["iframe", { src: url }], ["iframe", { src: `${url}#${token}`, sandbox: "allow-scripts allow-same-origin" }]]) {
      read.push(...(await loaded(name, attributes)));
    }
    for (const name of ["object", "embed", "video", "audio"]) document.body.append(Object.assign(document.createElement(name), { data: url, src: url }));
    read.push(...(await streamed(url)), ...(await worker(url)));
    if (await outcome(import(url))) read.push("import works");
    navigator.sendBeacon(url, new Blob([BODY], { type: "application/json" }));
    navigator.sendBeacon(url, BODY);
  }
  read.push(...(await socket(host)));
  read.push(...(await opened(`http://${host}/#${token}`)));
  return read;
}
