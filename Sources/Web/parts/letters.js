/** The open invitations on the first screen. They come after it, because there is rarely one. */

import { html } from "../app/render.js";
import { invitations } from "../app/stores.js";
import { invitationCard } from "./invitation.js";
import { joining } from "./joining.js";

/** @param {() => void} draw */
export function letters(draw) {
  const join = joining(draw);
  return () =>
    html`<ul class="stack narrow">${
      (invitations.open ?? []).map((invite) => invitationCard(invite, join))
    }</ul>`;
}
