/** Choices of this browser, in its local storage: they are needed before anything is fetched. */

import { createListeners } from "./listeners.js";

/**
 * @typedef {object} Values
 * @property {"auto" | "light" | "dark"} theme
 * @property {string} language `auto`, `en`, `de`, and the pseudo-locales `en-XA` and `ar-XB`
 * @property {boolean} autoProceed whether the preview sends by itself after three seconds
 * @property {string | null} pendingInvite the code of an invitation link, until it is redeemed
 * @property {boolean} installHintDismissed
 * @property {boolean} pushWanted whether notifications were switched on here
 * @typedef {ReturnType<typeof createPreferences>} Preferences
 */

const KEY = "dayly-preferences";

/** @type {Values} */
const DEFAULTS = {
  theme: "auto",
  language: "auto",
  autoProceed: true,
  pendingInvite: null,
  installHintDismissed: false,
  pushWanted: false,
};

/** @param {{ getItem(key: string): string | null, setItem(key: string, value: string): void } | null} storage */
export function createPreferences(storage) {
  const { subscribe, tell } = createListeners();
  let values = { ...DEFAULTS, ...stored() };

  /** @returns {Partial<Values>} */
  function stored() {
    try {
      return JSON.parse(storage?.getItem(KEY) ?? "{}");
    } catch {
      return {};
    }
  }

  function save() {
    try {
      storage?.setItem(KEY, JSON.stringify(values));
    } catch {
      // A browser that stores nothing keeps the choice until it is closed.
    }
  }

  return {
    subscribe,
    save,
    get theme() {
      return values.theme;
    },
    get language() {
      return values.language;
    },
    get autoProceed() {
      return values.autoProceed;
    },
    get pendingInvite() {
      return values.pendingInvite;
    },
    get installHintDismissed() {
      return values.installHintDismissed;
    },
    get pushWanted() {
      return values.pushWanted;
    },
    /**
     * @template {keyof Values} K
     * @param {K} name
     * @param {Values[K]} value
     */
    set(name, value) {
      // Another tab may have changed another choice, and a sign-out may have cleared the storage.
      values = { ...values, ...stored(), [name]: value };
      save();
      tell();
    },
  };
}
