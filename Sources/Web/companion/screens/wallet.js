/** The wallet: energy and gems, and every change of them. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { client, session } from "../../app/stores.js";
import { hints } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { createList } from "../../products/store/list.js";
import { signed } from "../parts/gauges.js";
import { companionScreen, head } from "../parts/place.js";
import { sign } from "../parts/signs.js";
import { amountWords, clockTime, dayName, itemName } from "../parts/words.js";
import { dateTime } from "../../app/i18n.js";
import { listed, shown } from "../../products/parts/answered.js";
import { button } from "../../parts/screen.js";
import { empty, skeleton } from "../../parts/states.js";

/** @import { CompanionLedgerEntry, CompanionWallet } from "../../api/api.d.ts" */
/** @import { SignName } from "../parts/signs.js" */

/** @type {Record<CompanionLedgerEntry["kind"], SignName>} */
const SIGNS = {
  award: "energy",
  food: "bowl",
  cosmetic: "hanger",
  cure: "heart",
  revive: "heart",
  restart: "leaf",
  purchase: "gem",
  refund: "gem",
  rollback: "hanger",
};

export function wallet() {
  const self = companionScreen(t("companion.wallet.title"), view, { stores: [session] });
  const known = self.watch(questions.wallet());
  const catalog = self.watch(questions.catalog());
  const list = createList(client, questions.ledger(), (page) => page.entries, self.draw);
  self.signal.addEventListener("abort", hints.subscribe(() => void list.again()));

  /** @param {string} id */
  const titleOf = (id) =>
    itemName(
      id,
      [...catalog.value?.foods ?? [], ...catalog.value?.cosmetics ?? []].find((one) => one.id === id)?.title,
    );

  /** @param {CompanionLedgerEntry} entry */
  const words = ({ kind, ref }) =>
    kind === "award"
      ? t("companion.ledger.award", { day: dayName(ref, { day: "numeric", month: "long" }) })
      : t(`companion.ledger.${kind}`, { thing: titleOf(ref) });

  /** @param {CompanionLedgerEntry} entry */
  const row = (entry) =>
    key(
      entry.id,
      html`
        <li>
          ${sign(SIGNS[entry.kind] ?? "spark", 20)}
          <span class="grow stack close">
            <span>${words(entry)}</span>
            <span class="quiet tiny count">
              ${dateTime(entry.at, { day: "numeric", month: "short" })}, ${clockTime(entry.at)}
            </span>
          </span>
          <span class="stack close end">
            <span dir="ltr" class=${`strong count ${entry.amount > 0 ? "gain" : ""}`}>
              ${signed(entry.amount)}
            </span>
            <span class="quiet tiny count">${amountWords(entry.balance, entry.currency)}</span>
          </span>
        </li>
      `,
    );

  /** @param {CompanionWallet} value */
  const balances = ({ energy, gems }) => html`
    <div class="pair even">
      <section class="card stack close balance">
        <p class="line">
          ${sign("energy", 22)}
          <span class="count points">${number(energy)}</span>
        </p>
        <h2>${t("companion.wallet.energy")}</h2>
        <p class="quiet tiny">${t("companion.wallet.energyText")}</p>
      </section>
      <section class="card stack close balance">
        <p class="line">
          ${sign("gem", 22)}
          <span class="count points">${number(gems)}</span>
        </p>
        <h2>${t("companion.wallet.gems")}</h2>
        <p class="quiet tiny">${gems < 0 ? t("companion.wallet.owed") : t("companion.wallet.gemsText")}</p>
      </section>
    </div>
  `;

  function view() {
    return html`
      ${head()}
      <h1>${t("companion.wallet.title")}</h1>
      ${shown(known, balances, skeleton("block", 1))}
      <section class="stack">
        <h2>${t("companion.ledger.title")}</h2>
        ${listed(
          list,
          (items) => html`<ul class="rows ledger">${items.map(row)}</ul>`,
          () => empty("letter", t("companion.ledger.none")),
          () => button(t("companion.more"), { busy: list.busy, click: list.more }),
        )}
      </section>
    `;
  }
  return self.begin();
}
