/** Takes the notifications that are over out of the phone's tray. */

import { isOver } from "../../store/notices.js";
import { match } from "../routes.js";
import { feeds, findRegistration, invitations, seen } from "../stores.js";

export async function tidyNotices() {
  const { id: open = "" } = document.hidden ? {} : match(location.pathname).params;
  const known = {
    open,
    isSeen: (/** @type {string} */ id) => feeds.of(id).status === "ready" && seen.unseen(id).length === 0,
    invitations: invitations.open?.map(({ id }) => id) ?? null,
  };
  for (const notice of await (await findRegistration())?.getNotifications?.() ?? []) {
    if (isOver(notice.data, known)) notice.close();
  }
}
