/** The invited people of a group, as faces that are not here yet. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client, network } from "../../app/stores.js";
import { icon } from "../icons.js";
import { load } from "../screen.js";
import { invitee, share } from "./share.js";

/** @import { PhotoGroup } from "../../api/api.d.ts" */

/** Milliseconds between two questions of which the first had no answer. */
const PAUSE = 3_000;

/** @param {string} id of the group @param {() => void} draw */
export function pending(id, draw) {
  const open = load(() => client.listGroupInvites(id), draw);
  /** @type {number | undefined} */
  let members;
  let asked = performance.now();
  /** @param {PhotoGroup} group */
  return (group) => {
    // Without an answer it asks again when the screen is drawn anew, as after the return of the network.
    const isLost = open.error && network.state !== "away" && performance.now() - asked > PAUSE;
    // Whoever has become a member was invited until now.
    if (isLost || members !== undefined && members !== group.member_count) {
      asked = performance.now();
      void open.again();
    }
    members = group.member_count;
    return open.value?.invites.map(({ id, phone_number, url, code }) =>
      key(
        id,
        html`
          <li>
            <button
              type="button"
              class="ring invited"
              aria-label=${t("share.with", { number: invitee(phone_number) })}
              title=${invitee(phone_number)}
              @click=${() => share(url, code, group.name)}
            >
              ${icon("share", 20)}
            </button>
            <span class="tiny quiet">${t("group.invited")}</span>
            <span class="tiny quiet count" dir="ltr" aria-hidden="true">…${phone_number?.slice(-4)}</span>
          </li>
        `,
      )
    );
  };
}
