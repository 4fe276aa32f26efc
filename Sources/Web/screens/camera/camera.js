/**
 * Takes a photo and puts it into the queue. Where a browser keeps its permission there is a live picture. An iPhone would ask
 * at every start, so it opens its own camera, as does everybody who refuses. The live picture has no way to the gallery.
 */

import { html } from "../../app/render.js";
import { announce, focusOn } from "../../app/announce.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { groups, router, uploads } from "../../app/stores.js";
import { kindOfFile } from "../../store/uploads/picture-kind.js";
import { preparedBeside } from "../../app/picture-thread.js";
import { buzz } from "../../parts/haptics.js";
import { drawing, icon } from "../../parts/icons.js";
import { button, iconButton, screen } from "../../parts/screen.js";
import { fault, notice } from "../../parts/states.js";
import { previewOf } from "../preview/preview.js";
import { liveCamera } from "./live.js";

/** @import { Visit } from "../../app/router.js" */

const asksEveryTime = /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);

/** @param {Visit} visit */
export function camera(visit) {
  const id = visit.params.id ?? "";
  let problem = "";
  let sending = false;
  let taking = false;
  let round = 0;
  /** @type {ReturnType<typeof previewOf> | null} */
  let preview = null;
  const self = screen(t("camera.title"), view, [groups], "dark");
  const live = liveCamera(self.draw, self.signal);
  const close = () => router.back(router.path("group", { id }));

  /** Draws, and leads the keyboard to what stands in the place of the button that it was on. */
  function turn() {
    self.draw();
    requestAnimationFrame(() => focusOn(self));
  }

  /**
   * Makes a picture ready; a text says why a file cannot be sent.
   * @param {Blob} file
   * @returns {Promise<Blob | string>}
   */
  async function readied(file) {
    const kind = await kindOfFile(file);
    if (kind === "empty") return t("camera.empty");
    if (kind === "film") return t("camera.film");
    const ready = kind === "other" ? file : await preparedBeside(file);
    if (kind !== "picture" && ready === file) return t("camera.notPicture");
    const { upload_bytes: most } = config.limits;
    return ready.size > most ? t("camera.tooLarge", { size: Math.floor(most / 2 ** 20) }) : ready;
  }

  /** @param {Promise<Blob | null>} picture */
  async function taken(picture) {
    const begun = round;
    problem = "";
    taking = true;
    self.draw();
    const ready = await picture.then((file) => file && readied(file)).catch(() => t("camera.unreadable"));
    // Without a picture (null) the camera has ended. Meanwhile the person may have left.
    taking = false;
    if (ready === null || self.signal.aborted || preview || begun !== round) return;
    if (typeof ready === "string") {
      problem = ready;
      buzz("error");
      live.go();
      return self.draw();
    }
    preview = previewOf(ready, id, { draw: self.draw, send, retake });
    live.stop();
    turn();
  }

  function retake() {
    preview?.end();
    preview = null;
    round += 1;
    turn();
    if (!asksEveryTime) void live.start();
  }

  /** @param {Blob} picture @param {string[]} ids */
  async function send(picture, ids) {
    if (sending) return;
    sending = true;
    try {
      await uploads.enqueue(picture, ids);
      buzz("send");
      if (!self.signal.aborted) close();
    } catch {
      sending = false;
      problem = t("camera.unreadable");
      buzz("error");
      self.draw();
    }
  }

  /** The frame stands still, flashes and is felt before the picture is made, which takes a moment. A second tap does nothing. */
  function press() {
    if (taking || live.state !== "live") return;
    buzz("shutter");
    announce(t("camera.taken"));
    void taken(live.take());
  }

  const own = () => html`
    <label class="button primary">
      ${icon("camera", 20)}
      ${live.state === "none" ? t("camera.choose") : t("camera.own")}
      <input
        class="unseen"
        type="file"
        accept="image/*"
        capture="environment"
        @change=${(/** @type {any} */ event) =>
          event.target.files[0] && taken(Promise.resolve(event.target.files[0]))}
      />
    </label>
  `;

  const viewfinder = () => html`
    <div class=${taking ? "finder taken" : "finder"}>
      <video
        ref=${live.attach}
        class=${live.front ? "mirrored" : ""}
        autoplay
        playsinline
        muted
        aria-label=${t("camera.live")}
      ></video>
    </div>
    <div class="controls">
      ${live.canFlash
        ? iconButton("flash", live.flash ? t("camera.flashOff") : t("camera.flashOn"), live.toggleFlash)
        : html`<span class="icon"></span>`}
      <button
        type="button"
        class="shutter"
        aria-label=${t("camera.take")}
        aria-disabled=${taking || live.state !== "live" ? "true" : null}
        @click=${press}
      ></button>
      ${live.canFlip ? iconButton("flip", t("camera.flip"), live.flip) : html`<span class="icon"></span>`}
    </div>
  `;

  const asked = () => html`
    <div class="empty">
      ${drawing("box")}
      <h1>${t("camera.title")}</h1>
      <p>
        ${live.state === "denied"
          ? t("camera.denied")
          : live.state === "none"
          ? t("camera.none")
          : live.state === "hidden"
          ? t("camera.hidden")
          : t("camera.ask")}
      </p>
      ${fault(problem)}
      ${own()}
      ${live.state === "denied" && button(t("action.again"), { kind: "plain", click: live.start })}
    </div>
  `;

  function view() {
    const group = groups.byId(id);
    const says = html`
      <div class="says stack">
        ${group?.has_sent_today && !preview && notice(t("group.limit"))}
        ${fault(problem)}
      </div>
    `;
    if (preview) return html`${preview.view()}${says}`;
    return html`
      <header class="bar">
        ${iconButton("close", t("action.close"), close)}
        <span class="grow center round" dir="auto" translate="no">${group?.name}</span>
        <span class="icon"></span>
      </header>
      ${live.state === "live" || live.state === "starting" ? html`
        <h1 class="unseen">${t("camera.title")}</h1>
        ${viewfinder()}
        ${says}
      ` : asked()}
    `;
  }

  if (groups.byId(id)?.has_sent_today) buzz("limit");
  self.signal.addEventListener("abort", () => preview?.end());
  if (!asksEveryTime) void live.start();
  return self.begin();
}
