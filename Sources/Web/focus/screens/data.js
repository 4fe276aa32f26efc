/** What Focus stores and what it does not, taking it along, and leaving. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { client, router } from "../../app/stores.js";
import { calls, focus } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { dayOf } from "../../parts/day.js";
import { focusScreen, head, place } from "../parts/place.js";
import { promises } from "../parts/promises.js";
import { saveFile } from "../../parts/save.js";
import { button } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { toast } from "../../parts/toast.js";

export function data() {
  /** @type {"export" | "leave" | null} */
  let busy = null;
  const self = focusScreen(t("focus.data.title"), view, { kind: "focus" });
  const known = self.watch(questions.profile());

  /** @param {"export" | "leave"} what @param {() => Promise<void>} act */
  async function doing(what, act) {
    busy = what;
    self.draw();
    await act().catch((error) => toast(describe(error).text));
    busy = null;
    self.draw();
  }

  const take = () => doing("export", async () => saveFile(await client.exportUser(), "dayly.json"));

  async function leave() {
    const sure = await ask({
      title: t("focus.leave.title"),
      text: t("focus.leave.text"),
      yes: t("focus.leave.yes"),
    });
    if (!sure) return;
    await doing("leave", async () => {
      await calls.leave();
      await focus.reset();
      toast(t("focus.leave.done"));
      router.go("/", { replace: true });
    });
  }

  function view() {
    const joined = known.value?.joined_at;
    return html`
      ${head(place("settings"))}
      <h1>${t("focus.data.title")}</h1>
      ${joined && html`<p class="quiet">${t("focus.data.since", { date: dayOf(joined) })}</p>`}
      ${promises()}
      <section class="stack">
        <h2>${t("data.export")}</h2>
        <p class="quiet">${t("focus.data.exportText")}</p>
        ${button(t("data.take"), { busy: busy === "export", click: take })}
      </section>
      <section class="stack">
        <h2>${t("focus.leave.head")}</h2>
        <p class="quiet">${t("focus.leave.text")}</p>
        ${button(t("focus.leave.yes"), {
          kind: "danger",
          icon: "leave",
          busy: busy === "leave",
          click: leave,
        })}
      </section>
    `;
  }
  return self.begin();
}
