/** A language that shows whoever works on Dayly what does not fit or is not translated. */

/** @import { Catalogue } from "./translate.js" */

/**
 * The English texts a third longer and with accents, so that a screen shows what does not fit or is not translated.
 * @param {Catalogue} catalogue
 * @returns {Catalogue}
 */
export function pseudo(catalogue) {
  /** @param {string} text */
  const strange = (text) => {
    const accented = text.replaceAll(
      /\{\w+\}|[aeiou]/gi,
      (part) => part[1] ? part : `${part}\u0301`.normalize(),
    );
    return `[${accented}${"·".repeat(Math.ceil(text.length / 3))}]`;
  };
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, value]) => [
      key,
      typeof value === "string"
        ? strange(value)
        : Object.fromEntries(Object.entries(value).map(([form, text]) => [form, strange(text)])),
    ]),
  );
}
