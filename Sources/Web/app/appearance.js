/** Sets the theme of the page by the person's choice, before the first screen is shown. */

/** @import { Preferences } from "../store/preferences.js" */

/** @param {Preferences} preferences */
export function applyTheme({ theme }) {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset["theme"];
  else dataset["theme"] = theme;
}
