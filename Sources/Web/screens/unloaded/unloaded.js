/** This screen is shown instead of one that did not load: the phone is offline, or the service has a newer version. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { button, screen } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

export function unloaded() {
  // Without a network the browser would show its own page in the place of the app.
  const again = () => navigator.onLine ? location.reload() : toast(t("error.offline"));
  const out = () => button(t("action.again"), { kind: "primary", click: again });
  const view = () =>
    html`
      <h1 class="unseen">${t("unloaded.title")}</h1>
      <div role="alert">${empty("door", t("unloaded.text"), out())}</div>
    `;
  return screen(t("unloaded.title"), view).begin();
}
