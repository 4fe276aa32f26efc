/** The memorial: the pets that were here before. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client } from "../../app/stores.js";
import { calls, hints } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { createList } from "../../products/store/list.js";
import { memoryOf } from "../parts/drawings/pictures.js";
import { companionScreen, head, place } from "../parts/place.js";
import { longDay } from "../parts/words.js";
import { listed } from "../../products/parts/answered.js";
import { run } from "../../parts/run.js";
import { button, iconButton } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { empty } from "../../parts/states.js";

/** @import { CompanionMemorial } from "../../api/api.d.ts" */

export function memorial() {
  const self = companionScreen(t("companion.memorial.title"), view, { kind: "wide" });
  const list = createList(client, questions.memorials(), (page) => page.memorials, self.draw);
  self.signal.addEventListener("abort", hints.subscribe(() => void list.again()));

  /** @param {CompanionMemorial} one */
  async function forget({ id, name }) {
    const isSure = await ask({
      title: t("companion.memorial.forget", { name }),
      text: t("companion.memorial.forgetText"),
      yes: t("companion.memorial.forgetYes"),
    });
    if (isSure && await run(() => calls.forget(id), t("companion.memorial.forgotten"))) await list.again();
  }

  /** @param {CompanionMemorial} one */
  const card = (one) =>
    key(
      one.id,
      html`
        <li class="card stack close memory-card">
          ${memoryOf(one)}
          <div class="line apart">
            <h2 dir="auto" translate="no">${one.name}</h2>
            ${iconButton("trash", t("companion.memorial.forget", { name: one.name }), () => forget(one))}
          </div>
          <p class="small">${longDay(one.born_on)} – ${longDay(one.died_on)}</p>
          <p class="quiet small">
            ${t("companion.memorial.days", { count: one.days })} · ${t(`companion.stage.${one.stage}`)}
          </p>
        </li>
      `,
    );

  function view() {
    return html`
      ${head(place("pet"))}
      <h1>${t("companion.memorial.title")}</h1>
      <p class="quiet">${t("companion.memorial.text")}</p>
      ${listed(
        list,
        (items) => html`<ul class="memories">${items.map(card)}</ul>`,
        () => empty("prints", t("companion.memorial.none")),
        () => button(t("companion.more"), { busy: list.busy, click: list.more }),
      )}
    `;
  }
  return self.begin();
}
