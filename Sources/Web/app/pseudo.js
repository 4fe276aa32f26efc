/** Texts that show what does not fit and what is not translated. */

/** @import { Catalogue } from "./translate.js" */

/**
 * The English texts a third longer and with accents, so that a screen shows what does not fit or is not translated.
 * @param {Catalogue} catalogue
 * @returns {Catalogue}
 */
export const pseudo = (catalogue) =>
  JSON.parse(JSON.stringify(catalogue, (_, text) => {
    if (typeof text !== "string") return text;
    const accented = text.replaceAll(/\{\w+\}|[aeiou]/gi, (part) =>
      part[1] ? part : `${part}\u0301`.normalize());
    return `[${accented}${"·".repeat(text.length / 3)}]`;
  }));
