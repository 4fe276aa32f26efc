/** A group shows its two days: the members who have sent, the pictures, and the shutter or the word that today's photo is sent. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { tidyNotices } from "../../app/browser/tray.js";
import { clock, feeds, groups, network, router, seen, session, uploads } from "../../app/stores.js";
import { hold as holding } from "../../parts/hold.js";
import { pending } from "../../parts/invitations/pending.js";
import { bar, iconButton, screen } from "../../parts/screen.js";
import { empty, failure, skeleton } from "../../parts/states.js";
import { since, ticking } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { stateOf, uploadRing } from "../../parts/upload-state.js";
import { membersOfToday, shutter } from "./today.js";
import { photoMenu } from "../viewer/menu.js";
import { opened } from "../../parts/pictures/photo.js";

/** @import { Photo } from "../../api/api.d.ts" */
/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit */
export function group(visit) {
  const id = visit.params.id ?? "";
  const self = screen(groups.byId(id)?.name ?? t("group.title"), view, [
    groups,
    feeds,
    uploads,
    seen,
    session,
    network,
  ], "wide");
  // From the viewer the keyboard returns to the tile that opened it.
  const { from } = opened;
  void groups.refresh();
  void feeds.refresh(id);
  void tidyNotices();
  const invited = pending(id, self.draw);

  /** How old a photo is, in short. @param {string} iso */
  function age(iso) {
    const minutes = Math.floor((clock.now() - Date.parse(iso)) / 60_000);
    if (minutes < 1) return since(iso);
    return minutes < 60
      ? t("time.minutes", { count: minutes })
      : t("time.hours", { count: Math.floor(minutes / 60) });
  }

  /** The picture that was tapped becomes the picture of the viewer. @param {any} event */
  function hold(event) {
    for (const each of self.element.querySelectorAll(".moving")) each.classList.remove("moving");
    event.currentTarget.querySelector("day-photo").classList.add("moving");
  }

  /** @param {Photo} photo */
  const tile = (photo) =>
    key(
      photo.id,
      html`
        <li ref=${(/** @type {HTMLElement} */ item) => holding(item, () => photoMenu(photo))}>
          <a
            class="tile"
            href=${router.path("viewer", { id, photo: photo.id })}
            autofocus=${photo.id === from}
            @click=${hold}
          >
            <day-photo class=${opened.id === photo.id ? "moving" : ""} .photo=${photo}></day-photo>
            <span class="caption">
              <span class="round" dir="auto" translate="no">
                ${photo.sender_id === session.user?.id ? t("people.you") : photo.sender_name}
              </span> <span class="quiet tiny">${ticking(() => age(photo.created_at))}</span>
            </span>
          </a>
        </li>
      `,
    );

  /** @param {typeof uploads.all[number]} item */
  function sending(item) {
    const state = stateOf(item);
    return key(
      item.id,
      html`
        <li>
          <a class="tile" href=${router.path("uploads")}>
            <day-photo
              class="sending"
              ref=${async (/** @type {any} */ element) => element.blob = await uploads.preview(item.id)}
            ></day-photo>
            <span class="badge">${uploadRing(item)}</span>
            <span class="small caption">
              ${state === "sending"
                ? t("uploads.sending")
                : state === "stopped"
                ? t("uploads.stopped")
                : t("uploads.waiting")}
            </span>
          </a>
        </li>
      `,
    );
  }

  function pictures() {
    const feed = feeds.of(id);
    // The stream may tell of a photo before the answer to its upload is there.
    const isThere = feed.photos.some((photo) =>
      photo.sender_id === session.user?.id && Date.parse(photo.created_at) >= clock.today.start
    );
    const own = uploads.all.filter((item) => item.group_id === id && !(isThere && item.state === "sending"));
    if (feed.photos.length + own.length > 0) {
      return html`
        <h2 class="unseen">${t("group.photos")}</h2>
        <ul class="tiles">
          ${own.map(sending)}
          ${feed.photos.toReversed().map(tile)}
        </ul>
      `;
    }
    if (feed.status === "loading") return skeleton("block", 2);
    return feed.error ? failure(feed.error, () => feeds.refresh(id)) : empty("box", t("group.nothing"));
  }

  function view() {
    const shown = groups.byId(id);
    if (!shown) {
      const away = groups.status === "ready"
        ? empty("door", t("group.away"), html`<a class="button" href="/">${t("action.toGroups")}</a>`)
        : groups.error
        ? failure(groups.error, () => groups.refresh())
        : skeleton("block", 2);
      return html`
        ${bar(router.path("home"))}
        <h1 class="unseen">${t("group.title")}</h1>
        ${away}
      `;
    }
    return html`
      ${bar(
        router.path("home"),
        iconButton("more", t("groupSettings.title"), () => router.go(router.path("group-settings", { id }))),
      )}
      <div class="line">
        <h1 class="grow" dir="auto" translate="no">${shown.name}</h1>
        ${shown.muted &&
          html`<span class="quiet" role="img" aria-label=${t("group.muted")}>${icon("mute")}</span>`}
      </div>
      ${membersOfToday(shown, invited(shown))}
      ${pictures()}
      ${shutter(shown)}
    `;
  }
  return self.begin();
}
