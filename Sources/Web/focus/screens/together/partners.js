/** Partners: people of the person's groups who are told when a streak of an intention breaks, and the other way round. */

import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { groups, session } from "../../../app/stores.js";
import { calls, focus } from "../../app/stores.js";
import { questions } from "../../api/calls.js";
import { called, person } from "../../../parts/people/avatar.js";
import { dayOf } from "../../../parts/day.js";
import { membersBeside } from "../../parts/members.js";
import { focusScreen, head } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { dayName } from "../../parts/words.js";
import { run } from "../../../parts/run.js";
import { button } from "../../../parts/screen.js";
import { openSheet } from "../../../parts/sheet.js";
import { empty } from "../../../parts/states.js";

/** @import { FocusPartner, FocusPartnerList } from "../../../api/api.d.ts" */

const MOST = 5;

export function partners() {
  const self = focusScreen(t("focus.partners.title"), view, { stores: [groups, session], kind: "focus" });
  const known = self.watch(questions.partners());
  void groups.refresh();

  /** @param {Promise<unknown>} call @param {string} done */
  const act = (call, done) => run(() => focus.after(call), done);

  /** @param {FocusPartner} partner @param {string} below @param {unknown} action @param {unknown} [under] */
  const row = (partner, below, action, under) =>
    key(
      partner.user_id,
      html`
        <li>
          ${person({ id: partner.user_id, first_name: partner.first_name })}
          <span class="grow stack close">
            <span class="round" dir="auto" translate="no">${called(partner.first_name)}</span>
            <span class="quiet small">${below}</span>
            ${under}
          </span>
          ${action}
        </li>
      `,
    );

  /** @param {FocusPartner} partner */
  const end = ({ user_id: id, first_name: name }) =>
    button(t("focus.partners.end"), {
      kind: "little",
      click: () => act(calls.endPartner(id), t("focus.partners.ended", { name: called(name) })),
    });

  /** @param {FocusPartnerList} value */
  const own = ({ partners: all }) => all.length > 0 && html`
    <section class="stack">
      <h2>${t("focus.partners.mine")}</h2>
      <ul class="rows">
        ${all.map((one) =>
          row(
            one,
            one.state === "requested"
              ? t("focus.partners.asked")
              : t("focus.people.since", { date: dayOf(one.since) }),
            end(one),
          )
        )}
      </ul>
    </section>
  `;

  /** @param {FocusPartnerList} value */
  const requests = ({ partner_of: all }) => {
    const open = all.filter(({ state }) => state === "requested");
    return open.length > 0 && html`
      <section class="stack">
        <h2>${t("focus.partners.requests")}</h2>
        <ul class="rows">
          ${open.map((one) => row(one, t("focus.partners.asks"), null, html`
            <span class="line">
              ${button(t("focus.partners.accept"), {
                kind: "little primary",
                click: () =>
                  act(
                    calls.acceptPartner(one.user_id),
                    t("focus.partners.accepted", { name: called(one.first_name) }),
                  ),
              })}
              ${button(t("focus.partners.decline"), {
                kind: "little",
                click: () => act(calls.endPartner(one.user_id), t("focus.partners.declined")),
              })}
            </span>
          `))}
        </ul>
      </section>
    `;
  };

  /** @param {FocusPartnerList} value */
  const others = ({ partner_of: all }) => {
    const accepted = all.filter(({ state }) => state === "accepted");
    return accepted.length > 0 && html`
      <section class="stack">
        <h2>${t("focus.partners.theirs")}</h2>
        <ul class="rows">
          ${accepted.map((one) => key(one.user_id, html`
            <li>
              ${person({ id: one.user_id, first_name: one.first_name })}
              <span class="grow stack close">
                <span class="round" dir="auto" translate="no">${called(one.first_name)}</span>
                ${one.breaks.length > 0
                  ? one.breaks.map(({ day, streak }) => html`
                    <span class="quiet small">
                      ${t("focus.partners.broke", {
                        day: dayName(day),
                        streak: t("focus.days", { count: streak }),
                      })}
                    </span>
                  `)
                  : html`<span class="quiet small">${t("focus.partners.kept")}</span>`}
              </span>
              ${end(one)}
            </li>
          `))}
        </ul>
      </section>
    `;
  };

  /** @param {FocusPartnerList} value */
  function asking({ partners: all }) {
    const members = membersBeside(all.map((one) => one.user_id));
    openSheet(
      t("focus.partners.ask"),
      (sheet) => html`
        <p class="quiet small">${t("focus.partners.who")}</p>
        ${members.length > 0 ? html`
          <ul class="rows plain">
            ${members.map((one) => key(one.id, html`
              <li>
                <button
                  type="button"
                  class="whole"
                  @click=${async () => {
                    if (
                      await act(
                        calls.askPartner(one.id),
                        t("focus.partners.sent", { name: called(one.first_name) }),
                      )
                    ) sheet.close();
                  }}
                >
                  ${person(one)}
                  <span class="grow round" dir="auto" translate="no">${called(one.first_name)}</span>
                </button>
              </li>
            `))}
          </ul>
        ` : html`<p>${t("focus.partners.nobody")}</p>`}
      `,
    );
  }

  /** @param {FocusPartnerList} value */
  function content(value) {
    const add = (/** @type {string} */ kind) =>
      button(t("focus.partners.ask"), { kind, icon: "plus", click: () => asking(value) });
    if (value.partners.length + value.partner_of.length === 0) {
      return empty("prints", t("focus.partners.none"), add("primary"));
    }
    return html`
      ${requests(value)}
      ${own(value)}
      ${value.partners.length < MOST
        ? add("")
        : html`<p class="quiet small">${t("focus.partners.full", { count: MOST })}</p>`}
      ${others(value)}
    `;
  }

  function view() {
    return html`
      ${head()}
      <h1>${t("focus.partners.title")}</h1>
      <p class="quiet">${t("focus.partners.text")}</p>
      ${shown(known, content)}
    `;
  }
  return self.begin();
}
