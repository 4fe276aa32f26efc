/** New people say how the others call them and which day is theirs. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { account, preferences, session } from "../../app/stores.js";
import { onward } from "../../parts/joining.js";
import { languageField, nameField, zoneField } from "../../parts/profile.js";
import { button, form, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";

export function name() {
  let first = session.user?.first_name ?? "";
  let zone = session.user?.time_zone ?? "UTC";
  let problem = "";
  let busy = false;
  const self = screen(t("name.title"), view, [preferences]);

  async function submit() {
    if (!first.trim()) return self.element.querySelector("input")?.focus();
    busy = true;
    problem = "";
    self.draw();
    try {
      await account.update({
        first_name: first,
        ...(zone === session.user?.time_zone ? {} : { time_zone: zone }),
      });
      return onward();
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    self.draw();
  }

  function view() {
    return html`<div class="bar"></div><h1>${t("name.title")}</h1>
      <p class="quiet">${t("name.text")}</p>
      ${
      form(
        submit,
        html`
          ${nameField(t("name.label"), first, (value) => first = value, {
            autofocus: true,
            autocomplete: "given-name",
          })}
          ${zoneField(zone, (value) => (zone = value, self.draw()))}
          ${languageField()}
          ${fault(problem)}
          ${button(t("action.continue"), { kind: "primary", type: "submit", busy })}
        `,
        "stack loose",
      )
    }`;
  }
  return self.begin();
}
