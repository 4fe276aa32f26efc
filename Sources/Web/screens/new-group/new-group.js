/** A group begins with a name and at least one other person. Its maker then sees it, with the invited people. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { config } from "../../app/config.js";
import { describe } from "../../app/errors.js";
import { groups, router } from "../../app/stores.js";
import { count } from "../../parts/count.js";
import { contactList } from "../../parts/contacts/contact-list.js";
import { nameField } from "../../parts/people/profile.js";
import { bar, button, form, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";

export function newGroup() {
  let name = "";
  let problem = "";
  let hasTried = false;
  let busy = false;
  /** The groups before an attempt without an answer. @type {string[] | null} */
  let before = null;
  const self = screen(t("newGroup.title"), view, [groups]);
  const contacts = contactList(self.draw, () => config.limits.members_per_group - 1);

  const missing = () =>
    !name.trim() ? t("newGroup.noName") : contacts.numbers.length === 0 ? t("newGroup.nobody") : "";

  /** The group that an attempt without an answer has made after all. It rejects where that cannot be known. */
  async function made() {
    if (!before) return;
    await groups.refresh();
    if (groups.status !== "ready") throw groups.error;
    return groups.all?.find((group) => group.name === name.trim() && !before?.includes(group.id));
  }

  async function submit() {
    if (busy) return;
    problem = "";
    busy = true;
    self.draw();
    const settled = await contacts.settle();
    hasTried = settled;
    busy = settled && !missing();
    self.draw();
    if (!busy) return;
    try {
      const group = await made() ?? (await groups.create(name, contacts.numbers)).group;
      count("group_created");
      count("invite_sent", contacts.numbers.length);
      return router.go(router.path("group", { id: group.id }), { replace: true });
    } catch (error) {
      const { kind, text } = describe(error);
      problem = text;
      if (kind === "offline" || kind === "unavailable") before ??= (groups.all ?? []).map(({ id }) => id);
    }
    busy = false;
    self.draw();
  }

  const form_ = () => html`
    <h1>${t("newGroup.title")}</h1>
    ${form(submit, html`
      ${nameField(t("newGroup.name"), name, (value) => name = value, { autofocus: true })}
      <section class="stack">
        <h2>${t("newGroup.people")}</h2>
        <p class="quiet small">${t("newGroup.text")}</p>
        ${contacts.view()}
      </section>
      ${fault(problem || hasTried && missing() || "")}
      ${button(t("newGroup.make"), { kind: "primary", type: "submit", busy })}
    `, "stack loose")}
  `;

  function view() {
    return html`
      ${bar(router.path("home"), null, "close")}
      ${form_()}
    `;
  }
  return self.begin();
}
