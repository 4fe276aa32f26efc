/** The states that every screen has beside its content: loading, empty, offline and failed, each with a way out. */

import { html } from "../app/render.js";
import { t } from "../app/i18n.js";
import { describe } from "../app/errors.js";
import { router, storage } from "../app/stores.js";
import { drawing, icon } from "./icons.js";
import { button } from "./screen.js";

/** @param {string} [kind] @param {number} [count] */
export const skeleton = (kind = "row", count = 3) => html`
  <div class="stack" role="status" aria-label=${t("state.loading")}>
    ${Array.from({ length: count }, () => html`<div class=${`skeleton ${kind}`}></div>`)}
  </div>
`;

/** @param {Parameters<typeof drawing>[0]} picture @param {string} text @param {unknown} [action] */
export const empty = (picture, text, action) => html`
  <div class="empty">
    ${drawing(picture)}
    <p>${text}</p>
    ${action}
  </div>
`;

/** @param {unknown} error @param {() => void} again */
export function failure(error, again) {
  const { kind, text } = describe(error);
  const out = kind === "signed-out"
    ? button(t("action.signIn"), { kind: "primary", click: () => router.go(router.path("sign-in")) })
    : kind === "gone"
    ? button(t("action.toGroups"), { kind: "primary", click: () => router.go("/", { replace: true }) })
    : button(t("action.again"), { kind: "primary", click: again });
  return html`<div role="alert">${empty(kind === "offline" ? "tunnel" : "door", text, out)}</div>`;
}

/** A fault beside the field or button that it belongs to. @param {string | null | undefined} text @param {string} [id] */
export const fault = (text, id) => html`
  <div role="alert" id=${id}>
    ${text && html`
      <p class="fault">
        ${icon("alert", 18)}
        <span>${text}</span>
      </p>
    `}
  </div>
`;

/** @param {string | null | undefined} text */
export const notice = (text) => text && html`
  <p class="notice">
    ${icon("clock", 20)}
    <span>${text}</span>
  </p>
`;

/** One quiet line about what this visit lacks. */
export const limit = () =>
  (!isSecureContext || !storage.isKept) &&
  html`<p class="quiet small center">${isSecureContext ? t("limit.storage") : t("limit.insecure")}</p>`;
