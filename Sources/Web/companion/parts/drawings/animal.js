/** <day-animal .picture=${…}> shows a drawing. It makes it anew only when its key changes, so that movement goes on. */

import { t } from "../../../app/i18n.js";
import { drawn, group, moved, path, shape } from "./shapes.js";

/** @import { MaybeShape } from "./shapes.js" */

/**
 * @typedef {object} Picture
 * @property {string} key what the drawing follows from
 * @property {string} frame the part of the plane that is seen
 * @property {(isGlad: boolean) => MaybeShape[]} draw
 * @property {string} [colour] of the day
 * @property {string} [state] of the day's cat
 * @property {string} label what somebody hears who does not see it; empty where the words beside it say it
 * @property {string} [stroke] the name of the button that strokes the animal; none: it cannot be stroked
 */

const HEART = "M0 5C-6 0 -9 -4 -9 -8C-9 -13 -2 -14 0 -9C2 -14 9 -13 9 -8C9 -4 6 0 0 5Z";
const GLADNESS = 2_400;

const hearts = () =>
  group(
    "loves",
    moved("translate(62 44)", path("love", HEART)),
    moved("translate(182 36) scale(1.25)", path("love", HEART)),
    moved("translate(206 92) scale(0.8)", path("love", HEART)),
  );

export class DayAnimal extends HTMLElement {
  /** @type {Picture | null} */
  #picture = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #looking = 0;
  #look = (/** @type {PointerEvent} */ event) => this.#follow(event);

  /** @param {Picture} picture */
  set picture(picture) {
    const before = this.#picture;
    this.#picture = picture;
    if (before?.key !== picture.key || before.label !== picture.label) this.#draw();
  }

  /** Shows for a moment that the animal is glad, and what it eats. @param {MaybeShape[]} [meal] on a square of 64 */
  rejoice(meal = []) {
    clearTimeout(this.#timer);
    this.classList.add("glad");
    this.#draw(true, meal);
    this.#timer = setTimeout(() => {
      this.classList.remove("glad");
      this.#draw();
    }, GLADNESS);
  }

  /** @param {boolean} [isGlad] @param {MaybeShape[]} [meal] */
  #draw(isGlad = this.classList.contains("glad"), meal = []) {
    const picture = this.#picture;
    if (!picture) return;
    this.classList.add("animal");
    for (const name of /** @type {const} */ (["colour", "state"])) this.dataset[name] = picture[name] ?? "";
    const svg = drawn(shape("svg", { viewBox: picture.frame, "aria-hidden": "true" }, [
      ...picture.draw(isGlad),
      meal.length > 0 && moved("translate(88 116)", group("meal", ...meal)),
      isGlad && hearts(),
    ]));
    const held = document.activeElement === this.querySelector("button");
    if (picture.stroke) this.#beStroked(svg, picture);
    else this.#beSeen(svg, picture);
    if (held) this.querySelector("button")?.focus({ preventScroll: true });
  }

  /** @param {SVGElement} svg @param {Picture} picture */
  #beSeen(svg, { label }) {
    // Beside its own name a drawing says nothing more.
    if (label) this.setAttribute("role", "img");
    if (label) this.setAttribute("aria-label", label);
    this.replaceChildren(svg);
  }

  /** @param {SVGElement} svg @param {Picture} picture */
  #beStroked(svg, { label, stroke = "" }) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "stroke";
    button.setAttribute("aria-label", t("companion.strokeLabel", { action: stroke, animal: label }));
    button.append(svg);
    button.addEventListener("click", () => this.rejoice());
    this.replaceChildren(button);
  }

  /** The eyes follow the hand. @param {PointerEvent} event */
  #follow({ clientX, clientY }) {
    if (this.#looking || !this.#picture?.stroke) return;
    this.#looking = requestAnimationFrame(() => {
      this.#looking = 0;
      const { left, top, width, height } = this.getBoundingClientRect();
      const x = (clientX - left - width / 2) / innerWidth, y = (clientY - top - height / 2) / innerHeight;
      this.style.setProperty("--look-x", `${Math.max(-1, Math.min(1, 2 * x)) * 3}px`);
      this.style.setProperty("--look-y", `${Math.max(-1, Math.min(1, 2 * y)) * 3}px`);
    });
  }

  connectedCallback() {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) addEventListener("pointermove", this.#look);
  }

  disconnectedCallback() {
    removeEventListener("pointermove", this.#look);
    cancelAnimationFrame(this.#looking);
    clearTimeout(this.#timer);
  }
}

customElements.define("day-animal", DayAnimal);
