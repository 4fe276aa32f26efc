/**
 * The photo before it goes, to one group or several. After three seconds it goes by itself, unless the person touches
 * anything, presses Pause, or has switched that off.
 */

import { html, key } from "../../app/render.js";
import { announce } from "../../app/announce.js";
import { list, t } from "../../app/i18n.js";
import { groups, preferences, session } from "../../app/stores.js";
import { secondsOfToday } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { ring } from "../../parts/ring.js";
import { button } from "../../parts/screen.js";
import { notice } from "../../parts/states.js";
import "../../parts/pictures/photo.js";

const WAIT = 3000;
const NEARLY_MIDNIGHT = 120;

/** @param {Blob} picture @param {string} first the group whose camera it was
 * @param {{draw: () => void, send: (picture: Blob, ids: string[]) => void, retake: () => void}} then */
export function previewOf(picture, first, { draw, send, retake }) {
  const free = (groups.all ?? []).filter((group) => !group.has_sent_today);
  const chosen = new Set(free.some((group) => group.id === first) ? [first] : []);
  let running = preferences.autoProceed && chosen.size > 0 && session.state === "signed-in";
  /** The three seconds begin when the picture is seen. */
  let begun = Infinity;
  let isUnseen = false;
  let shown = false;

  const timer = setInterval(() => {
    if (!running) return;
    if (performance.now() - begun >= WAIT) go();
    else draw();
  }, 100);

  function pause() {
    if (!running) return;
    running = false;
    announce(t("preview.paused", { button: t("preview.send", { groups: list(names()) }) }));
    draw();
  }

  // A picture that this browser cannot show goes by the button only.
  function missing() {
    running = false;
    isUnseen = true;
    draw();
  }

  const leaving = new AbortController();
  document.addEventListener("visibilitychange", () => document.hidden && pause(), { signal: leaving.signal });

  function end() {
    clearInterval(timer);
    leaving.abort();
  }

  function go() {
    running = false;
    end();
    send(picture, [...chosen]);
  }

  /** @param {string} id */
  function flip(id) {
    running = false;
    if (!chosen.delete(id)) chosen.add(id);
    draw();
  }

  /** @param {any} event */
  function sharp({ target }) {
    begun = performance.now();
    target.closest(".page").style.setProperty("--ratio", target.style.getPropertyValue("--ratio"));
  }

  const names = () => free.filter((group) => chosen.has(group.id)).map((group) => group.name);

  /** The one line above the picture, as long as the picture has the place of the finder. */
  function says() {
    if (free.length === 0) return t("group.limit");
    if (chosen.size === 0) return t("preview.choose");
    if (secondsOfToday() < NEARLY_MIDNIGHT) return t("preview.midnight");
    return t(running ? "preview.soon" : "preview.send", { groups: list(names()) });
  }

  return {
    end,
    view() {
      if (!shown && running) announce(t("preview.soon", { groups: list(names()) }));
      shown = true;
      const part = running ? Math.min(1, Math.max(0, performance.now() - begun) / WAIT) : 0;
      return html`
        <div
          class="preview"
          @keydown=${(/** @type {any} */ event) => event.target.closest(".shutter") || pause()}
          @pointerdown=${(/** @type {any} */ event) => event.target.closest("button") || pause()}
        >
          <header class="bar">
            <h1 class="unseen">${t("preview.title")}</h1>
            <p class="center grow">${says()}</p>
          </header>
          <div class="frame">
            <day-photo
              .blob=${picture}
              role="img"
              aria-label=${t("preview.photo")}
              @sharp=${sharp}
              @missing=${missing}
            ></day-photo>
            ${isUnseen && notice(t("preview.unseen"))}
            <fieldset class="line chips">
              <legend class="unseen">${t("preview.to")}</legend>
              ${free.map((group) => key(group.id, html`
                <label class="pick">
                  <input
                    class="unseen"
                    type="checkbox"
                    .checked=${chosen.has(group.id)}
                    @change=${() => flip(group.id)}
                  />
                  ${icon(chosen.has(group.id) ? "check" : "plus", 18)}
                  <span dir="auto" translate="no">${group.name}</span>
                </label>
              `))}
            </fieldset>
          </div>
          <div class="controls">
            ${button(t("preview.retake"), { kind: "plain", icon: "flip", click: retake })}
            <button
              type="button"
              class="shutter full"
              aria-label=${t("preview.send", { groups: list(names()) })}
              ?disabled=${chosen.size === 0}
              @click=${go}
            >
              ${ring(part, icon("up", 30))}
            </button>
            ${running
              ? button(t("preview.pause"), { kind: "plain", icon: "pause", click: pause })
              : html`<span class="button plain" aria-hidden="true"></span>`}
          </div>
        </div>
      `;
    },
  };
}
