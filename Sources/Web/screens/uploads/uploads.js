/** Every photo that has not gone out yet, with its state and the ways on. */

import { html, key } from "../../app/render.js";
import { dateTime, t } from "../../app/i18n.js";
import { textOf } from "../../app/errors.js";
import { groups, network, router, uploads } from "../../app/stores.js";
import { ago } from "../../parts/day.js";
import { bar, button, screen } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";
import { stateOf, uploadRing } from "../../parts/upload-state.js";
import "../../parts/pictures/photo.js";

/** @import { UploadItem } from "../../store/uploads/upload-queue.js" */

export function queue() {
  const self = screen(t("uploads.title"), view, [uploads, groups, network]);

  /** @param {UploadItem} item */
  function state(item) {
    if (stateOf(item) === "sending") return t("uploads.sending");
    if (item.state === "signed-out") return t("uploads.signIn");
    if (item.state === "stopped") return textOf(item.problem) ?? t("uploads.stopped");
    return item.next_send_at
      ? t("uploads.kept", { date: dateTime(item.next_send_at) })
      : textOf(item.problem) ?? t("uploads.waitingLong");
  }

  /** @param {UploadItem} item */
  function actions(item) {
    const { next_send_at: free } = item;
    const lost = item.state === "stopped" && item.problem !== "already_sent_today" &&
      item.problem !== "too_old";
    return html`
      <div class="line actions">
        ${item.state === "stopped" && free &&
          button(t("uploads.keep"), { kind: "little", click: () => uploads.keepUntil(item.id, free) })}
        ${item.state !== "sending" && !free && !lost &&
          button(t("uploads.retry"), { kind: "little", click: () => uploads.retry(item.id) })}
        ${item.state !== "sending" &&
          button(t("uploads.discard"), { kind: "little plain", click: () => uploads.discard(item.id) })}
      </div>
    `;
  }

  /** @param {UploadItem} item */
  const row = (item) =>
    key(
      item.id,
      html`
        <li class="card upload">
          <day-photo
            ref=${async (/** @type {any} */ element) => element.blob = await uploads.preview(item.id)}
          ></day-photo>
          <div class="grow stack close">
            <h2>${groups.byId(item.group_id)?.name ?? t("group.title")}</h2>
            <p class="small" role="status">${state(item)}</p>
            <p class="quiet tiny">
              ${t("uploads.taken")} ${ago(new Date(item.taken_at ?? item.created_at).toISOString())}
            </p>
          </div>
          ${uploadRing(item, "small")}
          ${actions(item)}
        </li>
      `,
    );

  function view() {
    return html`
      ${bar(router.path("settings"))}
      <h1>${t("uploads.title")}</h1>
      ${uploads.all.length ? html`
        <ul class="stack">${uploads.all.map(row)}</ul>
        <p class="quiet small">${t("uploads.text")}</p>
      ` : empty("tunnel", t("uploads.none"))}
    `;
  }
  return self.begin();
}
