/**
 * <dayly-banners> stands above every screen. It tells of a missing network, of waiting photos and of a new version, and says
 * for a moment that a photo went out.
 */

import { html, render } from "../app/render.js";
import { t } from "../app/i18n.js";
import { groups, network, router, session, uploads } from "../app/stores.js";
import { updates } from "../app/browser/updates.js";
import { announce } from "../app/announce.js";
import { count } from "./count.js";
import { buzz } from "./haptics.js";
import { icon } from "./icons.js";
import { toast } from "./toast.js";

class DaylyBanners extends HTMLElement {
  #stopped = 0;

  connectedCallback() {
    this.draw();
    for (const store of [uploads, updates, session, network]) store.subscribe(() => this.draw());
    addEventListener("popstate", () => this.draw());
    uploads.onSent(({ item }) => {
      count("photo_sent");
      buzz("sent");
      // The group and its card say it themselves.
      const isShown = ["/", router.path("group", { id: item.group_id })].includes(location.pathname);
      (isShown ? announce : toast)(t("banner.sent", { group: groups.byId(item.group_id)?.name ?? "" }));
    });
  }

  draw() {
    const known = session.state === "signed-in";
    const away = network.state === "away";
    // A photo that goes another day waits for no network.
    const waiting =
      uploads.all.filter(({ state, attempts, next_send_at: later }) =>
        away ? !later : state !== "sending" && (state !== "waiting" || attempts > 0)
      ).length;
    const stopped =
      uploads.all.filter((item) => item.state === "stopped" || item.state === "signed-out").length;
    if (stopped > this.#stopped) buzz("error");
    this.#stopped = stopped;
    const line = (/** @type {unknown} */ text) => text && html`
      <p class="notice">
        ${icon("alert", 20)}
        <span>${text}</span>
      </p>
    `;
    const offline = line(
      network.state === "foreign"
        ? t("error.foreign")
        : away && (waiting ? t("banner.saved", { count: waiting }) : t("banner.offline")),
    );
    const volatile = line(uploads.inMemory && t("banner.stay"));
    const queue = known && waiting > 0 && (!away || stopped > 0) &&
      html`
        <a class="notice" href=${router.path("uploads")}>
          ${icon(stopped ? "alert" : "clock", 20)}
          <span class="grow">
            ${stopped ? t("banner.stopped", { count: stopped }) : t("banner.waiting", { count: waiting })}
          </span>
          ${icon("forward", 18)}
        </a>
      `;
    const update = updates.isWaiting && html`
      <button type="button" class="notice" @click=${() => updates.apply()}>
        ${icon("flip", 20)}
        <span class="grow">${t("banner.update")}</span>
      </button>
    `;
    const lines = [offline, volatile, queue, update];
    render(lines.some(Boolean) && html`<section aria-label=${t("banner.title")}>${lines}</section>`, this);
  }
}

customElements.define("dayly-banners", DaylyBanners);
