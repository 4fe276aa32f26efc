/**
 * Asks at once for what every first screen waits for: who is here, and the texts. It is the only script that is not a module,
 * because a browser runs it while the modules are still on their way. They take its answers from `early`.
 */
{
  /** @type {Map<string, Promise<Response>>} */
  const early = new Map();
  Object.assign(globalThis, { early });

  /** @param {string} url @param {Promise<Response>} answer */
  const add = (url, answer) => {
    answer.catch(() => {});
    early.set(url, answer);
  };

  const headers = { "Dayly-Session": "cookie" };
  const refresh = () => fetch("/v1/auth/refresh", { method: "POST", headers, cache: "no-store" });
  // Other tabs and the worker wait with theirs, as in api/session.js.
  add("/v1/auth/refresh", navigator.locks.request("dayly-session", refresh));

  let chosen = "";
  try {
    chosen = JSON.parse(localStorage["dayly-preferences"] ?? "{}").language ?? "";
  } catch {
    // A browser may refuse storage.
  }
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const wanted = [chosen, ...navigator.languages].map((tag) => tag.slice(0, 2));
  const catalogue = src.replace(
    "app/early.js",
    `locales/${wanted.find((tag) => /de|en/.test(tag)) ?? "en"}.json`,
  );
  add(catalogue, fetch(catalogue));
}
