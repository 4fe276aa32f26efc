/** The day of a group: a ring around each face, and the shutter below. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { clock, feeds, router, session, uploads } from "../../app/stores.js";
import { called, person } from "../../parts/people/avatar.js";
import { ticking, untilSecond } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { ring } from "../../parts/ring.js";

/** @import { PhotoGroup } from "../../api/api.d.ts" */

/**
 * Whoever has sent today, by the reader's calendar, has a closed ring. For the reader the service says it.
 * @param {PhotoGroup} group
 * @param {unknown} [others] further faces
 */
export function membersOfToday(group, others) {
  const since = clock.today.start;
  const senders = new Set(
    feeds.of(group.id).photos.filter((photo) => Date.parse(photo.created_at) >= since).map((photo) =>
      photo.sender_id
    ),
  );
  const own = session.user?.id ?? "";
  const isOwn = ({ id = "" }) => id === own;
  // The row may be longer than the screen, and one's own ring is what changes.
  const faces = [...group.members.filter(isOwn), ...group.members.filter((one) => !isOwn(one))];
  if (group.has_sent_today) senders.add(own);
  else senders.delete(own);
  return html`
    <ul class="today" tabindex="0" aria-label=${t("group.members")}>
      ${faces.map((member) => key(member.id, html`
        <li>
          ${ring(senders.has(member.id) ? 1 : 0, person(member, group.members))}
          <span class="tiny" dir="auto" translate="no">
            ${member.id === own ? t("people.you") : called(member.first_name)}
          </span>
          <span class="unseen">${senders.has(member.id) ? t("group.hasSent") : t("group.hasNotSent")}</span>
        </li>
      `))}
      ${others}
    </ul>
  `;
}

/** @param {PhotoGroup} group */
export function shutter(group) {
  if (group.has_sent_today) {
    return html`
      <div class="limit card">
        ${ring(1, icon("check"))}
        <div>
          <p role="status">${t("group.limit")}</p>
          ${group.next_send_at && html`
            <p class="quiet small">
              ${ticking(() => t("group.next", { time: untilSecond(group.next_send_at ?? "") }))}
            </p>
          `}
        </div>
      </div>
    `;
  }
  if (uploads.all.some((item) => item.group_id === group.id)) return null;
  return html`
    <div class="dock">
      <a
        class="shutter"
        href=${router.path("camera", { id: group.id })}
        aria-label=${t("groups.take", { group: group.name })}
      >
        ${icon("camera", 30)}
      </a>
    </div>
  `;
}
