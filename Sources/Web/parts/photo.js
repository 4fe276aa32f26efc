/**
 * <day-photo .photo=${photo} .size=${"thumbnail"}> or <day-photo .blob=${blob}>: a picture that starts as its ThumbHash and
 * sharpens in 200 ms. It is the only place that makes object URLs; it revokes each when its picture leaves the page.
 */
import { network, photos } from "../app/stores.js";
import { decode, SIDE } from "./thumbhash.js";

/** @import { Photo } from "../api/api.d.ts" */

/**
 * The photo that was shown last, which a view transition carries from screen to screen, and the one with which a viewer began
 * that closes right now.
 */
export const opened = { id: "", from: "" };

/** Milliseconds until a picture that failed is asked for again. */
const WAITS = [1_000, 4_000, 15_000];

class DayPhoto extends HTMLElement {
  /** @type {Photo | null} */
  #photo = null;
  /** @type {Blob | null} */
  #blob = null;
  /** A full picture lies above a thumbnail, and has no blur of its own. @type {"thumbnail" | "full"} */
  size = "thumbnail";
  #patient = false;
  #url = "";
  #leaving = new AbortController();
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #quit = () => {};

  set photo(/** @type {Photo} */ photo) {
    const same = this.#photo?.id === photo.id;
    this.#photo = photo;
    if (same) return;
    if (this.size === "thumbnail") this.#blur(photo);
    this.#show();
  }

  set blob(/** @type {Blob} */ blob) {
    this.#blob = blob;
    this.#show();
  }

  /** Only shows what is on this device. */
  set patient(/** @type {boolean} */ patient) {
    if (this.#patient === patient) return;
    this.#patient = patient;
    if (!patient) this.#show();
  }

  connectedCallback() {
    // A phone offers to save a picture that is held.
    this.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#show();
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
    this.#drop();
  }

  /** Asks again for a picture that failed. */
  again = () => {
    if (this.#failures === 0 || document.hidden) return;
    this.#failures = 0;
    this.#show();
  };

  #drop() {
    this.querySelector("img")?.remove();
    URL.revokeObjectURL(this.#url);
    this.#url = "";
  }

  /** @param {Photo} photo */
  #blur(photo) {
    const pixels = decode(photo.thumbhash);
    if (!pixels) return;
    const canvas = this.querySelector("canvas") ?? document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    canvas.getContext("2d")?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
    this.prepend(canvas);
  }

  /** @param {AbortSignal} signal */
  async #read(signal) {
    const photo = this.#photo;
    if (this.#blob || !photo) return this.#blob;
    return await (this.#patient ? photos.kept(photo, this.size) : photos.picture(photo, this.size, signal));
  }

  async #show() {
    if (this.#url || !this.isConnected) return;
    this.#leaving.abort();
    clearTimeout(this.#timer);
    const { signal } = this.#leaving = new AbortController();
    try {
      const blob = await this.#read(signal);
      if (!blob || signal.aborted) return;
      this.#url = URL.createObjectURL(blob);
      const image = new Image();
      image.alt = "";
      image.draggable = false;
      image.src = this.#url;
      await image.decode();
      if (signal.aborted) return;
      this.#failures = 0;
      this.style.setProperty("--ratio", `${image.naturalWidth / image.naturalHeight}`);
      this.append(image);
      requestAnimationFrame(() => image.classList.add("sharp"));
      this.dispatchEvent(new Event("sharp"));
    } catch (error) {
      if (signal.aborted) return;
      this.#drop();
      const wait = WAITS[this.#failures++];
      if (wait && !this.#blob) this.#timer = setTimeout(() => this.#show(), wait);
      this.dispatchEvent(new CustomEvent("missing", { detail: error }));
    }
  }
}

customElements.define("day-photo", DayPhoto);

/** Offers a file to the browser's downloads. @param {Blob} file @param {string} name */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
