/** Dayly offers the home screen and notifications after the first photo was seen, never before, and never twice. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { feeds, groups, install, preferences, seen, session } from "../../app/stores.js";
import { push } from "../../app/browser/subscription.js";
import { drawing, icon } from "../../parts/icons.js";
import { button } from "../../parts/screen.js";
import { openSheet } from "../../parts/sheet.js";
import { toast } from "../../parts/toast.js";

const hasSeenOne = () =>
  (groups.all ?? []).some((group) =>
    feeds.of(group.id).photos.some((photo) => photo.sender_id !== session.user?.id && seen.has(photo.id))
  );

/** Asks for notifications. */
export async function allow() {
  try {
    if (await push.enable()) toast(t("install.on"));
  } catch (error) {
    toast(describe(error).text);
  }
}

/** How to put Dayly on an iPhone's home screen: Safari has no question for it. */
const steps = () => openSheet(t("install.title"), (sheet) => html`
  ${drawing("home")}
  <ol class="stack steps">
    <li class="line">
      ${icon("share")}
      <span class="grow">${t("install.step1")}</span>
    </li>
    <li class="line">
      ${icon("plus")}
      <span class="grow">${t("install.step2")}</span>
    </li>
    ${push.state !== "none" && html`
      <li class="line">
        ${icon("bell")}
        <span class="grow">${t("install.step3")}</span>
      </li>
    `}
  </ol>
  ${button(t("action.done"), { kind: "primary", click: sheet.close })}
`);

const begin = () => install.state === "promptable" ? void install.prompt() : steps();
/** What the home screen is good for. */
const use = () => push.state === "none" ? t("install.plain") : t("install.text");
const installable = () => install.state === "promptable" || install.state === "ios";

/** The one quiet card between the groups. */
export function installCard() {
  const asks = installable() || push.state === "off";
  if (preferences.installHintDismissed || !asks || !hasSeenOne()) return null;
  const later = () => preferences.set("installHintDismissed", true);
  return html`
    <section class="card hint line">
      ${drawing("home")}
      <div class="grow stack">
        <h2>${installable() ? t("install.title") : t("install.notify")}</h2>
        <p class="quiet small">${installable() ? use() : t("settings.pushText")}</p>
        <div class="line">
          ${installable()
            ? button(t("install.do"), { kind: "little primary", click: begin })
            : button(t("install.allow"), { kind: "little primary", click: allow })}
          ${button(t("install.later"), { kind: "little plain", click: later })}
        </div>
      </div>
    </section>
  `;
}

/** The same in the settings, where it stays. */
export const installRow = () => html`
  <div>
    <span class="grow stack close">
      <span>${t("install.title")}</span>
      <span class="quiet small">
        ${install.state === "installed" ? t("install.done") : installable() ? use() : t("install.none")}
      </span>
    </span>
    ${installable() && button(t("install.do"), { kind: "little", click: begin })}
  </div>
`;
