/** The addresses of the screens. */

/**
 * @typedef {"home" | "welcome" | "sign-in" | "code" | "name" | "invites" | "join" | "new-group" | "group" | "camera"
 *   | "viewer" | "group-settings" | "settings" | "devices" | "blocked" | "data" | "uploads" | "about" | "focus"
 *   | "companion" | "not-found"} RouteName
 * @typedef {"anybody" | "signed-out" | "signed-in"} Access
 * @typedef {{ name: RouteName, path: string, access: Access }} Route
 * @typedef {{ route: Route, params: Record<string, string> }} Match
 */

/** The pages of a product. @param {RouteName} name @returns {Route[]} */
function pagesOf(name) {
  return ["", "/:page", "/:page/:id"].map((rest) => ({ name, path: `/${name}${rest}`, access: "signed-in" }));
}

/** @type {Route[]} */
export const ROUTES = [
  { name: "home", path: "/", access: "signed-in" },
  { name: "welcome", path: "/welcome", access: "signed-out" },
  { name: "sign-in", path: "/sign-in", access: "signed-out" },
  { name: "code", path: "/sign-in/code", access: "signed-out" },
  { name: "name", path: "/name", access: "signed-in" },
  { name: "invites", path: "/invites", access: "signed-in" },
  { name: "join", path: "/i/:code", access: "anybody" },
  { name: "join", path: "/join/:code", access: "anybody" },
  { name: "new-group", path: "/groups/new", access: "signed-in" },
  { name: "group", path: "/g/:id", access: "signed-in" },
  { name: "camera", path: "/g/:id/camera", access: "signed-in" },
  { name: "viewer", path: "/g/:id/photo/:photo", access: "signed-in" },
  { name: "group-settings", path: "/g/:id/settings", access: "signed-in" },
  { name: "settings", path: "/settings", access: "signed-in" },
  { name: "devices", path: "/settings/devices", access: "signed-in" },
  { name: "blocked", path: "/settings/blocked", access: "signed-in" },
  { name: "data", path: "/settings/data", access: "signed-in" },
  { name: "uploads", path: "/uploads", access: "signed-in" },
  { name: "about", path: "/about", access: "anybody" },
  ...pagesOf("focus"),
  ...pagesOf("companion"),
];

/** @type {Route} */
const NOT_FOUND = { name: "not-found", path: "/not-found", access: "anybody" };

/**
 * @param {string} pathname
 * @returns {Match}
 */
export function match(pathname) {
  const parts = (pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname).split("/");
  for (const route of ROUTES) {
    const wanted = route.path.split("/");
    if (wanted.length !== parts.length) continue;
    const pairs = wanted.map((part, index) => /** @type {const} */ ([part, parts[index] ?? ""]));
    if (!pairs.every(([part, value]) => part === value || (part.startsWith(":") && value !== ""))) continue;
    const params = pairs.filter(([part]) => part.startsWith(":"));
    return {
      route,
      params: Object.fromEntries(params.map(([part, value]) => [part.slice(1), decoded(value)])),
    };
  }
  return { route: NOT_FOUND, params: {} };
}

/** @param {string} value */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * The address of a screen.
 * @param {RouteName} name
 * @param {Record<string, string>} [params]
 */
export function pathOf(name, params = {}) {
  const route = ROUTES.find((one) => one.name === name) ?? NOT_FOUND;
  return route.path.replaceAll(/:(\w+)/g, (_, key) => encodeURIComponent(params[key] ?? ""));
}

/**
 * Where a person must go first: null when they may see the screen.
 * @param {Route} route
 * @param {{ signedIn: boolean, named: boolean }} person
 * @returns {RouteName | null}
 */
export function detour(route, { signedIn, named }) {
  if (!signedIn) return route.access === "signed-in" ? "welcome" : null;
  if (route.access === "signed-out") return named ? "home" : "name";
  return route.access === "signed-in" && !named && route.name !== "name" ? "name" : null;
}

/**
 * The link that was clicked; null where the browser itself must follow it.
 * @param {any} event
 */
export function linkOf(event) {
  const isForBrowser = ["altKey", "button", "ctrlKey", "defaultPrevented", "metaKey", "shiftKey"].some((
    key,
  ) => event[key]);
  const link = !isForBrowser &&
    event.composedPath().find((/** @type {any} */ node) => node.localName === "a");
  return link && link.origin === location.origin && !link.target && !link.hasAttribute("download")
    ? link
    : null;
}
