/** A person takes along or deletes everything that Dayly stores about them. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { account } from "../../app/account.js";
import { client, router, uploads } from "../../app/stores.js";
import { saveFile } from "../../parts/save.js";
import { bar, button, form, screen } from "../../parts/screen.js";
import { fault, notice } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

export function data() {
  let typed = "";
  let problem = "";
  /** @type {"export" | "delete" | null} */
  let busy = null;
  const self = screen(t("data.title"), view, [uploads]);
  const word = t("data.word");

  async function take() {
    busy = "export";
    self.draw();
    await client.exportUser().then(
      (file) => saveFile(file, "dayly.json"),
      (error) => toast(describe(error).text),
    );
    busy = null;
    self.draw();
  }

  async function remove() {
    problem = typed.trim().toLocaleLowerCase() === word.toLocaleLowerCase() ? "" : t("data.type", { word });
    busy = problem ? null : "delete";
    self.draw();
    if (problem) return self.element.querySelector("input")?.focus();
    try {
      await account.delete();
      toast(t("data.deleted"));
    } catch (error) {
      problem = describe(error).text;
    }
    busy = null;
    self.draw();
  }

  function view() {
    return html`
      ${bar(router.path("settings"))}
      <h1>${t("data.title")}</h1>
      <section class="stack">
        <h2>${t("data.export")}</h2>
        <p class="quiet">${t("data.exportText")}</p>
        ${button(t("data.take"), { busy: busy === "export", click: take })}
      </section>
      <section class="stack">
        <h2>${t("data.delete")}</h2>
        <p class="quiet">${t("data.deleteText")}</p>
        ${uploads.waiting > 0 && notice(t("data.deleteWaiting", { count: uploads.waiting }))}
        ${form(remove, html`
          <div class="field">
            <label for="word">${t("data.type", { word })}</label>
            <input
              class="input"
              id="word"
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              aria-describedby="data-fault"
              @input=${(/** @type {any} */ event) => typed = event.target.value}
            />
          </div>
          ${fault(problem, "data-fault")}
          ${button(t("data.deleteNow"), {
            kind: "danger",
            type: "submit",
            icon: "trash",
            busy: busy === "delete",
          })}
        `)}
      </section>
    `;
  }
  return self.begin();
}
