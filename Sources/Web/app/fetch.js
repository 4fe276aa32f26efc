/** `fetch`, which gives out once what early.js has asked for already. */

const { early } = /** @type {{ early?: Map<string, Promise<Response>> }} */ (globalThis);

/** @type {typeof globalThis.fetch} */
export function fetch(input, init) {
  const url = String(input);
  const begun = early?.get(url);
  early?.delete(url);
  return begun ?? globalThis.fetch(input, init);
}
