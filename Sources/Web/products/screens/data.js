/** What a product stores and what it does not, taking it along, and leaving. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { client, router } from "../../app/stores.js";
import { dayOf } from "../../parts/day.js";
import { saveFile } from "../../parts/save.js";
import { button } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { toast } from "../../parts/toast.js";

/**
 * @import { Question } from "../api/questions.js"
 * @import { productScreen } from "../parts/place.js"
 * @typedef {object} Parts
 * @property {(title: string, view: () => unknown) => ReturnType<typeof productScreen>} screen
 * @property {() => unknown} head
 * @property {Question<any>} joined its answer says since when the person takes part
 * @property {() => unknown} promises
 * @property {() => Promise<unknown>} leave
 * @property {() => Promise<unknown>} reset forgets what is known of the person
 */

/** @param {string} product the beginning of its texts' keys @param {Parts} parts */
export function productData(product, { screen, head, joined, promises, leave, reset }) {
  /** @type {"export" | "leave" | null} */
  let busy = null;
  const self = screen(t(`${product}.data.title`), view);
  const known = self.watch(joined);

  /** @param {"export" | "leave"} what @param {() => Promise<void>} act */
  async function doing(what, act) {
    busy = what;
    self.draw();
    await act().catch((error) => toast(describe(error).text));
    busy = null;
    self.draw();
  }

  const take = () => doing("export", async () => saveFile(await client.exportUser(), "dayly.json"));

  async function goAway() {
    const isSure = await ask({
      title: t(`${product}.leave.title`),
      text: t(`${product}.leave.text`),
      yes: t(`${product}.leave.yes`),
    });
    if (!isSure) return;
    await doing("leave", async () => {
      await leave();
      await reset();
      toast(t(`${product}.leave.done`));
      router.go("/", { replace: true });
    });
  }

  function view() {
    const since = known.value?.joined_at;
    return html`
      ${head()}
      <h1>${t(`${product}.data.title`)}</h1>
      ${since && html`<p class="quiet">${t(`${product}.data.since`, { date: dayOf(since) })}</p>`}
      ${promises()}
      <section class="stack">
        <h2>${t("data.export")}</h2>
        <p class="quiet">${t(`${product}.data.exportText`)}</p>
        ${button(t("data.take"), { busy: busy === "export", click: take })}
      </section>
      <section class="stack">
        <h2>${t(`${product}.leave.head`)}</h2>
        <p class="quiet">${t(`${product}.leave.text`)}</p>
        ${button(t(`${product}.leave.yes`), {
          kind: "danger",
          icon: "leave",
          busy: busy === "leave",
          click: goAway,
        })}
      </section>
    `;
  }
  return self.begin();
}
