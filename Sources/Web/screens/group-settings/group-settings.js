/** Every member may change a group. All members have the same rights. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { client, groups, router, session } from "../../app/stores.js";
import { called, person } from "../../parts/people/avatar.js";
import { block } from "../../parts/people/blocking.js";
import { dayOf } from "../../parts/day.js";
import { nameField } from "../../parts/people/profile.js";
import { bar, button, form, iconButton, load, screen } from "../../parts/screen.js";
import { invitee, share } from "../../parts/invitations/share.js";
import { ask } from "../../parts/sheet.js";
import { run } from "../../parts/run.js";
import { empty, failure, skeleton } from "../../parts/states.js";
import { inviteSheet } from "./invite.js";
import { muting } from "./muting.js";

/** @import { PhotoGroup, GroupInvite, Member } from "../../api/api.d.ts" */
/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit */
export function groupSettings(visit) {
  const id = visit.params.id ?? "";
  /** @type {string | null} */
  let renamed = null;
  const self = screen(t("groupSettings.title"), view, [groups]);
  const open = load(() => client.listGroupInvites(id), self.draw);

  /** @param {Member} member */
  async function remove(member) {
    const name = called(member.first_name);
    const sure = await ask({
      title: t("groupSettings.removeTitle", { name }),
      text: t("groupSettings.removeText", { name }),
      yes: t("groupSettings.remove"),
    });
    if (sure) await run(() => groups.removeMember(id, member.id), t("groupSettings.removed", { name }));
  }

  /** @param {PhotoGroup} group */
  async function leave(group) {
    const text = group.member_count === 1 ? t("groupSettings.leaveLast") : t("groupSettings.leaveText");
    const sure = await ask({
      title: t("groupSettings.leaveTitle", { group: group.name }),
      text,
      yes: t("groupSettings.leave"),
    });
    if (sure && await run(() => groups.leave(id), t("groupSettings.left", { group: group.name }))) {
      router.go("/", { replace: true });
    }
  }

  /** @param {GroupInvite} invite */
  async function revoke(invite) {
    if (await run(() => client.revokeInvite(invite.id), t("groupSettings.revoked"))) await open.again();
  }

  /** @param {PhotoGroup} group */
  const members = (group) => html`
    <section class="stack">
      <h2>${t("groupSettings.members", { count: group.member_count })}</h2>
      <ul class="rows">
        ${group.members.map((member) => key(member.id, html`
          <li>
            ${person(member, group.members)}
            <span class="grow" dir="auto" translate="no">${called(member.first_name)}</span>
            ${member.id === session.user?.id
              ? html`<span class="quiet small">${t("people.you")}</span>`
              : html`
                <span class="line together">
                  ${iconButton(
                    "block",
                    t("viewer.block", { name: called(member.first_name) }),
                    () => block(member),
                  )}
                  ${iconButton(
                    "close",
                    t("groupSettings.removeOf", { name: called(member.first_name) }),
                    () => remove(member),
                  )}
                </span>
              `}
          </li>
        `))}
      </ul>
      ${group.member_count < config.limits.members_per_group
        ? button(t("groupSettings.invite"), { icon: "invite", click: () => inviteSheet(group, open.again) })
        : html`
          <p class="quiet small">${t("groupSettings.full", { count: config.limits.members_per_group })}</p>
        `}
    </section>
  `;

  /** @param {PhotoGroup} group @param {GroupInvite} invite */
  const openInvite = (group, invite) =>
    key(
      invite.id,
      html`
        <li>
          <span class="grow stack close">
            <span class="count">${invitee(invite.phone_number)}</span>
            <span class="quiet tiny">
              ${t("groupSettings.openUntil", {
                name: called(invite.invited_by),
                date: dayOf(invite.expires_at),
              })}
            </span>
          </span>
          ${iconButton(
            "share",
            t("share.with", { number: invitee(invite.phone_number) }),
            () => share(invite.url, invite.code, group.name),
          )}
          ${iconButton(
            "trash",
            t("groupSettings.revoke", { number: invitee(invite.phone_number) }),
            () => revoke(invite),
          )}
        </li>
      `,
    );

  /** @param {PhotoGroup} group */
  function invitations(group) {
    if (open.error) {
      return html`
        <section class="stack">
          <h2>${t("groupSettings.open")}</h2>
          ${failure(open.error, open.again)}
        </section>
      `;
    }
    return open.value && open.value.invites.length > 0 && html`
      <section class="stack">
        <h2>${t("groupSettings.open")}</h2>
        <ul class="rows">${open.value.invites.map((invite) => openInvite(group, invite))}</ul>
      </section>
    `;
  }

  /** @param {PhotoGroup} group */
  const naming = (group) =>
    form(
      async () => {
        const name = renamed?.trim();
        if (
          name && name !== group.name && await run(() => groups.rename(id, name), t("groupSettings.renamed"))
        ) renamed = null;
        self.draw();
      },
      html`
        ${nameField(t("newGroup.name"), group.name, (value) => (renamed = value, self.draw()))}
        ${renamed !== null && renamed.trim() !== group.name &&
          button(t("action.save"), { kind: "primary", type: "submit" })}
      `,
    );

  function view() {
    const group = groups.byId(id);
    const back = bar(router.path("group", { id }));
    if (!group) {
      return html`
        ${back}
        <h1>${t("groupSettings.title")}</h1>
        ${groups.status === "ready"
          ? empty("door", t("group.away"), html`<a class="button" href="/">${t("action.toGroups")}</a>`)
          : groups.error
          ? failure(groups.error, () => groups.refresh())
          : skeleton()}
      `;
    }
    // The invitations come later. They would push the buttons below them from under a finger.
    const isWhole = open.value || open.error;
    return html`
      ${back}
      <h1>${t("groupSettings.title")}</h1>
      ${naming(group)}
      ${members(group)}
      ${isWhole ? invitations(group) : skeleton("row", 1)}
      ${isWhole && html`
        ${muting(group)}
        <section class="stack">
          ${button(t("groupSettings.leave"), { kind: "danger", icon: "leave", click: () => leave(group) })}
        </section>
      `}
    `;
  }
  return self.begin();
}
