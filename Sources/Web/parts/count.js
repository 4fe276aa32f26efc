/** Counts the four things that Dayly counts, as totals of a day and without anybody's id. */

import { client } from "../app/stores.js";

/** @param {"photo_sent" | "group_created" | "app_opened" | "invite_sent"} name @param {number} [times] */
export const count = (name, times = 1) => void client.countEvents([{ name, count: times }]).catch(() => {});
