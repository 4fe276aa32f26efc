/** The letter that an invitation's link opens. A signed-out person takes the code along through the sign-in. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { invitations, preferences, router, session } from "../../app/stores.js";
import { called } from "../../parts/people/avatar.js";
import { spaced } from "../../parts/contacts/calling-codes.js";
import { codeField } from "../../parts/invitations/code-field.js";
import { drawing } from "../../parts/icons.js";
import { joining } from "../../parts/invitations/joining.js";
import { bar, button, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { invitationCode } from "../../parts/invitations/typed-codes.js";

/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit its state: what became of the code on the screen before */
export function join(visit) {
  const code = invitationCode(visit.params.code ?? "");
  const self = screen(t("join.title"), view, [session, invitations]);
  const redeeming = Object.assign(joining(self.draw), visit.state);
  const isHere = () => session.state === "signed-in";
  if (!isHere() && code) preferences.set("pendingInvite", code);
  if (isHere()) void invitations.refresh();
  const other = codeField(
    self.draw,
    (found) => router.go(router.path("join", { code: found }), { replace: true }),
  );

  function later() {
    preferences.set("pendingInvite", null);
    router.go("/", { replace: true });
  }

  /** The apps, for people who would rather join there. */
  function apps() {
    const { app_store, play_store, download } = config.links;
    const links = [["App Store", app_store], ["Google Play", play_store], ["Dayly", download]].filter((
      [, url],
    ) => url);
    return links.length > 0 &&
      html`
        <p class="quiet small center">
          ${t("join.apps")} ${links.map(([name, url], at) => html`
            ${at > 0 && " · "}
            <a rel="noreferrer" href=${url}>${name}</a>
          `)}
        </p>
      `;
  }

  /** @param {string} code */
  const stranger = (code) => html`
    <h1>${t("join.title")}</h1>
    <p class="quiet">${t("welcome.claim")}</p>
    ${button(t("invites.join"), { kind: "primary", click: () => router.go(router.path("sign-in")) })}
    <p class="quiet small center">
      ${t("join.code")} <span dir="ltr" translate="no">${code}</span>
    </p>
    ${apps()}
  `;

  /** @param {string} code */
  function member(code) {
    const invite = invitations.open?.find((each) => each.code === code);
    const title = invite
      ? t("join.to", { name: called(invite.invited_by), group: invite.group_name })
      : t("join.title");
    return html`
      <h1>${title}</h1>
      <p class="quiet">${t("join.consent")}</p>
      ${fault(redeeming.problem)}
      ${button(t("invites.join"), {
        kind: "primary",
        busy: redeeming.busy,
        click: () => redeeming.redeem(code),
      })}
      ${button(t("join.later"), { kind: "plain", click: later })}
    `;
  }

  /** A code that nobody can read, or that the service refuses, is asked for again. */
  const again = () => html`
    <h1>${t("invites.title")}</h1>
    ${fault(redeeming.problem ?? t("invites.misread"))}
    ${session.user && html`
      <p class="quiet small">${t("settings.number", { number: spaced(session.user.phone_number) })}</p>
    `}
    ${other.view(t("join.open"))}
    ${button(t("join.later"), { kind: "plain", click: later })}
  `;

  function view() {
    const content = !code || redeeming.isRefused ? again() : isHere() ? member(code) : stranger(code);
    return html`
      ${bar(null)}
      <div class="middle stack loose">${drawing("letter")}${content}</div>
    `;
  }

  return self.begin();
}
