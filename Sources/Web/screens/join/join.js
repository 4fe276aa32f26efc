/** The link of an invitation leads here. A signed-out person takes the code along through the sign-in. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client, preferences, router, session } from "../../app/stores.js";
import { called } from "../../parts/avatar.js";
import { codeField } from "../../parts/code-field.js";
import { drawing } from "../../parts/icons.js";
import { joining } from "../../parts/joining.js";
import { bar, button, load, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { invitationCode } from "../../parts/typed-codes.js";

/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit */
export function join(visit) {
  const code = invitationCode(visit.params.code ?? preferences.pendingInvite ?? "");
  const self = screen(t("join.title"), () => code ? letter(code) : again(), [session]);
  const redeeming = joining(self.draw);
  if (session.state !== "signed-in" && code) preferences.set("pendingInvite", code);
  const other = codeField(
    self.draw,
    (found) => router.go(router.path("join", { code: found }), { replace: true }),
  );
  const known = session.state === "signed-in" ? load(() => client.listReceivedInvites(), self.draw) : null;
  const start = () => router.go(router.path("sign-in"));

  function later() {
    preferences.set("pendingInvite", null);
    router.go("/", { replace: true });
  }

  /** A link whose code nobody can read asks for the code again. */
  const again = () =>
    html`${bar(null)}<div class="middle stack loose">
      ${drawing("letter")}
      <h1>${t("join.title")}</h1>
      <p class="quiet">${t("invites.misread")}</p>
      ${other.view(t("join.open"))}
      ${button(t("join.later"), { kind: "plain", click: later })}
    </div>`;

  /** @param {string} code */
  function letter(code) {
    const invite = known?.value?.invites.find((each) => each.code === code);
    const here = session.state === "signed-in";
    return html`${bar(null)}<div class="middle stack loose">
      ${drawing("letter")}
      <h1>${
      invite ? t("join.to", { name: called(invite.invited_by), group: invite.group_name }) : t("join.title")
    }</h1>
      <p class="quiet">${here ? t("join.consent") : t("welcome.claim")}</p>
      <p class="card"><span class="code" dir="ltr">${code}</span></p>
      ${fault(redeeming.problem)}
      ${
      here
        ? button(t("invites.join"), {
          kind: "primary",
          busy: redeeming.busy,
          click: () => redeeming.redeem(code),
        })
        : button(t("join.start"), { kind: "primary", click: start })
    }
      ${here && button(t("join.later"), { kind: "plain", click: later })}
    </div>`;
  }

  return self.begin();
}
