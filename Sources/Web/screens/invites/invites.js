/** A person sees the open invitations to them and may enter a code. Only their own tap makes them a member. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client, groups, router } from "../../app/stores.js";
import { invitationCard } from "../../parts/invitation.js";
import { joining } from "../../parts/joining.js";
import { bar, button, form, load, screen } from "../../parts/screen.js";
import { empty, failure, fault, skeleton } from "../../parts/states.js";

export function invites() {
  let code = "";
  const self = screen(t("invites.title"), view, [groups]);
  const open = load(() => client.listReceivedInvites(), self.draw);
  const join = joining(self.draw);

  const list = () =>
    open.error
      ? failure(open.error, open.again)
      : !open.value
      ? skeleton("block", 1)
      : open.value.invites.length
      ? html`<ul class="stack">${open.value.invites.map((invite) => invitationCard(invite, join))}</ul>`
      : empty("letter", t("invites.none"));

  function view() {
    const typed = (/** @type {any} */ event) => code = event.target.value;
    const submit = () => code.trim() ? join.redeem(code) : self.element.querySelector("input")?.focus();
    const own = join.code === code ? join.problem : null;
    return html`${bar(router.path("home"))}<h1>${t("invites.title")}</h1>
      ${list()}
      <section class="stack"><h2>${t("invites.have")}</h2>
        ${
      form(
        submit,
        html`<div class="field"><label for="code">${t("invites.code")}</label>
          <input class="input code" id="code" dir="ltr" autocapitalize="characters" autocomplete="off" spellcheck="false" maxlength="20"
            aria-describedby="join-fault" aria-invalid=${own ? "true" : null} @input=${typed} /></div>
          ${fault(own, "join-fault")}
          ${button(t("invites.join"), { type: "submit", busy: join.busy && join.code === code })}`,
      )
    }
      </section>`;
  }
  return self.begin();
}
