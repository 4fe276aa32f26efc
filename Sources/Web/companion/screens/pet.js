/** The pet: how it is, its food, its growth, and the way to shop, wardrobe, recovery and memorial. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { clock } from "../../app/stores.js";
import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { kindOf } from "../../api/problems.js";
import { daysToNext, growthOf, isAhead } from "../store/reckoning.js";
import { adopting } from "../parts/adopting.js";
import { meter, purse } from "../parts/gauges.js";
import { foodPicture, petIn, rejoice } from "../parts/drawings/pictures.js";
import { companionScreen, head, place } from "../parts/place.js";
import { renaming } from "../parts/renaming.js";
import { sign } from "../parts/signs.js";
import { healthWords, itemName, longDay, price, until } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { run } from "../../parts/run.js";
import { failure, skeleton } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

/** @import { CompanionFood, CompanionPet } from "../../api/api.d.ts" */
/** @import { SignName } from "../parts/signs.js" */

export function pet() {
  /** @type {string | null} */
  let eating = null;
  const self = companionScreen(t("companion.pet.title"), view, { kind: "wide" });
  const known = self.watch(questions.pet());
  const wallet = self.watch(questions.wallet());
  const catalog = self.watch(questions.catalog());
  const adoption = adopting(self.draw, async (body) => {
    await companion.after(calls.adopt(body));
    toast(t("companion.adopt.done", { name: body.name }));
  });
  self.signal.addEventListener("abort", clock.everyMinute(self.draw));

  /** @param {CompanionFood} food */
  async function feed(food) {
    if (eating) return;
    eating = food.id;
    self.draw();
    const isEaten = await run(() => companion.after(calls.feed(food.id)));
    eating = null;
    if (isEaten) {
      rejoice(self.element, food.id);
      toast(t("companion.feed.done", { name: known.value?.name ?? "", food: itemName(food.id, food.title) }));
    }
    self.draw();
  }

  /** @param {CompanionFood} food */
  function meal(food) {
    const isDear = (wallet.value?.energy ?? 0) < food.energy;
    return key(
      food.id,
      html`
        <li>
          <button
            type="button"
            class="thing-card"
            aria-disabled=${isDear || eating ? "true" : null}
            aria-busy=${eating === food.id ? "true" : null}
            @click=${() => !isDear && feed(food)}
          >
            ${foodPicture(food.id)}
            <span class="small">${itemName(food.id, food.title)}</span>
            ${price(food.energy, "energy")}
          </button>
        </li>
      `,
    );
  }

  /** @param {CompanionPet} one */
  function meals(one) {
    const energy = wallet.value?.energy ?? 0;
    const foods = (catalog.value?.foods ?? []).toSorted((a, b) => a.energy - b.energy);
    if (one.health === "dead") return null;
    return html`
      <section class="stack">
        <div class="line apart">
          <h2>${t("companion.feed.title")}</h2>
          ${purse(wallet.value, place("wallet"))}
        </div>
        ${foods.length > 0
          ? html`<ul class="things">${foods.map(meal)}</ul>`
          : catalog.error
          ? failure(catalog.error, () => void catalog.again())
          : skeleton("row", 1)}
        ${foods[0] && energy < foods[0].energy &&
          html`<p class="quiet small">${t("companion.feed.earn")}</p>`}
      </section>
    `;
  }

  /** @param {CompanionPet} one */
  function growth(one) {
    const { part, next } = growthOf(one);
    return meter(
      t(`companion.stage.${one.stage}`),
      part,
      next
        ? t("companion.pet.next", { stage: t(`companion.stage.${next}`), count: daysToNext(one) ?? 1 })
        : t("companion.pet.grown"),
    );
  }

  /** @param {CompanionPet} one */
  const eaten = (one) => {
    if (one.fed_today) return t("companion.pet.fedWith", { energy: number(one.fed_energy) });
    const today = one.fed_energy > 0
      ? t("companion.pet.someFood", { energy: number(one.fed_energy) })
      : t("companion.pet.hungry");
    return one.unfed_days > 0 ? `${today} ${t("companion.pet.unfed", { count: one.unfed_days })}` : today;
  };

  /** @param {CompanionPet} one */
  const wellbeing = (one) => one.health !== "dead" && html`
    <section class="card stack loose">
      <div class="stack close">
        <h2>${healthWords(one)}</h2>
        <p class="quiet small">${eaten(one)}</p>
      </div>
      ${meter(t("companion.pet.fullness"), one.fullness / 100, number(one.fullness))}
      ${meter(t("companion.pet.mood"), one.mood / 10, t("companion.pet.moodOf", { mood: one.mood }))}
      ${growth(one)}
      ${one.buff > 0 && html`
        <p class="small line buff">
          ${sign("spark", 18)}
          <span>${t("companion.pet.buff", { percent: number(Math.round(one.buff * 1000) / 10) })}</span>
        </p>
      `}
    </section>
  `;

  /** @param {CompanionPet} one */
  const notice = (one) =>
    one.health !== "healthy" ? html`
      <a class="notice" href=${place("recovery")}>
        ${sign("heart", 20)}
        <span class="grow">
          ${t(one.health === "sick" ? "companion.pet.sickText" : "companion.pet.deadText", {
            name: one.name,
          })}
        </span>
        ${icon("forward", 18)}
      </a>
    ` : isAhead(one.fragile_until, clock.now()) &&
      html`
        <p class="notice">
          ${sign("leaf", 20)}
          <span>${t("companion.pet.fragileText", { time: until(one.fragile_until ?? "") })}</span>
        </p>
      `;

  /** @param {CompanionPet} one */
  const renameButton = (one) => html`
    <button
      type="button"
      class="icon"
      aria-label=${t("companion.rename.title")}
      title=${t("companion.rename.title")}
      @click=${() => renaming(one)}
    >
      ${sign("pencil")}
    </button>
  `;

  /** @param {string} path @param {SignName} name @param {string} text */
  const link = (path, name, text) => html`
    <a href=${path}>
      ${sign(name)}
      <span class="grow">${text}</span>
      ${icon("forward", 18)}
    </a>
  `;

  /** @param {CompanionPet} one */
  const content = (one) => html`
    <div class="line apart name">
      <h1 dir="auto" translate="no">${one.name}</h1>
      ${renameButton(one)}
    </div>
    <div class="duo">
      <div class="stack stage">
        ${petIn(one, { kind: "room" })}
        <p class="quiet small center">
          ${t("companion.pet.since", {
            stage: t(`companion.stage.${one.stage}`),
            date: longDay(one.born_on),
          })}
        </p>
        ${notice(one)}
      </div>
      <div class="stack loose">
        ${meals(one)}
        ${wellbeing(one)}
        <div class="rows">
          ${link(place("wardrobe"), "hanger", t("companion.wardrobe.title"))}
          ${link(place("shop"), "shop", t("companion.shop.title"))}
          ${one.health !== "healthy" && link(place("recovery"), "heart", t("companion.recovery.title"))}
          ${link(place("memorial"), "leaf", t("companion.memorial.title"))}
        </div>
      </div>
    </div>
  `;

  const none = () => html`
    <h1>${t("companion.adopt.title")}</h1>
    <p class="quiet">${t("companion.adopt.text")}</p>
    ${adoption.form(t("companion.adopt.yes"))}
  `;

  function view() {
    const isNone = known.value === null && kindOf(known.error) === "gone";
    return html`
      ${head()}
      ${known.value ? content(known.value) : isNone ? none() : html`
        <h1>${t("companion.pet.title")}</h1>
        ${known.error ? failure(known.error, () => void known.again()) : skeleton("block", 3)}
      `}
    `;
  }
  return self.begin();
}
