/** The people whom this person blocked. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { client, router } from "../../app/stores.js";
import { called, person } from "../../parts/avatar.js";
import { dayOf } from "../../parts/day.js";
import { shown } from "../../parts/products/answered.js";
import { bar, button, load, screen } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

/** @import { BlockedUser } from "../../api/api.d.ts" */

export function blocked() {
  const self = screen(t("blocked.title"), view);
  const known = load(() => client.listBlocks(), self.draw);

  /** @param {BlockedUser} someone */
  async function unblock(someone) {
    await client.unblockUser(someone.id).then(
      () => toast(t("blocked.ended", { name: called(someone.first_name) })),
      (error) => toast(describe(error).text),
    );
    await known.again();
  }

  /** @param {BlockedUser} someone */
  const row = (someone) =>
    key(
      someone.id,
      html`<li>${person(someone)}<span class="grow stack close"><span dir="auto" translate="no">${
        called(someone.first_name)
      }</span>
      <span class="quiet small">${t("blocked.since", { date: dayOf(someone.blocked_at) })}</span></span>
      ${button(t("blocked.end"), { kind: "little", click: () => unblock(someone) })}</li>`,
    );

  function view() {
    return html`${bar(router.path("settings"))}<h1>${t("blocked.title")}</h1>
      ${
      shown(known, ({ blocks }) =>
        blocks.length
          ? html`
            <p class="quiet">${t("blocked.text")}</p>
            <ul class="rows">${blocks.map(row)}</ul>
          `
          : empty("door", t("blocked.none")))
    }`;
  }
  return self.begin();
}
