/** A sheet invites more people with the same list as a new group has. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { describe } from "../../app/errors.js";
import { client } from "../../app/stores.js";
import { count } from "../../parts/count.js";
import { contactList } from "../../parts/contacts/contact-list.js";
import { button } from "../../parts/screen.js";
import { outcomes } from "../../parts/invitations/share.js";
import { openSheet } from "../../parts/sheet.js";
import { fault } from "../../parts/states.js";

/** @import { PhotoGroup, Invitation } from "../../api/api.d.ts" */

/** @param {PhotoGroup} group @param {() => void} changed */
export function inviteSheet(group, changed) {
  let problem = "";
  let hasTried = false;
  let busy = false;
  /** @type {Invitation[] | null} */
  let sent = null;
  const contacts = contactList(
    () => sheet.draw(),
    () => config.limits.members_per_group - group.member_count,
  );

  async function send() {
    if (busy) return;
    problem = "";
    busy = true;
    sheet.draw();
    hasTried = await contacts.settle();
    busy = hasTried && contacts.numbers.length > 0;
    sheet.draw();
    if (!busy) return;
    try {
      sent = (await client.sendInvites(group.id, contacts.numbers)).sent;
      count("invite_sent", sent.length);
      changed();
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    sheet.draw();
  }

  const sheet = openSheet(
    t("groupSettings.invite"),
    () => sent ? html`
      ${outcomes(sent, group.name)}
      ${button(t("action.done"), { kind: "primary", click: () => sheet.close() })}
    ` : html`
      ${contacts.view()}
      ${fault(problem || hasTried && !contacts.numbers.length && t("newGroup.nobody") || "")}
      ${button(t("groupSettings.send"), { kind: "primary", busy, click: send })}
    `,
  );
}
