/** The first screen shows the day and a person's groups, each with its day ring. */

import { html, key } from "../../app/render.js";
import { dateTime, t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import {
  client,
  clock,
  feeds,
  groups,
  install,
  preferences,
  router,
  seen,
  session,
  storage,
  uploads,
} from "../../app/stores.js";
import { count } from "../../parts/count.js";
import { drawing } from "../../parts/icons.js";
import { invitationCard } from "../../parts/invitation.js";
import { joining } from "../../parts/joining.js";
import { button, iconButton, load, screen } from "../../parts/screen.js";
import { failure, limit, skeleton } from "../../parts/states.js";
import { groupCard } from "./card.js";

/** @import { RouteName } from "../../app/routes.js" */
/** @import { IconName } from "../../parts/icons.js" */

let opened = false;
/** @type {(() => unknown) | null} */
let installCard = null;

export function home() {
  const self = screen(
    "Dayly",
    view,
    [groups, feeds, seen, preferences, session, install, uploads, storage],
    "wide",
  );
  // At a start the page has asked for the groups already.
  const isFresh = !opened && groups.status === "ready";
  void Promise.resolve(isFresh || groups.refresh()).then(loadCard);
  if (!opened) count("app_opened");
  opened = true;

  // A newcomer was invited by somebody, as a rule.
  const invitations = groups.all?.length ? null : load(() => client.listReceivedInvites(), self.draw);
  const join = joining(self.draw);

  /** Loads the card that is rarely shown, after everything else. Without a network there is none. */
  async function loadCard() {
    if (installCard || preferences.installHintDismissed) return;
    installCard = await import("../install/install.js").then((module) => module.installCard, () => null);
    self.draw();
  }

  function none() {
    const open = invitations?.value?.invites ?? [];
    return html`<div class="empty">
      ${
      open.length
        ? html`<ul class="stack narrow">${open.map((invite) => invitationCard(invite, join))}</ul>`
        : html`${drawing("prints")}<p>${t("groups.none")}</p>`
    }
      ${
      button(t("groups.new"), {
        kind: open.length ? "plain" : "primary",
        click: () => router.go(router.path("new-group")),
      })
    }
      ${button(t("groups.code"), { kind: "plain", click: () => router.go(router.path("invites")) })}</div>`;
  }

  function list() {
    const all = groups.all;
    if (!all) {
      return groups.status === "failed" || groups.status === "offline"
        ? failure(groups.error, () => groups.refresh())
        : skeleton("block");
    }
    if (all.length === 0) return none();
    const full = all.length >= config.limits.groups_per_user;
    return html`<ul class="groups">${
      all.map((group) => key(group.id, html`<li>${groupCard(group)}</li>`))
    }</ul>
      ${installCard?.()}
      <div class="stack narrow">${
      full
        ? html`<p class="quiet small center">${
          t("groups.full", { count: config.limits.groups_per_user })
        }</p>`
        : button(t("groups.new"), { icon: "plus", click: () => router.go(router.path("new-group")) })
    }</div>`;
  }

  /** A button that leads to a screen. @param {RouteName} name @param {IconName} sign */
  const link = (name, sign) => iconButton(sign, t(`${name}.title`), () => router.go(router.path(name)));

  function view() {
    const format = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
      dateTime(clock.now(), { timeZone: session.user?.time_zone, ...options });
    return html`<div class="line top">
        <div class="grow"><p class="quiet small">${format({ day: "numeric", month: "long" })}</p><h1>${
      format({ weekday: "long" })
    }</h1></div>
        ${config.features.includes("companion") && link("companion", "cat")}
        ${config.features.includes("focus") && link("focus", "moon")}
        ${link("invites", "invite")}
        ${link("settings", "settings")}
      </div>${list()}${limit()}`;
  }
  return self.begin();
}
