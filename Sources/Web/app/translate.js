/** The rules of the languages, without a page. */

import { dayAt, millisecondsOf } from "../store/service-clock.js";

/**
 * A text, or its plural forms; `=2` is the form of that number alone.
 * @typedef {Record<string, string | Record<string, string>>} Catalogue
 */

export const LANGUAGES = ["en", "de"];
const PSEUDO = ["en-XA", "ar-XB"];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Within six days a weekday names one day. */
const WEEK = 6 * 24 * HOUR;

/**
 * Whether an answer has texts by keys, and is not the JSON of something else.
 * @param {unknown} value
 * @returns {value is Catalogue}
 */
export const isCatalogue = (value) =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => key.includes("."));

/**
 * The tags that `Intl` takes: a browser may name the locale of its system instead, such as `C` or `en_US@posix`.
 * @param {readonly string[]} tags
 */
export function known(tags) {
  return tags.filter((tag) => {
    try {
      return Intl.getCanonicalLocales(tag).length > 0;
    } catch {
      return false;
    }
  });
}

/**
 * The language to use: the chosen one, or the first of the browser's that there is.
 * @param {string} choice
 * @param {readonly string[]} wanted
 */
export function resolved(choice, wanted) {
  if (LANGUAGES.includes(choice) || PSEUDO.includes(choice)) return choice;
  const languages = wanted.map((tag) => tag.split("-")[0] ?? "");
  return languages.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

/** @param {string} tag */
export const directionOf = (tag) => tag === "ar-XB" ? "rtl" : "ltr";

/**
 * Makes a formatter when it is needed: each takes a millisecond, and a first screen needs few.
 * @template T
 * @param {() => T} make
 */
function onDemand(make) {
  /** @type {T | undefined} */
  let made;
  return () => made ??= make();
}

/**
 * A name may run the other way than the text around it.
 * @param {string} name
 */
const isolated = (name) => `\u2068${name}\u2069`;

/**
 * @param {Catalogue} catalogue
 * @param {string} language
 * @param {string} [region] the same language as it is used somewhere, such as `en-GB`, for dates and numbers
 * @param {number} [life] how many hours a photo lives, which texts call `{life}`
 */
export function createTranslator(catalogue, language, region = language, life = 0) {
  // The pseudo-locales are not real, so their numbers and times are English.
  const formats = PSEUDO.includes(language) ? "en" : region;
  const plural = onDemand(() => new Intl.PluralRules(formats));
  const relative = onDemand(() => new Intl.RelativeTimeFormat(formats, { numeric: "auto" }));
  const numbers = onDemand(() => new Intl.NumberFormat(formats));
  const names = onDemand(() => new Intl.ListFormat(formats));

  /**
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   * @returns {string}
   */
  function text(key, values = {}) {
    const entry = catalogue[key];
    if (entry === undefined) return key;
    const form = typeof entry === "string"
      ? entry
      : entry[`=${values["count"]}`] ?? entry[plural().select(Number(values["count"]))] ?? entry["other"] ??
        key;
    return form.replaceAll(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name] ?? (name === "life" ? lifetime() : whole);
      if (typeof value === "number") return numbers().format(value);
      return /^(name|group)$/.test(name) ? isolated(value) : value;
    });
  }

  const lifetime = () =>
    life % 24 ? text("life.hours", { count: life }) : text("life.days", { count: life / 24 });

  return {
    language,
    text,
    /**
     * When something was: "3 minutes ago", "yesterday", "Wed 6:05 PM". Yesterday is a calendar day. A time to come is now.
     * @param {string | number} time
     * @param {number} now
     * @param {string} [timeZone]
     */
    relativeTime(time, now, timeZone) {
      const then = millisecondsOf(time), age = now - then;
      if (age < MINUTE) return text("time.now");
      if (age < HOUR) return relative().format(-Math.floor(age / MINUTE), "minute");
      const { start } = dayAt(now, timeZone);
      if (then >= start) return relative().format(-Math.floor(age / HOUR), "hour");
      if (then >= dayAt(start - 1, timeZone).start) return relative().format(-1, "day");
      return new Intl.DateTimeFormat(formats, {
        timeZone,
        ...(age < WEEK ? { weekday: "short", hour: "numeric", minute: "2-digit" } : { dateStyle: "medium" }),
      }).format(then);
    },
    /**
     * @param {string | number} end
     * @param {number} now
     */
    remaining(end, now) {
      const left = Math.max(0, millisecondsOf(end) - now);
      // "1 h" would still be shown 119 minutes before the end, so hours begin at two.
      if (left >= 2 * 3_600_000) return text("time.hours", { count: Math.floor(left / 3_600_000) });
      return left >= 60_000
        ? text("time.minutes", { count: Math.floor(left / 60_000) })
        : text("time.seconds", { count: Math.ceil(left / 1_000) });
    },
    /**
     * @param {string | number} end
     * @param {number} now
     */
    countdown(end, now) {
      const seconds = Math.ceil(Math.max(0, millisecondsOf(end) - now) / 1_000);
      const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
      const shown = parts[0] ? parts : parts.slice(1);
      return shown.map((part, index) => index === 0 ? String(part) : String(part).padStart(2, "0")).join(":");
    },
    /** @param {number} value */
    number: (value) => numbers().format(value),
    /**
     * @param {string | number} time
     * @param {Intl.DateTimeFormatOptions} [options]
     */
    dateTime: (time, options = { dateStyle: "medium", timeStyle: "short" }) =>
      new Intl.DateTimeFormat(formats, options).format(millisecondsOf(time)),
    /** @param {string[]} words */
    list: (words) => names().format(words.map(isolated)),
  };
}
