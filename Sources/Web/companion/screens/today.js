/** The first screen of Companion: the day with its cat, the cat's last words, the pet, and the way to everything else. */

import { html } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { client, clock, router, session } from "../../app/stores.js";
import { companion, hints } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { kindOf } from "../../api/problems.js";
import { hoursAt, isAhead } from "../store/reckoning.js";
import { createList } from "../../products/store/list.js";
import { dayFigures } from "../parts/day-figures.js";
import { catOf, petIn, youngOf } from "../parts/drawings/pictures.js";
import { companionScreen, place } from "../parts/place.js";
import { sign } from "../parts/signs.js";
import { clockTime, healthWords, price } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { shown } from "../../products/parts/answered.js";
import { bar, iconButton } from "../../parts/screen.js";
import { skeleton } from "../../parts/states.js";

/** @import { CompanionDay, CompanionPet } from "../../api/api.d.ts" */
/** @import { SignName } from "../parts/signs.js" */

export function today() {
  const self = companionScreen(t("companion.title"), view, { stores: [session], kind: "wide" });
  const known = self.watch(questions.today());
  const pet = self.watch(questions.pet());
  const wallet = self.watch(questions.wallet());
  const phones = self.watch(questions.devices());
  const list = createList(client, questions.diary(), (page) => page.entries, self.draw);
  self.signal.addEventListener("abort", hints.subscribe(() => void list.again()));
  // A day that ends while the screen is shown begins a new one; a window that closes is shown no more.
  self.signal.addEventListener(
    "abort",
    clock.everyMinute(() => (self.draw(), isOver() && companion.refresh())),
  );
  let wasOpen = false;
  self.signal.addEventListener(
    "abort",
    clock.everySecond(() => {
      const isOpen = isAhead(known.value?.open_until ?? null, clock.now());
      if (isOpen !== wasOpen) self.draw();
      wasOpen = isOpen;
    }),
  );

  const isOver = () => known.value !== null && clock.hasPassed(known.value.ends_at);

  /** @param {CompanionDay} day */
  function words(day) {
    const entry = list.items?.find((one) => one.day === day.day);
    return entry ? html`
      <a class="bubble" href=${place("diary")}>
        <span dir="auto">${entry.text}</span>
        <span class="quiet tiny">${clockTime(entry.at)}</span>
      </a>
    ` : html`<p class="bubble quiet">${t("companion.silent")}</p>`;
  }

  /** @param {CompanionPet} one */
  const petCard = (one) => html`
    <a class="card pet-card" href=${place("pet")}>
      ${petIn(one, { kind: "little", canStroke: false })}
      <span class="grow stack close">
        <span class="round" dir="auto" translate="no">${one.name}</span>
        <span class="quiet small">${healthWords(one)}</span>
        <span class="small">${mealWords(one)}</span>
      </span>
      ${icon("forward", 18)}
    </a>
  `;

  const adoption = () => html`
    <a class="card pet-card two" href=${place("pet")}>
      <span class="pair-of">${youngOf("cat")}${youngOf("dog")}</span>
      <span class="grow stack close">
        <span class="round">${t("companion.adopt.title")}</span>
        <span class="quiet small">${t("companion.adopt.short")}</span>
      </span>
      ${icon("forward", 18)}
    </a>
  `;

  function pets() {
    if (pet.value) return petCard(pet.value);
    return pet.error ? kindOf(pet.error) === "gone" && adoption() : skeleton("block", 1);
  }

  /** @param {string} path @param {SignName} name @param {string} text @param {unknown} [more] */
  const link = (path, name, text, more) => html`
    <a href=${path}>
      ${sign(name)}
      <span class="grow">${text}</span>
      ${more}
      ${icon("forward", 18)}
    </a>
  `;

  const links = () => html`
    <div class="rows">
      ${link(place("diary"), "book", t("companion.diary.title"))}
      ${link(place("shop"), "shop", t("companion.shop.title"))}
      ${link(place("wallet"), "energy", t("companion.wallet.title"), wallet.value && html`
        <span class="purse quiet small">
          ${price(wallet.value.energy, "energy")}
          ${price(wallet.value.gems, "gems")}
        </span>
      `)}
    </div>
  `;

  /** @param {CompanionDay} day */
  const content = (day) => html`
    <div class="duo">
      <div class="stack stage">
        ${catOf(day, hoursAt(clock.now(), session.user?.time_zone))}
        ${words(day)}
      </div>
      <div class="stack loose">
        ${dayFigures(day, phones.value?.devices.length)}
        ${pets()}
        ${links()}
      </div>
    </div>
  `;

  function view() {
    const settings = iconButton(
      "settings",
      t("companion.settings.title"),
      () => router.go(place("settings")),
    );
    return html`
      ${bar(router.path("home"), settings)}
      <h1>${t("companion.title")}</h1>
      ${shown(known, content, skeleton("block", 3))}
    `;
  }
  return self.begin();
}

/** @param {CompanionPet} pet */
function mealWords({ health, fed_today, fed_energy, unfed_days }) {
  if (health === "dead") return t("companion.pet.away");
  if (fed_today) return t("companion.pet.fed");
  if (fed_energy > 0) return t("companion.pet.someFood", { energy: number(fed_energy) });
  return unfed_days > 0 ? t("companion.pet.unfed", { count: unfed_days }) : t("companion.pet.hungry");
}
