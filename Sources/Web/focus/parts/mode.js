/** The choice of apps that a session shields. */

import { t } from "../../app/i18n.js";
import { pills } from "../../products/parts/controls.js";

/** How a phone chooses which apps it shields. @param {string} value @param {(value: any) => void} set */
export const modeChoice = (value, set) =>
  pills(
    t("focus.mode"),
    value,
    [["allow_list", t("focus.mode.allow")], ["block_list", t("focus.mode.block")]],
    set,
    t("focus.mode.hint"),
  );
