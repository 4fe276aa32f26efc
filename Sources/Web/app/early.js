/**
 * Asks at once for what every first screen waits for: the session, the texts, and the groups as soon as there is a session. It is the
 * only script that is not a module. The service writes it into the page, so that a browser runs it while all other files are still on
 * their way. They take its answers from `early`.
 */
{
  /** @type {Map<string, Promise<Response>>} */
  const early = new Map();
  Object.assign(globalThis, { early });

  /** @param {string} url @param {Promise<Response>} answer */
  const add = (url, answer) => {
    answer.catch(() => {});
    early.set(url, answer);
    return answer;
  };

  const { files, path } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  // Messengers and keyboards spell links in many ways. The service reads them all.
  if (path) history.replaceState(history.state, "", path);
  const headers = { "Dayly-Session": "cookie" };
  // A connection that answers nothing, or a tab that sleeps with the lock, is not waited for.
  const always = /** @type {const} */ ({
    cache: "no-store",
    redirect: "manual",
    signal: AbortSignal.timeout(15_000),
  });
  const refresh = () => fetch("/v1/auth/refresh", { method: "POST", headers, ...always });
  /** @param {{ access_token: string }} session */
  const groups = ({ access_token: token }) =>
    fetch("/v1/groups", { headers: { Authorization: `Bearer ${token}` }, ...always });

  // Other tabs and the worker wait with theirs, as in api/session.js.
  // Over plain http there are no locks, and a browser that refuses storage may refuse them.
  const { locks } = navigator;
  let begun = false;
  const alone = () => (begun = true, refresh());
  const locked = locks
    ? locks.request("dayly-session", { signal: AbortSignal.timeout(5_000) }, alone)
    : alone();
  const session = add(
    "/v1/auth/refresh",
    locked.catch((error) => {
      if (begun) throw error;
      return refresh();
    }),
  );
  session.then(async (response) => {
    const answer = response.ok && await response.clone().json();
    if (answer?.access_token) add("/v1/groups", groups(answer));
  }).catch(() => {});

  /** @type {{ theme?: string, language?: string }} */
  let chosen = {};
  try {
    chosen = { ...JSON.parse(localStorage["dayly-preferences"] ?? "{}") };
  } catch {
    // A browser may refuse storage.
  }

  /** @type {HTMLMetaElement[]} */
  const bars = Array.from(document.querySelectorAll("[name=theme-color]"));
  const papers = bars.map(({ content }) => content);
  /** Sets the theme, before anything is painted and after a choice: of the page, and of the bars that a browser draws around it. */
  const setTheme = (theme = "auto") => {
    document.documentElement.dataset["theme"] = theme;
    for (const [at, each] of bars.entries()) {
      each.content = papers[["light", "dark"].indexOf(theme)] ?? papers[at] ?? "";
    }
  };
  setTheme(chosen.theme);
  Object.assign(globalThis, { setTheme });

  const wanted = [chosen.language ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
  const language = wanted.find((tag) => /de|en/.test(tag)) ?? "en";
  const catalogue = `${location.origin}${files}locales/${language}.json`;
  add(catalogue, fetch(catalogue));

  // While a service is being replaced, the page of its new version may ask the old one for its files. A moment later all of
  // them are there. Styles that come later have another way out.
  addEventListener("error", ({ target }) => {
    const isNeeded = target instanceof Element && target.matches("script, [href$='first.css']");
    if (isNeeded) setTimeout(() => location.reload(), 2_000);
  }, true);
}
