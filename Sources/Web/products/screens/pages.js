/** The pages of a product, with the texts and styles that they share. */

import { addTexts } from "../../app/i18n.js";
import { styles } from "../../screens/all.js";

/**
 * @typedef {import("../../app/router.js").ScreenMaker} ScreenMaker
 * @typedef {Record<string, () => Promise<ScreenMaker>>} Pages by the last part of their address
 * @typedef {ReturnType<typeof createPages>} ProductPages
 */

/**
 * @param {Pages} pages
 * @param {string} texts the folder of the texts
 * @param {string[]} sheets
 */
export function createPages(pages, texts, sheets) {
  /** @type {Promise<unknown> | null} */
  let ready = null;

  /** Loads the texts and the styles. If one does not come, the next page asks again. */
  function dress() {
    ready ??= Promise.all([addTexts(texts), ...sheets.map(styles)]).catch((error) => {
      ready = null;
      throw error;
    });
    return ready;
  }

  return {
    names: Object.keys(pages),
    /** @param {string} page */
    async load(page) {
      const screen = pages[page] ?? (async () => (await import("../../screens/about/about.js")).notFound);
      const [maker] = await Promise.all([screen(), dress()]);
      return maker;
    },
  };
}
