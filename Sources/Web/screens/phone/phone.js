/** A person signs in with their phone number. */

import { askForCode } from "../../parts/asking.js";
import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { describe } from "../../app/errors.js";
import { clock, router } from "../../app/stores.js";
import { phoneField } from "../../parts/contacts/phone-field.js";
import { bar, button, form, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { ticking } from "../../parts/day.js";

/** @param {string} url @param {string} text */
const link = (url, text) => html`<a href=${url} target="_blank" rel="noopener">${text}</a>`;

export function phone() {
  const { privacy, terms } = config.links;
  /** @type {ReturnType<typeof describe> | null} */
  let problem = null;
  let busy = false;
  let until = 0;
  const self = screen(t("phone.title"), view);
  const field = phoneField(self.draw, t("phone.number"));

  async function submit() {
    const { number } = field;
    if (!number) {
      problem = null;
      field.leave();
      return field.focus();
    }
    busy = true;
    problem = null;
    self.draw();
    try {
      const verification = await askForCode(number);
      router.go(router.path("code"), { state: { verification, number, at: clock.now() } });
    } catch (error) {
      problem = describe(error);
      if (problem.retryAfter) wait(problem.retryAfter);
      field.focus();
    }
    busy = false;
    self.draw();
  }

  /** @param {number} seconds */
  function wait(seconds) {
    until = clock.now() + seconds * 1000;
    setTimeout(self.draw, seconds * 1000 + 50);
  }

  function view() {
    const waiting = until > clock.now();
    const left = () => t("phone.wait", { seconds: Math.max(0, Math.ceil((until - clock.now()) / 1000)) });
    const own = problem && (problem.kind === "refused" || problem.kind === "rate-limited");
    return html`
      ${bar(router.path("welcome"))}
      <h1>${t("phone.title")}</h1>
      <p class="quiet">${t("phone.text")}</p>
      ${form(submit, html`
        ${field.view(own && problem ? problem.text : null, { autofocus: true, own: true })}
        ${fault(own ? null : problem?.text)}
        ${waiting && html`<p class="quiet small">${ticking(left)}</p>`}
        ${button(t("phone.send"), { kind: "primary", type: "submit", busy, disabled: waiting })}
        <p class="quiet tiny">${t("phone.terms")}</p>
        <p class="line quiet tiny">
          ${privacy && link(privacy, t("about.privacy"))}
          ${terms && link(terms, t("about.terms"))}
        </p>
      `, "stack loose")}
    `;
  }
  return self.begin();
}
