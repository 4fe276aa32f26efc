/** An open invitation, with the button that makes its reader a member. */

import { config } from "../../app/config.js";
import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { groups, invitations } from "../../app/stores.js";
import { called } from "../people/avatar.js";
import { dayOf } from "../day.js";
import { joining } from "./joining.js";
import { button } from "../screen.js";
import { fault } from "../states.js";

/** @import { ReceivedInvite } from "../../api/api.d.ts" */

/** @param {ReceivedInvite} invite @param {ReturnType<typeof joining>} join */
export const invitationCard = (invite, join) =>
  key(
    invite.id,
    html`
      <li class="card stack">
        <div class="stack close">
          <p>${t("invites.by", { name: called(invite.invited_by) })}</p>
          <h2 dir="auto" translate="no">${invite.group_name}</h2>
          <p class="quiet small">${t("invites.until", { date: dayOf(invite.expires_at) })}</p>
        </div>
        ${fault(join.code === invite.code ? join.problem : null)}
        ${(groups.all?.length ?? 0) >= config.limits.groups_per_user
          ? html`<p class="quiet small">${t("groups.full", { count: config.limits.groups_per_user })}</p>`
          : button(t("invites.join"), {
            kind: "primary",
            busy: join.busy && join.code === invite.code,
            click: () => join.redeem(invite.code),
          })}
      </li>
    `,
  );

/** The open invitations on the first screen. @param {() => void} draw */
export function letters(draw) {
  const join = joining(draw);
  return () => html`
    <ul class="stack narrow">${(invitations.open ?? []).map((invite) => invitationCard(invite, join))}</ul>
  `;
}
