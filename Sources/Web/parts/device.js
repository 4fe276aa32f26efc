/** Names this browser and its system, for the list of devices. */

import { t } from "../app/i18n.js";

/** @type {[RegExp, string][]} The first that fits is the browser: each calls itself by the names of older ones, too. */
const BROWSERS = [[/Edg/, "Edge"], [/Firefox|FxiOS/, "Firefox"], [/SamsungBrowser/, "Samsung Internet"], [
  /Chrom|CriOS/,
  "Chrome",
], [/Safari/, "Safari"]];
/** @type {[RegExp, string][]} */
const SYSTEMS = [[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android/, "Android"], [/Macintosh/, "Mac"], [
  /Windows/,
  "Windows",
], [/Linux|X11/, "Linux"]];

export function deviceName() {
  const of = (/** @type {[RegExp, string][]} */ names) =>
    names.find(([sign]) => sign.test(navigator.userAgent))?.[1];
  const browser = of(BROWSERS) ?? t("devices.browser");
  const system = of(SYSTEMS);
  return system ? t("devices.name", { browser, system }) : browser;
}
