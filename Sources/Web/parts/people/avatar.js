/** A person without a picture is a circle with initials in one of eight tones, chosen by their id. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { tones } from "./tone.js";

/** @param {string | null} name */
export const called = (name) => name ?? t("people.unnamed");

/** Finds what a reader sees as a letter, several characters in some scripts. Firefox has it since version 125. */
const segmenter = "Segmenter" in Intl && new Intl.Segmenter();

/** @param {string} [word] */
function first(word = "") {
  const [letter] = segmenter ? segmenter.segment(word) : [{ segment: [...word][0] }];
  return letter?.segment;
}

/** @param {string | null} name */
function initials(name) {
  const words = called(name).split(/[\s-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map(first).join("").toLocaleUpperCase();
}

/** @typedef {{id: string, first_name: string | null}} Someone */

/** @param {Someone} someone @param {{id: string}[]} [members] of the group on the screen */
export const person = (someone, members = [someone]) => html`
  <span class=${`person tone-${tones(members).get(someone.id)}`} aria-hidden="true">
    ${initials(someone.first_name)}
  </span>
`;

/** The first faces of a group and how many more there are; one sentence for a screen reader.
 * @param {Someone[]} members @param {number} [shown] */
export function people(members, shown = 5) {
  const rest = members.length - shown;
  const visible = rest > 0 ? members.slice(0, shown) : members;
  return html`
    <div class="people" role="img" aria-label=${members.map((each) => called(each.first_name)).join(", ")}>
      ${visible.map((each) => key(each.id, person(each, members)))}
      ${rest > 0 && html`<span class="more" aria-hidden="true">${t("people.more", { count: rest })}</span>`}
    </div>
  `;
}
