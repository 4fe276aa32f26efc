/** Joining Focus: what it is, what is stored and what is not, and the consent without which nothing is stored. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { router } from "../../app/stores.js";
import { calls, focus } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { toggle } from "../../products/parts/controls.js";
import { place } from "../parts/place.js";
import { promises } from "../parts/promises.js";
import { bar, button, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

/** The version of the consent text. */
const CONSENT = "1";

export function join() {
  let boards = true, busy = false, problem = "";
  const self = screen(t("focus.join.title"), view, [focus], "focus");
  // Somebody who has joined, perhaps on their phone, has nothing to do here.
  focus.watch(questions.profile(), self.signal);
  self.signal.addEventListener(
    "abort",
    focus.subscribe(() => focus.joined && !busy && router.go(place(), { replace: true })),
  );

  async function agree() {
    busy = true;
    problem = "";
    self.draw();
    try {
      await focus.after(calls.putProfile({ consent: CONSENT, boards }));
      toast(t("focus.join.done"));
      return router.go(place(), { replace: true });
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    self.draw();
  }

  function view() {
    return html`
      ${bar(router.path("home"))}
      <h1>${t("focus.join.title")}</h1>
      <p>${t("focus.join.what")}</p>
      ${promises()}
      <section class="stack">
        <h2>${t("focus.join.consentTitle")}</h2>
        <p>${t("focus.join.consent")}</p>
        <div class="rows">
          ${toggle(
            t("focus.profile.boards"),
            t("focus.profile.boardsText"),
            boards,
            (on) => (boards = on, self.draw()),
          )}
        </div>
        <p class="quiet small">${t("focus.join.leave")}</p>
      </section>
      ${fault(problem)}
      <div class="stack">
        ${button(t("focus.join.agree"), { kind: "primary", busy, click: agree })}
        ${button(t("focus.join.later"), { kind: "plain", click: () => router.go("/", { replace: true }) })}
      </div>
    `;
  }
  return self.begin();
}
