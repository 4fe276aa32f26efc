/**
 * The list of people to invite: a person types, pastes or picks numbers and sees which are on Dayly already.
 * The phone's contacts are asked for only where the browser has a picker, and nothing of them is kept.
 */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { client } from "../../app/stores.js";
import { spaced } from "./calling-codes.js";
import { icon } from "../icons.js";
import { phoneField } from "./phone-field.js";
import { numbersIn } from "../numbering/text.js";
import { button } from "../screen.js";
import { fault } from "../states.js";

/** @typedef {{number: string, name: string, chosen: boolean, known: boolean | null}} Contact */

/** @param {() => void} draw @param {() => number} most how many may be chosen */
export function contactList(draw, most) {
  /** @type {Contact[]} */
  const contacts = [];
  /** @type {string | null} */
  let problem = null;
  let wanted = "";
  let busy = false;
  const field = phoneField(draw, t("contacts.number"), "list");
  const chosen = () => contacts.filter((each) => each.chosen);
  const picker = /** @type {any} */ (navigator).contacts;

  /** @param {{number: string, name: string}[]} found @param {string} rest what stays in the field */
  async function add(found, rest) {
    const fresh = found.filter(({ number }, at) =>
      !contacts.some((each) => each.number === number) &&
      found.findIndex((each) => each.number === number) === at
    );
    problem = null;
    busy = true;
    draw();
    try {
      for (let at = 0; at < fresh.length; at += 50) await check(fresh.slice(at, at + 50));
      choose(found);
      field.leave(rest);
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    draw();
  }

  /** As many as there is room for. @param {{number: string}[]} found */
  function choose(found) {
    for (const each of contacts) {
      if (each.chosen || !found.some(({ number }) => number === each.number)) continue;
      each.chosen = chosen().length < most();
      if (!each.chosen) problem ??= t("contacts.full", { most: most() });
    }
  }

  /** @param {{number: string, name: string}[]} part */
  async function check(part) {
    const answer = await client.checkUsers(part.map((each) => each.number));
    const invalid = new Set(answer.invalid);
    if (invalid.size) problem = t("contacts.invalid", { numbers: [...invalid].map(spaced).join(", ") });
    for (const each of part) {
      if (!invalid.has(each.number)) {
        contacts.push({ ...each, chosen: false, known: answer.existing.includes(each.number) });
      }
    }
  }

  async function pick() {
    const picked = await picker.select(["name", "tel"], { multiple: true }).catch(() => []);
    /** @type {{number: string, name: string}[]} */
    const clear = [];
    /** @type {string[]} */
    const rest = [];
    for (const { name, tel } of picked) {
      const lines = numbersIn(tel.join("\n"), field.region).sort((a, b) => b.rank - a.rank);
      const [number, ...others] = lines[0]?.numbers ?? [];
      if (number && !others.length) clear.push({ name: name?.[0] ?? "", number });
      else rest.push(...tel.slice(0, 1));
    }
    await add(clear, rest.join(", "));
  }

  /** @type {Promise<void> | null} */
  let adding = null;

  /** Takes what stands in the field, as far as it is clear. */
  function enter() {
    const { numbers, rest } = field.clear;
    if (!numbers.length) return field.leave(rest), field.focus();
    adding = add(numbers.map((number) => ({ number, name: "" })), rest);
  }

  /** A chip or a row that goes hands the keyboard to its neighbour. @param {any} event */
  function handOn({ currentTarget: button }) {
    const item = button.closest("li") ?? button;
    const next = item.nextElementSibling ?? item.previousElementSibling;
    (next?.querySelector("button") ?? next ?? item.closest(".contacts").querySelector(".button")).focus();
  }

  /** A number that was typed goes with its chip; a person from the phone's contacts can be chosen again.
   * @param {Contact} contact */
  function remove(contact) {
    if (contact.name) contact.chosen = false;
    else contacts.splice(contacts.indexOf(contact), 1);
  }

  /** @param {Contact} contact */
  function chip(contact) {
    const label = contact.name || spaced(contact.number);
    return key(
      contact.number,
      html`
        <li>
          <button
            type="button"
            class="pick chip"
            aria-label=${t("contacts.remove", { name: label })}
            @click=${(/** @type {Event} */ event) => (handOn(event), remove(contact), draw())}
          >
            <span class=${contact.name ? "" : "count"}>${label}</span>
            ${icon("close", 18)}
          </button>
        </li>
      `,
    );
  }

  /** @param {Contact} contact */
  function row(contact) {
    return key(
      contact.number,
      html`
        <button
          type="button"
          ?disabled=${chosen().length >= most()}
          @click=${(/** @type {Event} */ event) => (handOn(event), contact.chosen = true, draw())}
        >
          <span class="grow stack close">
            <span>${contact.name || spaced(contact.number)}</span>
            ${contact.name && html`<span class="quiet small count">${spaced(contact.number)}</span>`}
          </span>
          ${icon("plus", 20)}
        </button>
      `,
    );
  }

  /** Chosen people are chips, the others rows to choose from. @param {string} title @param {boolean} known */
  function section(title, known) {
    const all = contacts.filter((each) => each.known === known);
    const needle = wanted.toLocaleLowerCase();
    const others = all.filter((each) =>
      !each.chosen && `${each.name}${each.number}`.toLocaleLowerCase().includes(needle)
    );
    const chips = all.filter((each) => each.chosen);
    return chips.length + others.length > 0 && html`
      <section class="stack">
        <h3>${title}</h3>
        ${chips.length > 0 && html`<ul class="line">${chips.map(chip)}</ul>`}
        ${others.length > 0 && html`<div class="rows">${others.map(row)}</div>`}
      </section>
    `;
  }

  return {
    get numbers() {
      return chosen().map((each) => each.number);
    },
    /** Takes what still stands in the field along. False where some of it cannot be taken; the list says why. */
    async settle() {
      await adding;
      problem = null;
      if (field.isFilled) enter();
      await adding;
      if (field.isFilled) field.focus();
      return !field.isFilled && !problem;
    },
    view() {
      const search = (/** @type {any} */ event) => (wanted = event.target.value, draw());
      const pressed = (/** @type {any} */ event) => {
        // In a field the key would send the form around it; on a button it is a click.
        if (event.key !== "Enter" || event.target.localName !== "input") return;
        event.preventDefault();
        if (event.target.type === "tel") enter();
      };
      return html`
        <div class="stack contacts" @keydown=${pressed}>
          ${field.view(null)}
          <div class="line">
            ${button(t("contacts.add"), { kind: "little", icon: "plus", busy, click: enter })}
            ${picker && button(t("contacts.pick"), { kind: "little", icon: "person", click: pick })}
          </div>
          ${fault(problem)}
          ${contacts.length > 6 && html`
            <input
              class="input"
              type="search"
              aria-label=${t("contacts.search")}
              placeholder=${t("contacts.search")}
              @input=${search}
            />
          `}
          ${section(t("contacts.known"), true)}
          ${section(t("contacts.unknown"), false)}
          ${contacts.length > 0 && html`
            <p class="quiet small" role="status">
              ${t("contacts.chosen", { count: chosen().length, most: most() })}
            </p>
          `}
        </div>
      `;
    },
  };
}
