/** <whole-photo .photo=${photo}>: the full picture in the size that it has on the screen, above its thumbnail. */

import { DayPhoto } from "../../parts/photo.js";

class WholePhoto extends DayPhoto {
  /** @type {import("../../store/photos.js").Size} */
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
