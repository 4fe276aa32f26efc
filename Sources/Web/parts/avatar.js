/** A person without a picture is a circle with initials in one of eight tones, chosen by their id. */

import { html, key } from "../app/render.js";
import { t } from "../app/i18n.js";
import { tone, tones } from "./tone.js";

/** @param {string | null} name */
export const called = (name) => name ?? t("people.unnamed");

/** The first letter as a reader sees it, of several characters in some scripts. Firefox has a segmenter since version 125. */
const first = "Segmenter" in Intl
  ? (/** @type {string} */ word) => [...new Intl.Segmenter().segment(word)][0]?.segment
  : (/** @type {string} */ word) => [...word][0];

/** @param {string | null} name */
function initials(name) {
  const words = called(name).split(/[\s-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => first(word ?? "")).join("")
    .toLocaleUpperCase();
}

/** @param {{id: string, first_name: string | null}} someone @param {{id: string}[]} [members] of the group on the screen */
export const person = ({ id, first_name }, members = []) =>
  html`<span class=${`person tone-${tones(members).get(id) ?? tone(id)}`} aria-hidden="true">${
    initials(first_name)
  }</span>`;

/** The first faces of a group and how many more there are; one sentence for a screen reader.
 * @param {{id: string, first_name: string | null}[]} members @param {number} [shown] */
export function people(members, shown = 5) {
  const rest = members.length - shown;
  const visible = rest > 0 ? members.slice(0, shown) : members;
  return html`<div class="people" role="img" aria-label=${
    members.map((each) => called(each.first_name)).join(", ")
  }>
    ${visible.map((each) => key(each.id, person(each, members)))}
    ${rest > 0 && html`<span class="more" aria-hidden="true">${t("people.more", { count: rest })}</span>`}
  </div>`;
}
