/** A person sees the open invitations to them and may enter a code. Only their own tap makes them a member. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { groups, invitations, router } from "../../app/stores.js";
import { codeField } from "../../parts/invitations/code-field.js";
import { invitationCard } from "../../parts/invitations/invitation.js";
import { joining } from "../../parts/invitations/joining.js";
import { bar, screen } from "../../parts/screen.js";
import { empty, failure, skeleton } from "../../parts/states.js";

export function invites() {
  const self = screen(t("invites.title"), view, [groups, invitations]);
  void invitations.refresh();
  const join = joining(self.draw);
  const code = codeField(self.draw, join.redeem);

  const list = () =>
    invitations.open?.length
      ? html`<ul class="stack">${invitations.open.map((invite) => invitationCard(invite, join))}</ul>`
      : invitations.error
      ? failure(invitations.error, invitations.refresh)
      : invitations.open
      ? empty("letter", t("invites.none"))
      : skeleton("block", 1);

  function view() {
    return html`
      ${bar(router.path("home"))}
      <h1>${t("invites.title")}</h1>
      ${list()}
      <section class="stack">
        <h2>${t("invites.have")}</h2>
        ${code.view(t("invites.join"), join)}
      </section>
    `;
  }
  return self.begin();
}
