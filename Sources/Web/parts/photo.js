/**
 * <day-photo .photo=${photo} .size=${"thumbnail"}> or <day-photo .blob=${blob}>: a picture that starts as its ThumbHash and
 * sharpens in 200 ms. It is the only place that makes object URLs; it revokes each when its picture leaves the page.
 */
import { network, photos } from "../app/stores.js";
import { decode, SIDE } from "./thumbhash.js";

/** @import { Photo } from "../api/api.d.ts" */

/** The photo that was shown last, which a view transition carries from screen to screen. */
export const opened = { id: "" };

class DayPhoto extends HTMLElement {
  /** @type {Photo | null} */
  #photo = null;
  /** @type {Blob | null} */
  #blob = null;
  /** @type {"thumbnail" | "full"} */
  size = "thumbnail";
  #url = "";
  #leaving = new AbortController();
  #retry = () => this.#show();
  #quit = () => {};

  set photo(/** @type {Photo} */ photo) {
    const same = this.#photo?.id === photo.id;
    this.#photo = photo;
    if (same) return;
    this.#blur(photo);
    if (this.isConnected) this.#show();
  }

  set blob(/** @type {Blob} */ blob) {
    this.#blob = blob;
    if (this.isConnected) this.#show();
  }

  connectedCallback() {
    // A phone offers to save a picture that is held.
    this.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#show();
    addEventListener("online", this.#retry);
    this.#quit = network.subscribe(this.#retry);
  }

  disconnectedCallback() {
    removeEventListener("online", this.#retry);
    this.#quit();
    this.#leaving.abort();
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

  async #show() {
    if (this.#url) return;
    this.#leaving.abort();
    const { signal } = this.#leaving = new AbortController();
    try {
      const blob = this.#blob ?? (this.#photo && await photos.picture(this.#photo, this.size, signal));
      if (!blob || signal.aborted) return;
      this.#url = URL.createObjectURL(blob);
      const image = new Image();
      image.alt = "";
      image.draggable = false;
      image.src = this.#url;
      await image.decode();
      if (signal.aborted) return;
      this.style.setProperty("--ratio", `${image.naturalWidth / image.naturalHeight}`);
      this.append(image);
      requestAnimationFrame(() => image.classList.add("sharp"));
      this.dispatchEvent(new Event("sharp"));
    } catch (error) {
      URL.revokeObjectURL(this.#url);
      this.#url = "";
      if (!signal.aborted) this.dispatchEvent(new CustomEvent("missing", { detail: error }));
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
