/** The cat's diary, by date, the newest first. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { client, session } from "../../app/stores.js";
import { hints } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { byDay } from "../store/reckoning.js";
import { createList } from "../../products/store/list.js";
import { companionScreen, head, place } from "../parts/place.js";
import { clockTime, dayName } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { listed } from "../../products/parts/answered.js";
import { button } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";

/** @import { CompanionEntry } from "../../api/api.d.ts" */

export function diary() {
  const self = companionScreen(t("companion.diary.title"), view, { stores: [session] });
  const list = createList(client, questions.diary(), (page) => page.entries, self.draw);
  self.signal.addEventListener("abort", hints.subscribe(() => void list.again()));

  /** @param {CompanionEntry} entry */
  const row = (entry) =>
    key(
      entry.id,
      html`
        <li class=${`entry ${colourOf(entry.hp)}`}>
          <p dir="auto">${entry.text}</p>
          <p class="quiet tiny count">
            ${clockTime(entry.at)} · ${t("companion.diary.hp", { hp: number(entry.hp) })}
          </p>
        </li>
      `,
    );

  /** @param {{day: string, entries: CompanionEntry[]}} part */
  const section = ({ day, entries }) =>
    key(
      day,
      html`
        <section class="stack sheet">
          <h2>
            <a class="line apart" href=${place("day", day)}>
              <span>${dayName(day)}</span>
              ${icon("forward", 18)}
            </a>
          </h2>
          <ol class="entries">${entries.map(row)}</ol>
        </section>
      `,
    );

  function view() {
    return html`
      ${head()}
      <h1>${t("companion.diary.title")}</h1>
      <p class="quiet">${t("companion.diary.text")}</p>
      ${listed(
        list,
        (items) => byDay(items).map(section),
        () => empty("letter", t("companion.diary.none")),
        () => button(t("companion.more"), { busy: list.busy, click: list.more }),
      )}
    `;
  }
  return self.begin();
}

/** The colour that the day had at so many health points. @param {number} hp */
const colourOf = (hp) => hp > 60 ? "green" : hp > 20 ? "orange" : "red";
