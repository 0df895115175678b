// Thousands of files hold the same few signatures: each is checked once in a process. Import this first.

const { subtle } = globalThis.crypto;
const check = subtle.verify.bind(subtle);
const known = new WeakMap();

subtle.verify = (name, key, signature, data) => {
  if (!known.has(key)) known.set(key, new Map());
  const place = Buffer.concat([signature, data]).toString("latin1");
  const answers = known.get(key);
  if (answers.size === 4096) answers.clear();
  if (!answers.has(place)) answers.set(place, check(name, key, signature, data));
  return answers.get(place);
};
