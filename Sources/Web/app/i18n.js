/** Texts, numbers and times in the person's language. `setLanguage` runs before the first screen. */

import { clock } from "./clock.js";
import { config } from "./config.js";
import { fetch } from "./fetch.js";
import { createTranslator, directionOf, isCatalogue, known, resolved } from "./translate.js";

/**
 * @import { Catalogue } from "./translate.js"
 * @typedef {string} Key a key of the catalogues; `scripts/lint` checks that each one exists
 */

/** @type {ReturnType<typeof createTranslator>} */
let translator = createTranslator({}, "en");
let chosen = "";
/** Where catalogues are. A product has texts of its own, which come with its first screen. */
let paths = ["locales/"];
/** @type {Map<string, Catalogue>} by their paths */
const loaded = new Map();

/** @type {RequestCache} */
let cache = "default";

/** @param {string} path */
async function catalogueAt(path) {
  const url = new URL(`../${path}.json`, import.meta.url);
  const known = loaded.get(path);
  if (known) return known;
  const response = await fetch(url, { cache, redirect: "manual" });
  // The HTTP cache may keep a network's page, which is no catalogue.
  cache = "reload";
  const catalogue = response.ok ? await response.json() : null;
  if (!isCatalogue(catalogue)) throw new TypeError(`${url} did not load.`);
  cache = "default";
  loaded.set(path, catalogue);
  return catalogue;
}

/**
 * Loads the catalogue and sets language and direction of the page.
 * @param {string} choice `auto` or a language
 */
export async function setLanguage(choice) {
  const wanted = known(navigator.languages);
  const tag = resolved(choice, wanted);
  const isPseudo = tag === "en-XA" || tag === "ar-XB";
  const parts = await Promise.all(paths.map((path) => catalogueAt(path + (isPseudo ? "en" : tag))));
  /** @type {Catalogue} */
  const catalogue = Object.assign({}, ...parts);
  const texts = isPseudo ? (await import("./pseudo.js")).pseudo(catalogue) : catalogue;
  chosen = choice;
  // Somebody in England reads English texts, but not American dates.
  const region = wanted.find((one) => one.split("-")[0] === tag);
  const life = config.photo_lifetime / 3600;
  translator = createTranslator(texts, tag, region, life);
  document.documentElement.lang = tag;
  document.documentElement.dir = directionOf(tag);
}

/**
 * Loads the texts of a product.
 * @param {string} path the folder of the texts, such as `locales/` in that of a product
 */
export async function addTexts(path) {
  const before = paths;
  paths = [...new Set([...before, path])];
  await setLanguage(chosen).catch((error) => {
    paths = before;
    throw error;
  });
}

/** The language of the texts, such as `de`. */
export const language = () => translator.language;

/**
 * The text of a key. `{name}` in it becomes the value; a key with plural forms chooses one by `count`. `{life}` is how long
 * a photo lives.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export const t = (key, values) => translator.text(key, values);

/**
 * "2 hours ago", "yesterday", "Wed 6:05 PM".
 * @param {string | number} time
 * @param {number} [now] milliseconds; the service's time
 */
export const relativeTime = (time, now = clock.now()) => translator.relativeTime(time, now, clock.zone);

/**
 * The time left: "14 h", "35 min", "20 s".
 * @param {string | number} end
 * @param {number} [now] milliseconds; the service's time
 */
export const remaining = (end, now = clock.now()) => translator.remaining(end, now);

/**
 * The time left to the second: "2:05:09".
 * @param {string | number} end
 * @param {number} [now] milliseconds; the service's time
 */
export const countdown = (end, now = clock.now()) => translator.countdown(end, now);

/** @param {number} value */
export const number = (value) => translator.number(value);

/**
 * A day and a time of day.
 * @param {string | number} time
 * @param {Intl.DateTimeFormatOptions} [options]
 */
export const dateTime = (time, options) => translator.dateTime(time, options);

/**
 * "Ada, Grace and Alan".
 * @param {string[]} names
 */
export const list = (names) => translator.list(names);
