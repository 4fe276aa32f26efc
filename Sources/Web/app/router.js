/** Shows the screen of the address, and moves between addresses without loading the page again. */

import { focusOn, markOf } from "./announce.js";
import { t } from "./i18n.js";
import { detour, linkOf, match, pathOf } from "./routes.js";

/**
 * @import { Route, RouteName } from "./routes.js"
 * @typedef {object} Visit
 * @property {RouteName} name
 * @property {Record<string, string>} params
 * @property {URLSearchParams} query
 * @property {unknown} state what `go` was given
 * @typedef {object} Screen
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(visit: Visit) => void} [update] the same screen with other parameters; without it the screen is made anew
 * @property {() => void} [leave] ends subscriptions, timers and streams
 * @typedef {(visit: Visit) => Screen} ScreenMaker
 * @typedef {Record<RouteName, (page: string) => Promise<ScreenMaker>>} Screens loads each of them; a product's by its page
 * @typedef {{ index: number, state: unknown }} Entry an entry of the browser's history
 * @typedef {object} Outside
 * @property {() => { signedIn: boolean, named: boolean }} person
 * @typedef {ReturnType<typeof createRouter>} Router
 */

/** @param {Outside} outside */
export function createRouter({ person }) {
  /** @type {Screens} */
  let screens;
  /** @type {ScreenMaker} */
  let unloaded;
  /** @type {Map<string, ScreenMaker>} */
  const makers = new Map();
  /** @type {{ route: Route, visit: Visit, screen: Screen, maker: ScreenMaker } | null} */
  let shown = null;
  /** @type {string | null} */
  let wanted = null;
  let index = 0;
  let turn = 0;
  /** @type {Map<number, { scroll: number, mark: string | null }>} where the person was on other screens */
  const places = new Map();
  let isGoingHome = false;

  const main = () => /** @type {HTMLElement} */ (document.getElementById("screen"));
  /** @returns {Entry} */
  const entry = () => history.state ?? { index: 0, state: null };

  /** Shows what the address says, after a detour where the person may not see it. */
  async function show() {
    // A sheet belongs to the screen that it lies on.
    for (const sheet of document.querySelectorAll("dialog")) sheet.close();
    const { route, params } = match(location.pathname);
    const other = detour(route, person());
    if (other && other !== route.name) {
      if (route.access === "signed-in" && route.name !== "home" && route.name !== "name") {
        wanted = location.pathname;
      }
      history.replaceState({ index, state: null }, "", pathOf(other));
      return await show();
    }
    const visit = {
      name: route.name,
      params,
      query: new URLSearchParams(location.search),
      state: entry().state,
    };
    const begun = ++turn;
    if (shown?.route === route && shown.screen.update) {
      shown.visit = visit;
      shown.screen.update(visit);
      return title(shown.screen);
    }
    // Until a screen is there, the one before stays. Meanwhile the person may go elsewhere.
    const { name } = route, { page = "" } = params;
    const maker = makers.get(name + page) ?? await load(name, page).catch(() => unloaded);
    if (begun === turn) replace(route, visit, maker);
  }

  /** Loads a screen, so that it opens at once. @param {RouteName} name @param {string} [page] */
  async function load(name, page = "") {
    const maker = makers.get(name + page) ?? await screens[name](page);
    makers.set(name + page, maker);
    return maker;
  }

  /** @param {Route} route @param {Visit} visit @param {ScreenMaker} maker */
  function replace(route, visit, maker) {
    const isFirst = shown === null;
    const change = () => {
      shown?.screen.leave?.();
      const screen = maker(visit);
      shown = { route, visit, screen, maker };
      main().dataset["screen"] = route.name;
      main().replaceChildren(screen.element);
      title(screen);
      const place = places.get(index);
      scrollTo(0, place?.scroll ?? 0);
      if (!isFirst) focusOn(screen, place?.mark);
    };
    const isCalm = isFirst || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isCalm || !document.startViewTransition) return change();
    const { ready, finished, updateCallbackDone } = document.startViewTransition(change);
    updateCallbackDone.catch(reportError);
    // A transition that another one overtakes, or that a hidden page skips, is not an error.
    for (const promise of [ready, finished]) promise.catch(() => {});
  }

  /** @param {Screen} screen */
  function title(screen) {
    document.title = screen.title ? t("app.title", { screen: screen.title }) : t("app.name");
  }

  /** @param {string} path @param {{ replace?: boolean, state?: unknown }} [options] */
  function go(path, { replace: replaces = false, state = null } = {}) {
    if (path === "/" && index > 0) return goHome();
    if (!replaces && path !== location.pathname + location.search) {
      keepPlace();
      index += 1;
      history.pushState({ index, state }, "", path);
    } else history.replaceState({ index, state }, "", path);
    places.delete(index);
    document.documentElement.dataset["direction"] = "forward";
    void show();
  }

  /** Home is the first entry, so that no screen of a group that was left lies behind it. */
  function goHome() {
    isGoingHome = true;
    history.go(-index);
    // A browser keeps some fifty entries, so the first one may be missing.
    setTimeout(() => isGoingHome && onPop(), 1_000);
  }

  const keepPlace = () => places.set(index, { scroll: scrollY, mark: markOf(document.activeElement) });

  function onPop() {
    keepPlace();
    if (isGoingHome) history.replaceState({ index: 0, state: null }, "", "/");
    isGoingHome = false;
    const next = entry().index;
    document.documentElement.dataset["direction"] = next < index ? "back" : "forward";
    index = next;
    void show();
  }

  /** @param {MouseEvent} event */
  function onClick(event) {
    const link = linkOf(event);
    if (!link || match(link.pathname).route.name === "not-found") return;
    event.preventDefault();
    go(link.pathname + link.search);
  }

  return {
    path: pathOf,
    load,
    go,
    /**
     * Goes back inside of the app, and resolves when it has; where the app began here, to another address.
     * @param {string} fallback
     */
    async back(fallback = "/") {
      if (index === 0) return go(fallback, { replace: true });
      history.back();
      await new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    },
    /** Goes where the person wanted to go before they signed in. */
    resume() {
      const path = wanted ?? "/";
      wanted = null;
      // A screen that is shown already keeps what the person has typed.
      if (path !== location.pathname) go(path, { replace: true });
    },
    /** Looks at the address again, as after a sign-out. */
    check() {
      if (detour(match(location.pathname).route, person())) void show();
      // The next person does not want to go where this one was.
      if (!person().signedIn) wanted = null;
    },
    /** Makes the shown screen anew, as after a change of the language. */
    reload() {
      if (shown) replace(shown.route, shown.visit, shown.maker);
    },
    /**
     * Shows the first screen, and ends when it is there.
     * @param {Screens} all
     * @param {ScreenMaker} fallback what is shown in the place of a screen that cannot be loaded
     */
    async start(all, fallback) {
      screens = all;
      unloaded = fallback;
      index = entry().index;
      history.scrollRestoration = "manual";
      addEventListener("popstate", onPop);
      addEventListener("click", onClick);
      await show();
    },
  };
}
