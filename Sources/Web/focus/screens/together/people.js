/** The people whom the person follows, and those who follow them. Somebody new is found by nickname or in a group. */

import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { describe } from "../../../app/errors.js";
import { client, groups, session } from "../../../app/stores.js";
import { calls } from "../../app/stores.js";
import { kindOf } from "../../../api/problems.js";
import { questions } from "../../api/calls.js";
import { createList } from "../../../products/store/list.js";
import { called, person } from "../../../parts/people/avatar.js";
import { dayOf } from "../../../parts/day.js";
import { membersBeside } from "../../parts/members.js";
import { focusScreen, head, placeOf } from "../../parts/place.js";
import { listed } from "../../../products/parts/answered.js";
import { button, form } from "../../../parts/screen.js";
import { fault } from "../../../parts/states.js";
import { run } from "../../../parts/run.js";

/** @import { FocusPerson } from "../../../api/api.d.ts" */

/** A shared group tells the name, a nickname is for everybody. @param {{first_name: string | null, nickname: string | null}} someone */
export const nameOf = ({ first_name: name, nickname }) => name ?? nickname ?? called(null);

export function people() {
  let nickname = "", problem = "", busy = false;
  const self = focusScreen(t("focus.people.title"), view, { stores: [groups, session], kind: "focus" });
  const following = createList(client, questions.following(), (page) => page.people, self.draw);
  const followers = createList(client, questions.followers(), (page) => page.people, self.draw);
  void groups.refresh();

  async function follow() {
    busy = true;
    problem = "";
    self.draw();
    try {
      const found = await calls.followNickname(nickname.trim());
      nickname = "";
      await following.again();
      self.element.querySelector("input")?.focus();
      void found;
    } catch (error) {
      problem = kindOf(error) === "gone" ? t("focus.people.unknown") : describe(error).text;
    }
    busy = false;
    self.draw();
  }

  /** @param {Promise<unknown>} call @param {string} done @param {{again: () => Promise<void>}} list */
  async function act(call, done, list) {
    if (await run(() => call, done)) await list.again();
  }

  /** @param {FocusPerson} someone @param {unknown} action */
  const row = (someone, action) =>
    key(
      someone.user_id,
      html`
        <li>
          ${person({ id: someone.user_id, first_name: nameOf(someone) })}
          <span class="grow stack close">
            <span class="round" dir="auto" translate="no">
              ${someone.nickname
                ? html`<a href=${placeOf(someone.nickname)}>${nameOf(someone)}</a>`
                : nameOf(someone)}
            </span>
            <span class="quiet tiny">${t("focus.people.since", { date: dayOf(someone.since) })}</span>
          </span>
          ${action}
        </li>
      `,
    );

  const search = () =>
    form(
      follow,
      html`
        <label class="field">
          <span class="label">${t("focus.people.nickname")}</span>
          <input
            class="input"
            type="text"
            maxlength="30"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            aria-describedby="nickname-fault"
            .value=${nickname}
            @input=${(/** @type {any} */ event) => (nickname = event.target.value, self.draw())}
          />
        </label>
        ${fault(problem, "nickname-fault")}
        ${button(t("focus.people.follow"), {
          type: "submit",
          icon: "plus",
          busy,
          disabled: nickname.trim().length < 3,
        })}
      `,
    );

  const known = () => html`
    <section class="stack">
      <h2>${t("focus.people.following")}</h2>
      ${listed(
        following,
        (items) => html`
          <ul class="rows">
            ${items.map((one) =>
              row(
                one,
                button(t("focus.people.unfollow"), {
                  kind: "little",
                  click: () =>
                    act(
                      calls.unfollow(one.user_id),
                      t("focus.people.unfollowed", { name: nameOf(one) }),
                      following,
                    ),
                }),
              )
            )}
          </ul>
        `,
        () => html`<p class="quiet">${t("focus.people.none")}</p>`,
        () => button(t("focus.more"), { busy: following.busy, click: following.more }),
      )}
    </section>
  `;

  const suggestions = () => {
    const members = membersBeside((following.items ?? []).map((one) => one.user_id));
    return members.length > 0 && html`
      <section class="stack">
        <h2>${t("focus.people.members")}</h2>
        <ul class="rows">
          ${members.map((one) => key(one.id, html`
            <li>
              ${person(one)}
              <span class="grow round" dir="auto" translate="no">${called(one.first_name)}</span>
              ${button(t("focus.people.follow"), {
                kind: "little",
                click: () =>
                  act(
                    calls.follow(one.id),
                    t("focus.people.followed", { name: called(one.first_name) }),
                    following,
                  ),
              })}
            </li>
          `))}
        </ul>
      </section>
    `;
  };

  const others = () => html`
    <section class="stack">
      <h2>${t("focus.people.followers")}</h2>
      ${listed(
        followers,
        (items) => html`
          <ul class="rows">
            ${items.map((one) =>
              row(
                one,
                button(t("focus.people.remove"), {
                  kind: "little",
                  click: () =>
                    act(
                      calls.removeFollower(one.user_id),
                      t("focus.people.removed", { name: nameOf(one) }),
                      followers,
                    ),
                }),
              )
            )}
          </ul>
        `,
        () => html`<p class="quiet">${t("focus.people.noFollowers")}</p>`,
        () => button(t("focus.more"), { busy: followers.busy, click: followers.more }),
      )}
    </section>
  `;

  function view() {
    return html`
      ${head()}
      <h1>${t("focus.people.title")}</h1>
      <p class="quiet">${t("focus.people.text")}</p>
      ${search()}
      ${known()}
      ${following.items && suggestions()}
      ${others()}
    `;
  }
  return self.begin();
}
