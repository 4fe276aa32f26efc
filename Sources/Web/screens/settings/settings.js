/** A person's name, day and quiet hours, and the choices of this browser. */

import { html } from "../../app/render.js";
import { dateTime, t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { describe } from "../../app/errors.js";
import { Problem } from "../../api/problems.js";
import { account } from "../../app/account.js";
import { install, preferences, router, session, uploads } from "../../app/stores.js";
import { push } from "../../app/browser/subscription.js";
import { spaced } from "../../parts/contacts/calling-codes.js";
import { icon } from "../../parts/icons.js";
import { timeField, toggle } from "../../products/parts/controls.js";
import { choice, languageField, nameField, zoneField } from "../../parts/people/profile.js";
import { bar, button, form, screen } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { skeleton } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";
import { allow, installRow } from "../install/install.js";

/** @import { RouteName } from "../../app/routes.js"
 * @import { IconName } from "../../parts/icons.js"
 * @import { User, UserPatch } from "../../api/api.d.ts" */

/** Why there is no switch for notifications. @type {Record<string, string>} */
const PUSH = {
  "unsupported": "settings.pushNone",
  "install-first": "settings.pushInstall",
  "denied": "settings.pushDenied",
};

export function settings() {
  /** @type {string | null} */
  let renamed = null;
  const self = screen(t("settings.title"), view, [session, preferences, install, uploads]);

  /** @param {UserPatch} patch */
  async function change(patch) {
    try {
      await account.update(patch);
      toast(t("settings.saved"));
      renamed = "first_name" in patch ? null : renamed;
    } catch (error) {
      const retryAt = error instanceof Problem ? error.retryAt : null;
      toast(retryAt ? t("settings.zoneLater", { date: dateTime(retryAt) }) : describe(error).text);
      const zone = self.element.querySelector("select");
      if (zone && session.user) zone.value = session.user.time_zone;
    }
    self.draw();
  }

  async function flipPush() {
    if (push.state === "on") await push.disable();
    else await allow();
    self.draw();
  }

  async function test() {
    const options = { body: t("settings.testText"), icon: "/icons/icon-192.png", tag: "test" };
    await (await navigator.serviceWorker.ready).showNotification("Dayly", options);
  }

  async function leave() {
    if (
      !await ask({
        title: t("settings.signOutTitle"),
        text: uploads.waiting
          ? t("settings.signOutWaiting", { count: uploads.waiting })
          : t("settings.signOutText"),
        yes: t("settings.signOut"),
      })
    ) return;
    await session.signOut().catch((error) => toast(describe(error).text));
  }

  /** A link to a screen. @param {RouteName} name @param {IconName} sign @param {string | number} [more] @param {string} [text] */
  const link = (name, sign, more, text) => html`
    <a href=${router.path(name)}>
      ${icon(sign)}
      <span class="grow stack close">
        <span>${t(`${name}.title`)}</span>
        ${text && html`<span class="quiet small">${text}</span>`}
      </span>
      ${more && html`<span class="quiet count">${more}</span>`}
      ${icon("forward", 18)}
    </a>
  `;

  /** @param {User} user */
  const profile = (user) => html`
    <section class="stack loose">
      <p class="quiet small">${t("settings.number", { number: spaced(user.phone_number) })}</p>
      ${form(() => renamed?.trim() && change({ first_name: renamed }), html`
        ${nameField(t("name.label"), user.first_name ?? "", (value) => (renamed = value, self.draw()), {
          autocomplete: "given-name",
        })}
        ${renamed !== null && renamed.trim() !== user.first_name &&
          button(t("action.save"), { kind: "primary", type: "submit" })}
      `)}
      ${zoneField(user.time_zone, (time_zone) => change({ time_zone }))}
    </section>
  `;

  /** @param {User} user */
  const quiet = ({ quiet_from, quiet_to }) => html`
    ${toggle(
      t("settings.quiet"),
      t("settings.quietText"),
      quiet_from !== null,
      (on) => change(on ? { quiet_from: "22:00", quiet_to: "08:00" } : { quiet_from: null, quiet_to: null }),
    )}
    ${quiet_from && quiet_to && html`
      <div>
        ${timeField(t("settings.from"), quiet_from, (value) => change({ quiet_from: value, quiet_to }))}
        ${timeField(t("settings.to"), quiet_to, (value) => change({ quiet_from, quiet_to: value }))}
      </div>
    `}
  `;

  /** @param {User} user */
  const messages = (user) => html`
    <section class="stack">
      <h2>${t("settings.messages")}</h2>
      <div class="rows">
        ${push.state !== "none" &&
          toggle(
            t("settings.push"),
            t(PUSH[push.state] ?? "settings.pushText"),
            push.state === "on",
            flipPush,
            push.state !== "on" && push.state !== "off",
          )}
        ${quiet(user)}
        ${installRow()}
      </div>
      ${push.state === "on" && button(t("settings.test"), { kind: "little", icon: "bell", click: test })}
    </section>
  `;

  const here = () => html`
    <section class="stack loose">
      <h2>${t("settings.here")}</h2>
      ${languageField()}
      ${choice(t("settings.theme"), preferences.theme, [["auto", t("profile.auto")], [
        "light",
        t("settings.light"),
      ], ["dark", t("settings.dark")]], (value) => preferences.set("theme", /** @type {any} */ (value)))}
      <div class="rows">
        ${toggle(
          t("settings.auto"),
          t("settings.autoText"),
          preferences.autoProceed,
          () => preferences.set("autoProceed", !preferences.autoProceed),
        )}
      </div>
    </section>
  `;

  function view() {
    const { user } = session;
    const cat = config.features.includes("companion") && link("companion", "cat", "", t("companion.about"));
    const moon = config.features.includes("focus") && link("focus", "moon", "", t("focus.about"));
    return html`
      ${bar(router.path("home"))}
      <h1>${t("settings.title")}</h1>
      ${user ? html`${profile(user)}${messages(user)}` : skeleton()}
      ${here()}
      ${user && (cat || moon) && html`
        <section class="stack">
          <h2>${t("settings.more")}</h2>
          <div class="rows">${cat}${moon}</div>
        </section>
      `}
      ${user && html`
        <section class="stack">
          <h2>${t("settings.account")}</h2>
          <div class="rows">
            ${toggle(
              t("settings.found"),
              t("settings.foundText"),
              user.discoverable,
              () => change({ discoverable: !user.discoverable }),
            )}
            ${link("uploads", "up", uploads.all.length || "")}
            ${link("devices", "device")}
            ${link("blocked", "block")}
            ${link("data", "copy")}
            ${link("about", "about")}
          </div>
        </section>
      `}
      ${button(t("settings.signOut"), { icon: "leave", click: leave })}
    `;
  }
  return self.begin();
}
