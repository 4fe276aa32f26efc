/** Blocks a person after a question that says what happens. */

import { t } from "../../app/i18n.js";
import { blocks, groups } from "../../app/stores.js";
import { called } from "./avatar.js";
import { run } from "../run.js";
import { ask } from "../sheet.js";

/**
 * @param {{ id: string, first_name: string | null }} someone
 * @param {() => unknown} [leave] leaves the screen that shows something of theirs
 */
export async function block(someone, leave) {
  const name = called(someone.first_name);
  const sure = await ask({
    title: t("viewer.blockTitle", { name }),
    text: t("viewer.blockText", { name }),
    yes: t("viewer.block", { name }),
  });
  if (!sure) return;
  await leave?.();
  if (await run(() => blocks.block(someone), t("viewer.blocked", { name }))) await groups.refresh();
}
