/**
 * The viewer shows the pictures of a group one at a time. Swipes, arrows and buttons move; a pull downwards, Escape and the
 * cross close it.
 */

import { html } from "../../app/render.js";
import { announce } from "../../app/announce.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { tidyNotices } from "../../app/browser/tray.js";
import { clock, feeds, groups, network, router, seen } from "../../app/stores.js";
import { ago, goneIn, since } from "../../parts/day.js";
import { ring } from "../../parts/ring.js";
import { iconButton, screen } from "../../parts/screen.js";
import { empty, skeleton } from "../../parts/states.js";
import { photoMenu } from "./menu.js";
import { createSlides, isOwn } from "./slides.js";
import { pullDown } from "./swipe.js";
import { opened } from "../../parts/pictures/photo.js";

/** @import { Photo } from "../../api/api.d.ts" */
/** @import { Visit } from "../../app/router.js" */

const FADE = 2600;

/** @param {Visit} visit */
export function viewer(visit) {
  const id = visit.params.id ?? "";
  let current = visit.params.photo ?? "";
  let bare = false;
  let placed = false;
  /** @type {Map<string, {photo: Photo, text: string}>} Photos that ended while somebody looked; they fade once. */
  const ended = new Map();
  const self = screen(t("viewer.title"), view, [feeds, network], "viewer");
  const close = () => router.back(router.path("group", { id }));
  const shown = () =>
    [...feeds.of(id).photos, ...[...ended.values()].map(({ photo }) => photo)].sort((a, b) =>
      a.created_at.localeCompare(b.created_at)
    );
  const place = () => Math.max(0, shown().findIndex((photo) => photo.id === current));

  const slides = createSlides({
    draw: self.draw,
    seen: markSeen,
    tapped: () => (bare = !bare, self.draw()),
    held: (photo) => photoMenu(photo, close),
  });

  self.signal.addEventListener("abort", () => {
    opened.from = visit.params.photo ?? "";
    setTimeout(() => opened.from = "");
  });
  self.signal.addEventListener(
    "abort",
    feeds.onEnded(({ photo, reason }) => {
      if (photo.group_id !== id || photo.id !== current) return;
      const text = !groups.byId(id)
        ? t("group.away")
        : reason === "expired"
        ? t("viewer.over")
        : isOwn(photo)
        ? t("viewer.deleted")
        : t("viewer.taken");
      ended.set(photo.id, { photo, text });
      announce(text, "assertive");
      self.draw();
      setTimeout(() => {
        const next = shown().filter((each) => each.id !== photo.id)[place()] ?? feeds.of(id).photos.at(-1);
        ended.delete(photo.id);
        current = next?.id ?? "";
        self.draw();
      }, FADE);
    }),
  );

  /** @param {number} step */
  function move(step) {
    const photo = shown()[place() + step];
    if (photo) {
      self.element.querySelector(`[data-photo="${photo.id}"]`)?.scrollIntoView({
        inline: "center",
        block: "nearest",
      });
    }
  }

  /** A photo was seen when it was sharp. */
  function markSeen() {
    const photo = shown()[place()];
    if (photo && slides.isSharp(photo)) void seen.mark([photo.id]);
  }

  function look() {
    const photos = shown();
    const photo = photos[place()];
    if (!photo) return;
    opened.id = photo.id;
    markSeen();
    announce(
      t("viewer.announce", {
        place: place() + 1,
        count: photos.length,
        name: isOwn(photo) ? t("people.toYou") : photo.sender_name,
        time: since(photo.created_at),
      }),
    );
  }

  /** @param {HTMLElement} strip */
  function attach(strip) {
    strip.addEventListener("scroll", () => {
      const middle = strip.getBoundingClientRect().left + strip.clientWidth / 2;
      const slide = [...strip.children].find((each) =>
        each.getBoundingClientRect().left <= middle && each.getBoundingClientRect().right > middle
      );
      const found = slide instanceof HTMLElement ? slide.dataset["photo"] ?? "" : "";
      if (!placed || !found || found === current) return;
      current = found;
      self.draw();
      look();
    }, { passive: true });
    pullDown(strip, close);
    queueMicrotask(() => {
      strip.querySelector(`[data-photo="${current}"]`)?.scrollIntoView({
        behavior: "instant",
        inline: "center",
        block: "nearest",
      });
      placed = true;
      look();
    });
  }

  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const turn = document.documentElement.dir === "rtl" ? -1 : 1;
    const steps = { ArrowRight: turn, ArrowLeft: -turn };
    if (event.key === "Escape") close();
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      move(steps[event.key]);
    }
  }, { signal: self.signal });

  function view() {
    const photos = shown();
    const photo = photos[place()];
    if (!photo) {
      const wait = feeds.of(id).status === "loading";
      return html`
        <header class="bar">${iconButton("close", t("action.close"), close)}</header>
        <h1 class="unseen">${t("viewer.title")}</h1>
        ${wait ? skeleton("block", 1) : empty("box", t("viewer.none"))}
      `;
    }
    const life = Math.max(0, (Date.parse(photo.expires_at) - clock.now()) / 1000 / config.photo_lifetime);
    return html`
      <h1 class="unseen">${t("viewer.title")}</h1>
      <ul class="strip" tabindex="0" aria-label=${t("group.photos")} ref=${attach}>
        ${slides.view(photos, place(), ended)}
      </ul>
      <header class=${bare ? "bar over-photo bare" : "bar over-photo"}>
        ${iconButton("close", t("action.close"), close)}
        <span class="grow line life">
          ${!ended.has(photo.id) && html`
            ${ring(life, null, "little")}
            <span class="small">${goneIn(photo.expires_at)}</span>
          `}
        </span>
        ${iconButton("more", t("viewer.menu"), () => photoMenu(photo, close))}
      </header>
      <footer class=${bare ? "over-photo bare" : "over-photo"}>
        ${iconButton("back", t("viewer.previous"), () => move(-1), place() === 0)}
        <p class="grow center">
          <span class="round" dir="auto" translate="no">
            ${isOwn(photo) ? t("people.you") : photo.sender_name}
          </span>
          <br />
          <span class="small quiet">
            ${ago(photo.created_at)} ·
            <span class="count">${t("viewer.place", { place: place() + 1, count: photos.length })}</span>
          </span>
        </p>
        ${iconButton("forward", t("viewer.next"), () => move(1), place() === photos.length - 1)}
      </footer>
    `;
  }
  void feeds.refresh(id);
  void tidyNotices();
  return self.begin();
}
