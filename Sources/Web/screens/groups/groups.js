/** The first screen shows the day and a person's groups, each with its day ring. */

import { html, key } from "../../app/render.js";
import { dateTime, t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import {
  clock,
  feeds,
  groups,
  install,
  invitations,
  kept,
  preferences,
  router,
  seen,
  session,
  storage,
  uploads,
} from "../../app/stores.js";
import { count } from "../../parts/count.js";
import { drawing } from "../../parts/icons.js";
import { button, iconButton, screen } from "../../parts/screen.js";
import { failure, limit, skeleton } from "../../parts/states.js";
import { groupCard } from "./card.js";

/** @import { RouteName } from "../../app/routes.js" */
/** @import { IconName } from "../../parts/icons.js" */

/** Milliseconds between questions for invitations: the stream tells nothing of them. */
const PATIENCE = 15_000;
let opened = false;
/** @type {(() => unknown) | null} */
let installCard = null;

export function home() {
  const self = screen(
    "Dayly",
    view,
    [groups, invitations, feeds, seen, preferences, session, install, uploads, storage],
    "wide",
  );
  // At a start the page has asked for the groups already.
  const isFresh = !opened && groups.status === "ready";
  void Promise.resolve(isFresh || groups.refresh()).then(loadCard);
  if (!opened) count("app_opened");
  opened = true;

  // A newcomer was invited by somebody, as a rule, and waits here until the invitation comes.
  const ask = () => document.hidden || groups.all?.length || void invitations.refresh();
  ask();
  const asking = setInterval(ask, PATIENCE);
  self.signal.addEventListener("abort", () => clearInterval(asking));
  /** @type {(() => unknown) | undefined} */
  let lettersOf;
  /** Loads the letters when there is one. */
  async function loadLetters() {
    if (lettersOf || !invitations.open?.length) return;
    lettersOf = (await import("../../parts/invitations/invitation.js").catch(() => null))?.letters(self.draw);
    self.draw();
  }
  void loadLetters();
  self.signal.addEventListener("abort", invitations.subscribe(() => void loadLetters()));

  /** The products in which the person takes part: only then something of them is kept. @type {Set<string>} */
  const joined = new Set();
  for (const name of config.features) {
    void kept.read(name).then((answers) => answers && (joined.add(name), self.draw()));
  }

  /** Loads the card that is rarely shown, after everything else. Without a network there is none. */
  async function loadCard() {
    if (installCard || preferences.installHintDismissed) return;
    installCard = await import("../install/install.js").then((module) => module.installCard, () => null);
    self.draw();
  }

  const letters = () => invitations.open?.length ? lettersOf?.() : null;

  function none() {
    const open = letters();
    return html`
      <div class="empty">
        ${open || html`
          ${drawing("prints")}
          <p>${t("groups.none")}</p>
        `}
        ${button(t("groups.new"), {
          kind: open ? "plain" : "primary",
          click: () => router.go(router.path("new-group")),
        })}
        ${button(t("groups.code"), { kind: "plain", click: () => router.go(router.path("invites")) })}
      </div>
    `;
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
    return html`
      ${letters()}
      <ul class="groups">${all.map((group) => key(group.id, html`<li>${groupCard(group)}</li>`))}</ul>
      ${installCard?.()}
      <div class="stack narrow">
        ${full
          ? html`
            <p class="quiet small center">${t("groups.full", { count: config.limits.groups_per_user })}</p>
          `
          : button(t("groups.new"), { icon: "plus", click: () => router.go(router.path("new-group")) })}
      </div>
    `;
  }

  /** A button that leads to a screen. @param {RouteName} name @param {IconName} sign */
  const link = (name, sign) => iconButton(sign, t(`${name}.title`), () => router.go(router.path(name)));

  /** The way to the invitations has a dot when there is one. */
  function letterbox() {
    const count = invitations.open?.length;
    const go = () => router.go(router.path("invites"));
    return !count
      ? link("invites", "invite")
      : html`<span class="letterbox">${iconButton("invite", t("invites.count", { count }), go)}</span>`;
  }

  function view() {
    const format = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
      dateTime(clock.now(), { timeZone: clock.zone, ...options });
    return html`
      <div class="line top">
        <div class="grow">
          <p class="quiet small">${format({ day: "numeric", month: "long" })}</p>
          <h1>${format({ weekday: "long" })}</h1>
        </div>
        <div class="together">
          ${joined.has("companion") && link("companion", "cat")}
          ${joined.has("focus") && link("focus", "moon")}
          ${letterbox()}
          ${link("settings", "settings")}
        </div>
      </div>
      ${list()}
      ${limit()}
    `;
  }
  return self.begin();
}
