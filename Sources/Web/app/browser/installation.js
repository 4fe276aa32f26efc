/** Whether Dayly can be put on the home screen, and how. */

import { createListeners } from "../../store/listeners.js";

/**
 * @typedef {"installed" | "promptable" | "ios" | "unavailable"} InstallState `ios`: by hand, through the share sheet
 * @typedef {Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> }} InstallPrompt
 */

const { subscribe, tell } = createListeners();
/** @type {InstallPrompt | null} */
let offered = null;

addEventListener("beforeinstallprompt", (event) => {
  // The browser's own bar would come at a moment of its choice.
  event.preventDefault();
  offered = /** @type {InstallPrompt} */ (event);
  tell();
});
addEventListener("appinstalled", () => {
  offered = null;
  tell();
});

function isInstalled() {
  const onHomeScreen = "standalone" in navigator && navigator.standalone === true;
  return onHomeScreen || matchMedia("(display-mode: standalone)").matches;
}

function isIOS() {
  // An iPad calls itself a Macintosh, but no Macintosh has a touch screen.
  const isTablet = navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
  return /iPhone|iPad|iPod/.test(navigator.userAgent) || isTablet;
}

export const install = {
  subscribe,
  /** @returns {InstallState} */
  get state() {
    if (isInstalled()) return "installed";
    if (offered) return "promptable";
    return isIOS() ? "ios" : "unavailable";
  },
  /** Shows the browser's question; true when the person agreed. It needs a tap. */
  async prompt() {
    const answer = await offered?.prompt();
    offered = null;
    tell();
    return answer?.outcome === "accepted";
  },
};
