/** New people say how the others call them. Whoever came by an invitation joins with the same tap. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { account } from "../../app/account.js";
import { invitations, preferences, router, session } from "../../app/stores.js";
import { called } from "../../parts/people/avatar.js";
import { joining } from "../../parts/invitations/joining.js";
import { languageField, nameField, placeOf, zoneField } from "../../parts/people/profile.js";
import { button, form, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";

export function name() {
  let first = session.user?.first_name ?? "";
  let zone = session.user?.time_zone ?? "UTC";
  let problem = "";
  let busy = false;
  let isUnfolded = false;
  const self = screen(t("name.title"), view, [preferences, invitations]);
  const join = joining(self.draw);
  if (preferences.pendingInvite) void invitations.refresh();

  async function submit() {
    if (!first.trim()) return self.element.querySelector("input")?.focus();
    busy = true;
    problem = "";
    self.draw();
    try {
      await account.update({
        first_name: first,
        ...(zone === session.user?.time_zone ? {} : { time_zone: zone }),
      });
      return await onward();
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    self.draw();
  }

  async function onward() {
    const { pendingInvite: code } = preferences;
    if (!code) return router.resume();
    const { problem, isRefused } = await join.redeem(code) ? { problem: null, isRefused: false } : join;
    if (problem) router.go(router.path("join", { code }), { replace: true, state: { problem, isRefused } });
  }

  /** The day and the language are right for nearly everybody. */
  const day = () => isUnfolded ? html`
    ${zoneField(zone, (value) => (zone = value, self.draw()))}
    ${languageField()}
  ` : html`
    <p class="line quiet small">
      <span class="grow">${t("name.day", { place: placeOf(zone) })}</span>
      ${button(t("name.change"), { kind: "plain little", click: () => (isUnfolded = true, self.draw()) })}
    </p>
  `;

  /** Whoever joins knows what. */
  function consent() {
    const invite = invitations.open?.find(({ code }) => code === preferences.pendingInvite);
    const to = invite && t("join.to", { name: called(invite.invited_by), group: invite.group_name });
    return html`<p class="quiet">${to && `${to}. `}${t("join.consent")}</p>`;
  }

  function view() {
    return html`
      <div class="bar"></div>
      <h1>${t("name.title")}</h1>
      <p class="quiet">${t("name.text")}</p>
      ${form(submit, html`
        ${nameField(t("name.label"), first, (value) => first = value, {
          autofocus: true,
          autocomplete: "given-name",
        })}
        ${day()}
        ${fault(problem)}
        ${preferences.pendingInvite && consent()}
        ${button(preferences.pendingInvite ? t("invites.join") : t("action.continue"), {
          kind: "primary",
          type: "submit",
          busy,
        })}
      `, "stack loose")}
    `;
  }
  return self.begin();
}
