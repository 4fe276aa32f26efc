/**
 * <day-photo .photo=${photo} .size=${"thumbnail"}> or <day-photo .blob=${blob}>: a picture that starts as its ThumbHash and
 * sharpens in 200 ms. Pictures are canvases, which give their memory back: browsers keep what they have decoded of images.
 */
import { network, photos } from "../../app/stores.js";
import { decode, SIDE } from "./thumbhash.js";

/** @import { Photo } from "../../api/api.d.ts" */

/**
 * The photo that was shown last, which a view transition carries from screen to screen, and the one with which a viewer began
 * that closes right now.
 */
export const opened = { id: "", from: "" };

/** Milliseconds until a picture that failed is asked for again. */
const WAITS = [1_000, 4_000, 15_000];

/** @param {number} width @param {number} height */
const canvasOf = (width, height) => Object.assign(document.createElement("canvas"), { width, height });

export class DayPhoto extends HTMLElement {
  /** @type {Photo | null} */
  #photo = null;
  /** @type {Blob | null} */
  #blob = null;
  /** @type {import("../../store/pictures/photos.js").Size} */
  size = "thumbnail";
  #patient = false;
  /** @type {HTMLCanvasElement | null} */
  picture = null;
  #leaving = new AbortController();
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #quit = () => {};

  set photo(/** @type {Photo} */ photo) {
    const same = this.#photo?.id === photo.id;
    this.#photo = photo;
    if (same) return;
    this.drop();
    this.blurred(photo);
    this.show();
  }

  set blob(/** @type {Blob} */ blob) {
    this.#blob = blob;
    this.show();
  }

  /** Only shows what is on this device. */
  set patient(/** @type {boolean} */ patient) {
    if (this.#patient === patient) return;
    this.#patient = patient;
    if (!patient) this.show();
  }

  connectedCallback() {
    // A phone offers to save a picture that is held.
    this.addEventListener("contextmenu", (event) => event.preventDefault());
    this.show();
    addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.again);
    this.#quit = network.subscribe(this.again);
  }

  disconnectedCallback() {
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
    this.#quit();
    this.#leaving.abort();
    clearTimeout(this.#timer);
    this.drop();
  }

  /** Asks again for a picture that failed. */
  again = () => {
    if (this.#failures === 0 || document.hidden) return;
    this.#failures = 0;
    this.show();
  };

  drop() {
    if (!this.picture) return;
    this.picture.width = 0;
    this.picture.remove();
    this.picture = null;
  }

  /** @param {Photo} photo */
  blurred(photo) {
    const pixels = decode(photo.thumbhash);
    if (!pixels) return;
    const canvas = canvasOf(SIDE, SIDE);
    canvas.getContext("2d")?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
    this.replaceChildren(canvas);
  }

  /** @param {AbortSignal} signal */
  async #read(signal) {
    const photo = this.#photo;
    if (this.#blob || !photo) return this.#blob;
    return await (this.#patient ? photos.kept(photo, this.size) : photos.picture(photo, this.size, signal));
  }

  /** How large a picture is drawn. @returns {ImageBitmapOptions} */
  fit() {
    return {};
  }

  async show() {
    if (this.picture || !this.isConnected) return;
    this.#leaving.abort();
    clearTimeout(this.#timer);
    const { signal } = this.#leaving = new AbortController();
    try {
      const blob = await this.#read(signal);
      if (!blob || signal.aborted) return;
      const bitmap = await createImageBitmap(blob, this.fit());
      if (signal.aborted) return bitmap.close();
      const picture = this.picture = canvasOf(bitmap.width, bitmap.height);
      picture.className = "picture";
      this.style.setProperty("--ratio", `${bitmap.width / bitmap.height}`);
      picture.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
      this.append(picture);
      requestAnimationFrame(() => picture.classList.add("sharp"));
      this.#failures = 0;
      this.dispatchEvent(new Event("sharp"));
    } catch (error) {
      if (signal.aborted) return;
      const wait = WAITS[this.#failures++];
      if (wait && !this.#blob) this.#timer = setTimeout(() => this.show(), wait);
      this.dispatchEvent(new CustomEvent("missing", { detail: error }));
    }
  }
}

customElements.define("day-photo", DayPhoto);
