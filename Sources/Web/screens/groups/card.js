/** A group's card shows its name, its people, how its day stands, the newest pictures and the ring. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { clock, feeds, router, seen, session, uploads } from "../../app/stores.js";
import { people } from "../../parts/people/avatar.js";
import { left, secondsOfToday, since, ticking } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { ring } from "../../parts/ring.js";
import { iconButton } from "../../parts/screen.js";
import "../../parts/pictures/photo.js";

/** @import { PhotoGroup } from "../../api/api.d.ts" */

const LATE = 3 * 3600;

/** @param {PhotoGroup} group */
export function groupCard(group) {
  const pictures = feeds.of(group.id).photos;
  const fresh = seen.unseen(group.id).length;
  const path = router.path("group", { id: group.id });
  const view = () => {
    const photo = seen.unseen(group.id)[0] ?? feeds.of(group.id).photos.at(-1);
    if (photo) router.go(router.path("viewer", { id: group.id, photo: photo.id }));
  };
  return html`
    <article
      class="card group"
      ref=${(/** @type {HTMLElement} */ card) =>
        void import("../../parts/hold.js").then(({ hold }) => hold(card, view), () => {})}
    >
      <div class="line head">
        <h2 class="grow" dir="auto" translate="no">
          <a href=${path}>${group.name}</a>
        </h2>
        ${group.muted &&
          html`<span class="quiet" role="img" aria-label=${t("group.muted")}>${icon("mute", 20)}</span>`}
        ${iconButton(
          "more",
          t("groups.settingsOf", { group: group.name }),
          () => router.go(router.path("group-settings", { id: group.id })),
        )}
      </div>
      ${people(group.members)}
      <div class="line day">
        <p class="grow small status">${status(group)}</p>
        ${pictures.length > 0 && html`
          <button
            type="button"
            class="prints"
            @click=${view}
            aria-label=${t("groups.view", { count: pictures.length, group: group.name })}
          >
            ${pictures.slice(-3).map((photo) =>
              key(photo.id, html`<day-photo .photo=${photo}></day-photo>`)
            )}
            ${fresh > 0 && html`<span class="fresh">${t("groups.fresh", { count: fresh })}</span>`}
          </button>
        `}
        ${dayOfCard(group)}
      </div>
    </article>
  `;
}

/** The ring of a card: sent, on its way, or the way to the camera. @param {PhotoGroup} group */
function dayOfCard(group) {
  if (group.has_sent_today) {
    return ring(1, html`<span role="img" aria-label=${t("groups.sent")}>${icon("check", 22)}</span>`);
  }
  const own = uploads.all.find((item) => item.group_id === group.id);
  const path = own ? router.path("uploads") : router.path("camera", { id: group.id });
  const label = own ? t("uploads.title") : t("groups.take", { group: group.name });
  const sign = !own ? "camera" : own.state === "sending" ? "up" : own.state === "stopped" ? "alert" : "clock";
  return html`
    <a class=${own ? "send" : "send free"} href=${path} aria-label=${label}>
      ${ring(own?.progress ?? 0, icon(sign, 24))}
    </a>
  `;
}

/** How the day stands: what happened last, and when. @param {PhotoGroup} group */
function status(group) {
  const { photos } = feeds.of(group.id);
  const last = photos.at(-1);
  const own = photos.findLast((photo) => photo.sender_id === session.user?.id);
  const when = (/** @type {string} */ iso) => html`<span class="quiet">${ticking(() => since(iso))}</span>`;
  if (group.has_sent_today) return html`
    <strong>${t("groups.sent")}</strong>
    ${own && when(own.created_at)}
  `;
  if (secondsOfToday() < LATE) {
    return html`
      <strong>
        ${ticking(() => t("groups.left", { time: left(clock.now() + secondsOfToday() * 1000) }))}
      </strong>
    `;
  }
  if (last) {
    return html`
      <strong dir="auto" translate="no">
        ${last.sender_id === session.user?.id ? t("people.you") : last.sender_name}
      </strong>
      ${when(last.created_at)}
    `;
  }
  return html`<span class="quiet">${t("groups.nothing")}</span>`;
}
