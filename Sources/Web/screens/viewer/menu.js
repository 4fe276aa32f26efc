/** The menu of a photo deletes one's own, or blocks its sender. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { feeds, session } from "../../app/stores.js";
import { block } from "../../parts/people/blocking.js";
import { icon } from "../../parts/icons.js";
import { run } from "../../parts/run.js";
import { ask, openSheet } from "../../parts/sheet.js";

/** @import { Photo } from "../../api/api.d.ts" */

/** @param {Photo} photo @param {() => unknown} [close] closes the viewer, which tells of its photo's end itself */
export function photoMenu(photo, close) {
  const own = photo.sender_id === session.user?.id;
  const name = photo.sender_name;

  async function remove() {
    if (
      await ask({ title: t("viewer.deleteTitle"), text: t("viewer.deleteText"), yes: t("viewer.delete") })
    ) {
      await run(() => feeds.deletePhoto(photo), close ? undefined : t("viewer.deleted"));
    }
  }

  const blockSender = () => block({ id: photo.sender_id, first_name: name }, close);

  openSheet(t("viewer.menu"), (sheet) => {
    const choose = (/** @type {() => Promise<void>} */ act) => () => (sheet.close(), void act());
    return html`
      <div class="rows">
        <button type="button" class="danger" @click=${choose(own ? remove : blockSender)}>
          ${icon(own ? "trash" : "block")}
          <span class="grow">${own ? t("viewer.delete") : t("viewer.block", { name })}</span>
        </button>
      </div>
      <p class="quiet small">${own ? t("viewer.deleteText") : t("viewer.blockText", { name })}</p>
    `;
  });
}
