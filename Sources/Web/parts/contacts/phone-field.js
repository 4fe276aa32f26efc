/** A field for phone numbers. The country in front of it opens a sheet with a search; what was understood stands below. */

import { announce } from "../../app/announce.js";
import { html } from "../../app/render.js";
import { language, t } from "../../app/i18n.js";
import { spaced, typedForm } from "./calling-codes.js";
import { icon } from "../icons.js";
import { chooseCountry } from "../numbering/country-sheet.js";
import { homeRegion, planOf, plansOf, regionOf } from "../numbering/plan.js";
import { numbersIn } from "../numbering/text.js";
import { tidied } from "../numbering/tidied.js";
import { plain } from "../plain.js";
import { button } from "../screen.js";
import { fault } from "../states.js";

/** @typedef {import("../numbering/text.js").Found} Found */

// A pause in which somebody has stopped typing, in milliseconds.
const PAUSE = 1000;

/** @param {string} region */
const countryName = (region) => new Intl.DisplayNames(language(), { type: "region" }).of(region) ?? region;

/** @param {Found[]} found */
const all = (found) => [...new Set(found.flatMap(({ numbers }) => numbers))];

/** @param {() => void} draw @param {string} label @param {"one" | "list"} [kind] whether the field is for one number */
export function phoneField(draw, label, kind = "one") {
  let region = homeRegion();
  let text = "";
  /** Whether the person is done with it for now, so that a fault may be named. */
  let isDone = false;
  let timer = 0;
  const id = `phone-${crypto.randomUUID()}`;

  const found = () => numbersIn(text, region);

  /** The numbers between which the person must choose. @param {Found[]} found */
  const choices = (found) =>
    kind === "one" && all(found).length > 1
      ? all(found)
      : found.find(({ numbers }) => numbers.length > 1)?.numbers ?? [];

  /** A plus decides the country, and the button shows it. */
  function follow() {
    const digits = /^[^\d+]*\+[^\d+]*(\d[\d\s().-]*)[^+,;]*$/.exec(plain(text))?.[1]?.replace(/\D/g, "") ??
      "";
    if (plansOf(digits)) region = regionOf(`+${digits}`, region);
  }

  /** @param {string} now */
  function set(now) {
    text = now;
    follow();
    draw();
  }

  function understood(found = numbersIn(text, region)) {
    const numbers = found.flatMap((each) => each.rank > 1 || isDone ? each.numbers.slice(0, 1) : []).map(
      spaced,
    );
    if (choices(found).length) return t("phone.which");
    return numbers.length
      ? t(kind === "one" ? "phone.understood" : "phone.understoodAll", { number: numbers.join(", ") })
      : "";
  }

  /** @param {any} event */
  function typed(event) {
    isDone = false;
    clearTimeout(timer);
    timer = setTimeout(() => document.getElementById(id) && announce(understood()), PAUSE);
    set(event.target.value);
  }

  /** A field of one line would put the lines of a list behind each other. @param {any} event */
  function pasted(event) {
    const lines = event.clipboardData?.getData("text").trim() ?? "";
    if (!/[\n\r\u2028]/.test(lines)) return;
    event.preventDefault();
    const { target } = event;
    target.setRangeText(
      lines.split(/[\n\r\u2028]+/).join(", "),
      target.selectionStart,
      target.selectionEnd,
      "end",
    );
    typed(event);
  }

  function left() {
    set(tidied(text, region));
    // What appears now must not move the button that is being pressed.
    setTimeout(() => (isDone = true, draw()), 250);
  }

  /** @param {string} number */
  function pick(number) {
    const others = kind === "one" ? [] : found().filter(({ numbers }) => !numbers.includes(number));
    isDone = true;
    set([typedForm(number), ...others.map((each) => each.text)].join(", "));
    document.getElementById(id)?.focus();
  }

  /** @param {Found[]} found */
  function faultIn(found) {
    if (!isDone || !text.trim()) return null;
    const wrong = found.length ? found.find((each) => each.fault) : { fault: "none", region };
    if (!wrong) return null;
    const country = countryName(wrong.region && wrong.region !== "001" ? wrong.region : region);
    const said = t(`phone.fault.${wrong.fault}`, { country });
    return found.length > 1 && "text" in wrong ? `${wrong.text}: ${said}` : said;
  }

  /** @param {string[]} numbers */
  const question = (numbers) => html`
    <div class="line" role="group" aria-label=${t("phone.which")}>
      ${numbers.map((number) => button(spaced(number), { kind: "little", click: () => pick(number) }))}
    </div>
  `;

  return {
    /** Whether anything stands in the field. */
    get isFilled() {
      return text.trim() !== "";
    },
    /** The numbers that are clear, and the rest of the text. */
    get clear() {
      const clear = found().filter(({ numbers }) => numbers.length === 1);
      const rest = found().filter(({ numbers }) => numbers.length !== 1).map((each) => each.text);
      return { numbers: all(clear), rest: clear.length ? rest.join(", ") : text };
    },
    /** The only number; null where there is none, or one must be chosen. */
    get number() {
      const numbers = all(found());
      return numbers.length === 1 && !found().some((each) => each.fault) ? numbers[0] ?? null : null;
    },
    /** Puts a text there, or leaves the one that is there, and says what is wrong with it. */
    leave(rest = text) {
      isDone = true;
      set(rest);
    },
    get region() {
      return region;
    },
    /** To the question, or to the field. */
    focus() {
      const input = document.getElementById(id);
      requestAnimationFrame(() => {
        const choice = input?.closest(".field")?.querySelector("[role=group] button");
        (choice instanceof HTMLElement ? choice : input)?.focus();
      });
    },
    /** @param {string | null} problem @param {{autofocus?: boolean, own?: boolean}} [options] */
    view(problem, { autofocus = false, own = false } = {}) {
      const now = found();
      const wrong = problem ?? faultIn(now);
      const { code } = planOf(region);
      const chosen = (/** @type {string} */ choice) => (region = choice, set(text));
      return html`
        <div class="field">
          <label for=${id}>${label}</label>
          <div class="line phone">
            <button
              type="button"
              class="input country"
              aria-label=${t("phone.countryIs", { country: countryName(region), code })}
              @click=${() => chooseCountry(region, chosen)}
            >
              <span class="count" dir="ltr">+${code}</span>
              ${icon("down", 18)}
            </button>
            <input
              class="input grow"
              dir="ltr"
              type="tel"
              inputmode="tel"
              id=${id}
              autocomplete=${own ? "tel" : "off"}
              .value=${text}
              ?autofocus=${autofocus}
              aria-invalid=${wrong ? "true" : null}
              aria-describedby=${`${id}-understood ${id}-fault`}
              @input=${typed}
              @paste=${pasted}
              @blur=${left}
            />
          </div>
          <p class="quiet small understood" id=${`${id}-understood`}>${understood(now)}</p>
          ${choices(now).length > 0 && question(choices(now))}
          ${fault(wrong, `${id}-fault`)}
        </div>
      `;
    },
  };
}
