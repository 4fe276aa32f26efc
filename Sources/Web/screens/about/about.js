/** Dayly's promises, the operator's own pages, and the version. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { router, session } from "../../app/stores.js";
import { drawing, icon } from "../../parts/icons.js";
import { bar, screen } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";

export function about() {
  const { privacy, terms } = config.links;
  const back = session.state === "signed-in" ? router.path("settings") : router.path("welcome");
  const link = (/** @type {string} */ path, /** @type {string} */ text) => html`
    <a href=${path} target="_blank" rel="noopener">
      <span class="grow">${text}</span>
      ${icon("forward", 18)}
    </a>
  `;
  const view = () => html`
    ${bar(back)}
    <h1>${t("about.title")}</h1>
    ${drawing("box")}
    <section class="stack">
      <p>${t("about.one")}</p>
      <p>${t("about.two")}</p>
      <p>${t("about.three")}</p>
      <p>${t("about.four")}</p>
    </section>
    ${(privacy || terms) && html`
      <div class="rows">
        ${privacy && link(privacy, t("about.privacy"))}
        ${terms && link(terms, t("about.terms"))}
      </div>
    `}
    <p class="quiet small">
      ${t("about.licence")}
      <br />
      <span class="count">${t("about.version", { version: config.version.slice(0, 8) })}</span>
    </p>
  `;
  return screen(t("about.title"), view).begin();
}

export function notFound() {
  const view = () => html`
    ${bar(router.path("home"))}
    <h1 class="unseen">${t("about.lost")}</h1>
    ${empty("tunnel", t("about.lost"), html`<a class="button primary" href="/">${t("action.toGroups")}</a>`)}
  `;
  return screen(t("about.lost"), view).begin();
}
