/** The welcome says in two lines how Dayly works. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { preferences, router, session, storage, uploads } from "../../app/stores.js";
import { drawing } from "../../parts/icons.js";
import { button, screen } from "../../parts/screen.js";
import { limit, notice } from "../../parts/states.js";

export function welcome() {
  const start = () => router.go(router.path("sign-in"));
  const view = () => html`
    <div class="welcome">
      ${session.ended && notice(t("welcome.ended"))}
      ${uploads.waiting > 0 && notice(t("welcome.kept", { count: uploads.waiting }))}
      <div>${drawing("box")}</div>
      <div class="stack">
        <h1>Dayly</h1>
        <p class="claim">${t("welcome.claim")}</p>
      </div>
      ${preferences.pendingInvite && html`
        <p class="card stack close">
          <span class="quiet small">${t("welcome.invited")}</span>
          <span class="code">${preferences.pendingInvite}</span>
        </p>
      `}
      <div class="foot">
        ${button(t("welcome.start"), { kind: "primary", click: start })}
        ${limit()}
        <p class="quiet tiny center">
          <a href=${router.path("about")}>${t("about.title")}</a>
        </p>
      </div>
    </div>
  `;
  return screen(t("welcome.title"), view, [session, preferences, storage, uploads]).begin();
}
