/** A person sees the open invitations to them and may enter a code. Only their own tap makes them a member. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client, groups, router } from "../../app/stores.js";
import { codeField } from "../../parts/code-field.js";
import { invitationCard } from "../../parts/invitation.js";
import { joining } from "../../parts/joining.js";
import { bar, load, screen } from "../../parts/screen.js";
import { empty, failure, skeleton } from "../../parts/states.js";

export function invites() {
  const self = screen(t("invites.title"), view, [groups]);
  const open = load(() => client.listReceivedInvites(), self.draw);
  const join = joining(self.draw);
  const code = codeField(self.draw, join.redeem);

  const list = () =>
    open.error
      ? failure(open.error, open.again)
      : !open.value
      ? skeleton("block", 1)
      : open.value.invites.length
      ? html`<ul class="stack">${open.value.invites.map((invite) => invitationCard(invite, join))}</ul>`
      : empty("letter", t("invites.none"));

  function view() {
    return html`${bar(router.path("home"))}<h1>${t("invites.title")}</h1>
      ${list()}
      <section class="stack"><h2>${t("invites.have")}</h2>
        ${code.view(t("invites.join"), join)}
      </section>`;
  }
  return self.begin();
}
