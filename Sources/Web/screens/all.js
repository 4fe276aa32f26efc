/**
 * Which screen each address shows. The module of a screen comes when the screen is shown for the first time, or before
 * that, while the page has nothing else to do.
 */

import { config } from "../app/config.js";

const notFound = async () => (await import("./about/about.js")).notFound;

/** @type {import("../app/router.js").Screens} */
export const screens = {
  home: async () => (await import("./groups/groups.js")).home,
  welcome: async () => (await import("./welcome/welcome.js")).welcome,
  "sign-in": async () => (await import("./phone/phone.js")).phone,
  code: async () => (await import("./code/code.js")).code,
  name: async () => (await import("./name/name.js")).name,
  invites: async () => (await import("./invites/invites.js")).invites,
  join: async () => (await import("./join/join.js")).join,
  "new-group": async () => (await import("./new-group/new-group.js")).newGroup,
  group: async () => (await styled("group", import("./group/group.js"))).group,
  // The shutter looks the same in the group.
  camera: async () => (await styled("group", styled("camera", import("./camera/camera.js")))).camera,
  viewer: async () => (await styled("viewer", import("./viewer/viewer.js"))).viewer,
  "group-settings": async () => (await import("./group-settings/group-settings.js")).groupSettings,
  settings: async () => (await import("./settings/settings.js")).settings,
  devices: async () => (await import("./devices/devices.js")).devices,
  blocked: async () => (await import("./blocked/blocked.js")).blocked,
  data: async () => (await import("./data/data.js")).data,
  uploads: async () => (await styled("uploads", import("./uploads/uploads.js"))).queue,
  about: async () => (await import("./about/about.js")).about,
  focus: async (page) => await (await pagesOf("focus"))?.load(page) ?? notFound(),
  companion: async (page) => await (await pagesOf("companion"))?.load(page) ?? notFound(),
  "not-found": notFound,
};

/** @type {Record<string, () => Promise<import("../products/screens/pages.js").ProductPages>>} */
const products = {
  focus: async () => (await import("../focus/screens/pages.js")).pages,
  companion: async () => (await import("../companion/screens/pages.js")).pages,
};

/**
 * The pages of a product; undefined where it is not offered, and for any other screen.
 * @param {string} name
 */
export const pagesOf = async (name) => config.features.includes(name) ? await products[name]?.() : undefined;

/**
 * Waits for a screen's module and for its styles.
 * @template T
 * @param {string} folder
 * @param {Promise<T>} module
 */
const styled = async (folder, module) =>
  (await Promise.all([module, styles(`screens/${folder}/${folder}`)]))[0];

/**
 * Loads styles. Those that do not come leave nothing behind.
 * @param {string} name the path in the folder of the web client
 */
export async function styles(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../${name}.css`, import.meta.url).href;
  const loaded = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new TypeError(`${link.href} did not load.`));
  });
  document.head.append(link);
  await loaded.catch((error) => {
    link.remove();
    throw error;
  });
}
