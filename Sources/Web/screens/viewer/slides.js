/** The slides of the viewer: which of them hold a picture, and what they show when it does not come. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { network, session } from "../../app/stores.js";
import { hold } from "../../parts/hold.js";
import { button } from "../../parts/screen.js";
import { DayPhoto } from "../../parts/pictures/photo.js";

/** @import { Photo } from "../../api/api.d.ts" */

/**
 * The photos whose full pictures are there or on their way: the one that is looked at, when it has come the next one, then the one
 * before. What has come stays, as long as it is beside.
 * @param {Photo[]} photos
 * @param {number} place
 * @param {(photo: Photo) => boolean} hasCome it is sharp, or could not be loaded
 */
export function wanted(photos, place, hasCome) {
  const near = [place, place + 1, place - 1].flatMap((at) => photos[at] ?? []);
  const waits = near.findIndex((photo) => !hasCome(photo));
  return near.filter((photo, at) => waits < 0 || at <= waits || hasCome(photo));
}

/** @param {Photo} photo */
export const isOwn = (photo) => photo.sender_id === session.user?.id;

/** @param {{ draw: () => void, seen: () => void, tapped: () => void, held: (photo: Photo) => void }} viewer */
export function createSlides({ draw, seen, tapped, held }) {
  /** @type {Map<string, "sharp" | "missing">} */
  const come = new Map();

  /** @param {Photo} photo @param {"sharp" | "missing"} how */
  function onCome(photo, how) {
    come.set(photo.id, how);
    seen();
    draw();
  }

  /** @param {string} id @param {Event} event */
  function again(id, event) {
    event.stopPropagation();
    come.delete(id);
    const slide = /** @type {HTMLElement} */ (event.target).closest("li");
    /** @type {any} */ (slide?.querySelector("whole-photo"))?.again();
    draw();
  }

  /** @param {string} id */
  const failed = (id) => html`
    <div class="over">
      <p>${navigator.onLine && network.state === "there" ? t("viewer.failed") : t("viewer.offline")}</p>
      ${button(t("action.again"), { click: (event) => again(id, event) })}
    </div>
  `;

  return {
    /** @param {Photo} photo */
    isSharp: (photo) => come.get(photo.id) === "sharp",
    /**
     * @param {Photo[]} photos
     * @param {number} place
     * @param {Map<string, { text: string }>} ended
     */
    view(photos, place, ended) {
      const whole = wanted(photos, place, ({ id }) => come.has(id));
      for (const id of come.keys()) if (!whole.some((photo) => photo.id === id)) come.delete(id);
      return photos.map((photo, at) => {
        const isWhole = whole.includes(photo), over = ended.get(photo.id)?.text;
        return key(
          photo.id,
          html`
            <li
              data-photo=${photo.id}
              ref=${(/** @type {HTMLElement} */ item) => hold(item, () => held(photo))}
              @click=${tapped}
            >
              <div
                class=${over ? "print ended" : at === place ? "print moving" : "print"}
                role="img"
                aria-label=${isOwn(photo) ? t("viewer.own") : t("viewer.by", { name: photo.sender_name })}
                --ratio=${photo.width / photo.height}
              >
                ${Math.abs(at - place) < 2 &&
                  html`<day-photo .patient=${!isWhole} .photo=${photo}></day-photo>`}
                ${isWhole && html`
                  <whole-photo
                    .photo=${photo}
                    @missing=${() => onCome(photo, "missing")}
                    @sharp=${() => onCome(photo, "sharp")}
                  ></whole-photo>
                `}
              </div>
              ${over
                ? html`<p class="over">${over}</p>`
                : come.get(photo.id) === "missing" && failed(photo.id)}
            </li>
          `,
        );
      });
    },
  };
}

/** <whole-photo .photo=${photo}>: the full picture in the size that it has on the screen, above its thumbnail. */
class WholePhoto extends DayPhoto {
  /** @type {import("../../store/pictures/photos.js").Size} */
  size = "full";
  #resized = new ResizeObserver(() => {
    if (!this.picture || this.picture.width >= this.#width()) return;
    this.drop();
    void this.show();
  });

  #width = () => Math.ceil(this.clientWidth * devicePixelRatio);

  /** The thumbnail below has the blur. */
  blurred() {}

  connectedCallback() {
    super.connectedCallback();
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  /** @returns {ImageBitmapOptions} */
  fit() {
    return { resizeWidth: this.#width(), resizeQuality: "high" };
  }
}

customElements.define("whole-photo", WholePhoto);
