/** Passes an invitation on by hand: through the phone's share sheet, or the clipboard where there is none. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { spaced } from "../contacts/calling-codes.js";
import { iconButton } from "../screen.js";
import { toast } from "../toast.js";

/** @import { Invitation } from "../../api/api.d.ts" */

/** @param {string} url @param {string} code @param {string} group */
export async function share(url, code, group) {
  const text = t("share.text", { group, code });
  if (typeof navigator.share === "function") return void navigator.share({ text, url }).catch(() => {});
  try {
    await navigator.clipboard.writeText(`${text} ${url}`);
    toast(t("share.copied"));
  } catch {
    // A page over plain http has no clipboard, and any browser may refuse to write to it.
    prompt(text, url);
  }
}

/** Only its inviter sees whom an invitation is for. @param {string | null} number */
export const invitee = (number) => number ? spaced(number) : t("share.hidden");

/** @param {Invitation[]} invitations @param {string} group */
export const outcomes = (invitations, group) => html`
  <ul class="rows">
    ${invitations.map(({ phone_number, outcome, url, code }) => key(phone_number, html`
      <li>
        <span class="grow stack close">
          <span class="count">${spaced(phone_number)}</span>
          <span class="quiet small">${outcome === "invited" ? t("share.invited") : t("share.member")}</span>
        </span>
        ${url && code &&
          iconButton(
            "share",
            t("share.with", { number: spaced(phone_number) }),
            () => share(url, code, group),
          )}
      </li>
    `))}
  </ul>
`;
