/** Recovery: cure, revival and a new beginning, with their prices and pauses. */

import { html } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { clock, router } from "../../app/stores.js";
import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { kindOf } from "../../api/problems.js";
import { hindranceOf, isAhead } from "../store/reckoning.js";
import { adopting } from "../parts/adopting.js";
import { purse } from "../parts/gauges.js";
import { petIn } from "../parts/drawings/pictures.js";
import { companionScreen, head, place } from "../parts/place.js";
import { sign } from "../parts/signs.js";
import { amountWords, healthWords, inTime, price } from "../parts/words.js";
import { ticking } from "../../parts/day.js";
import { shown } from "../../products/parts/answered.js";
import { run } from "../../parts/run.js";
import { button } from "../../parts/screen.js";
import { openSheet } from "../../parts/sheet.js";
import { empty, skeleton } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

/** @import { CompanionCatalog, CompanionPet, CompanionRecoveryOffer, CompanionRestartOffer } from "../../api/api.d.ts" */
/** @typedef {"cure" | "revive" | "restart"} Kind */

export function recovery() {
  /** @type {Kind | null} */
  let busy = null;
  const self = companionScreen(t("companion.recovery.title"), view, { kind: "wide" });
  const pet = self.watch(questions.pet());
  const catalog = self.watch(questions.catalog());
  const wallet = self.watch(questions.wallet());
  self.signal.addEventListener("abort", clock.everyMinute(self.draw));

  /** @param {"cure" | "revive"} kind @param {string} name */
  async function recover(kind, name) {
    busy = kind;
    self.draw();
    const isDone = await run(
      () => companion.after(calls[kind]()),
      t(`companion.recovery.${kind}Done`, { name }),
    );
    busy = null;
    if (isDone) router.go(place("pet"), { replace: true });
    self.draw();
  }

  /** A new pet needs a kind and a name. */
  function begin() {
    /** @type {ReturnType<typeof adopting> | null} */
    let adoption = null;
    const sheet = openSheet(
      t("companion.recovery.restart"),
      () => html`<div class="companion">${adoption?.form(t("companion.adopt.yes"))}</div>`,
    );
    adoption = adopting(sheet.draw, async (body) => {
      await companion.after(calls.restart(body));
      sheet.close();
      toast(t("companion.adopt.done", { name: body.name }));
      router.go(place("pet"), { replace: true });
    });
    sheet.draw();
  }

  /** @param {CompanionRecoveryOffer | CompanionRestartOffer} terms */
  function note(terms) {
    const free = "free_at" in terms && terms.gems > 0 && isAhead(terms.free_at, clock.now())
      ? terms.free_at
      : null;
    const reason = hindranceOf(terms, wallet.value?.gems ?? 0, clock.now());
    return html`
      ${reason === "pause" && terms.retry_at
        ? html`
          <p class="small">
            ${ticking(() => t("companion.recovery.pause", { when: inTime(terms.retry_at ?? "") }))}
          </p>
        `
        : reason === "gems" && html`<p class="quiet small">${t("companion.recovery.gems")}</p>`}
      ${free && html`
        <p class="quiet small">${ticking(() => t("companion.recovery.free", { when: inTime(free) }))}</p>
      `}
    `;
  }

  /** @param {Kind} kind @param {CompanionRecoveryOffer | CompanionRestartOffer} terms @param {CompanionPet} one */
  function card(kind, terms, one) {
    const isPossible = hindranceOf(terms, wallet.value?.gems ?? 0, clock.now()) === null;
    return html`
      <section class="card stack">
        <div class="line apart">
          <h2>${t(`companion.recovery.${kind}`)}</h2>
          ${terms.gems > 0
            ? price(terms.gems, "gems")
            : html`<span class="small strong">${t("companion.recovery.nothing")}</span>`}
        </div>
        <p class="quiet small">${t(`companion.recovery.${kind}Text`, { name: one.name })}</p>
        ${note(terms)}
        ${button(
          terms.gems > 0
            ? t(`companion.recovery.${kind}For`, { price: amountWords(terms.gems, "gems") })
            : t(`companion.recovery.${kind}`),
          {
            kind: "primary",
            disabled: !isPossible,
            busy: busy === kind,
            click: () => kind === "restart" ? begin() : recover(kind, one.name),
          },
        )}
      </section>
    `;
  }

  /** What helps the pet as it is now. @param {CompanionPet} one @param {CompanionCatalog} value */
  function cards(one, { recovery: { cure, revive, restart } }) {
    const bought = html`<p class="quiet small">${t("companion.recovery.bought")}</p>`;
    return one.health === "sick"
      ? html`${card("cure", cure, one)}${bought}`
      : one.health === "dead"
      ? html`
        ${card("revive", revive, one)}
        ${card("restart", restart, one)}
        ${bought}
      `
      : html`<p>${t("companion.recovery.well", { name: one.name })}</p>`;
  }

  /** @param {CompanionPet} one */
  const content = (one) => html`
    <div class="duo">
      <div class="stack stage">
        ${petIn(one, { kind: "room" })}
        <p class="round center">${healthWords(one)}</p>
        ${one.health === "sick" && html`
          <p class="notice">
            ${sign("bowl", 20)}
            <span>${t("companion.recovery.byFood", { days: number(2) })}</span>
          </p>
        `}
      </div>
      <div class="stack">${shown(catalog, (value) => cards(one, value), skeleton("block", 3))}</div>
    </div>
  `;

  function view() {
    const isNone = pet.value === null && kindOf(pet.error) === "gone";
    return html`
      ${head(place("pet"), purse(wallet.value, place("wallet")))}
      <h1>${t("companion.recovery.title")}</h1>
      ${isNone
        ? empty(
          "box",
          t("companion.wardrobe.petless"),
          html`<a class="button primary" href=${place("pet")}>${t("companion.adopt.title")}</a>`,
        )
        : shown(pet, content, skeleton("block", 2))}
    `;
  }
  return self.begin();
}
