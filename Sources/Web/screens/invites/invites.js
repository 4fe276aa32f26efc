/** A person sees the open invitations to them and may enter a code. Only their own tap makes them a member. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client, groups, router } from "../../app/stores.js";
import { called } from "../../parts/avatar.js";
import { dayOf } from "../../parts/day.js";
import { joining } from "../../parts/joining.js";
import { bar, button, form, load, screen } from "../../parts/screen.js";
import { empty, failure, fault, skeleton } from "../../parts/states.js";

/** @import { ReceivedInvite } from "../../api/api.d.ts" */

export function invites() {
  let code = "";
  const self = screen(t("invites.title"), view, [groups]);
  const open = load(() => client.listReceivedInvites(), self.draw);
  const join = joining(self.draw);

  /** @param {ReceivedInvite} invite */
  const card = (invite) =>
    key(
      invite.id,
      html`<li class="card stack">
      <div class="stack close"><p>${
        t("invites.by", { name: called(invite.invited_by) })
      }</p><h2>${invite.group_name}</h2>
        <p class="quiet small">${t("invites.until", { date: dayOf(invite.expires_at) })}</p></div>
      ${fault(join.code === invite.code ? join.problem : null)}
      ${
        button(t("invites.join"), {
          kind: "primary",
          busy: join.busy && join.code === invite.code,
          click: () => join.redeem(invite.code),
        })
      }
    </li>`,
    );

  const list = () =>
    open.error
      ? failure(open.error, open.again)
      : !open.value
      ? skeleton("block", 1)
      : open.value.invites.length
      ? html`<ul class="stack">${open.value.invites.map(card)}</ul>`
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
