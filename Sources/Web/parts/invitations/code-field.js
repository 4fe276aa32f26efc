/** The field for the code of an invitation, which takes whatever has the code in it. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { button, form } from "../screen.js";
import { fault } from "../states.js";
import { invitationCode } from "./typed-codes.js";

/** @param {() => void} draw @param {(code: string) => void} submit */
export function codeField(draw, submit) {
  let text = "";
  let code = "";
  let isMisread = false;

  function send() {
    const found = invitationCode(text);
    isMisread = !found && !!text.trim();
    draw();
    if (!found) return void document.getElementById("code")?.focus();
    code = found;
    submit(found);
  }

  return {
    /** @param {string} label of the button @param {{code: string, busy: boolean, problem: string | null}} [join] */
    view(label, join) {
      const typed = (/** @type {any} */ event) => {
        text = event.target.value;
        isMisread = false;
        draw();
      };
      const own = join && code && join.code === code && invitationCode(text) === code ? join : null;
      const problem = isMisread ? t("invites.misread") : own?.problem;
      return form(
        send,
        html`
          <div class="field">
            <label for="code">${t("invites.code")}</label>
            <input
              class="input code"
              id="code"
              dir="ltr"
              autocapitalize="characters"
              autocomplete="off"
              spellcheck="false"
              aria-describedby="join-fault"
              aria-invalid=${problem ? "true" : null}
              @input=${typed}
            />
          </div>
          ${fault(problem, "join-fault")}
          ${button(label, { type: "submit", busy: own?.busy ?? false })}
        `,
      );
    },
  };
}
