/** This screen is shown instead of one that did not load: the phone is offline, or the service has a newer version. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { button, screen } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";

export function unloaded() {
  let isOffline = false;
  const self = screen(t("unloaded.title"), view);

  // Without a network the browser would show its own page in the place of the app.
  function again() {
    isOffline = !navigator.onLine;
    if (isOffline) self.draw();
    else location.reload();
  }

  function view() {
    const text = isOffline ? t("error.offline") : t("unloaded.text");
    return html`
      <h1 class="unseen">${t("unloaded.title")}</h1>
      <div role="alert">
        ${empty("door", text, button(t("action.again"), { kind: "primary", click: again }))}
      </div>
    `;
  }
  return self.begin();
}
