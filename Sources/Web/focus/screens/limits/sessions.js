/** Sessions: the timer of the running one or the start of a new one, thirty days of them, and the history. */

import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { client, clock } from "../../../app/stores.js";
import { calls, focus, today } from "../../app/stores.js";
import { questions } from "../../api/calls.js";
import { createList } from "../../../products/store/list.js";
import { monthBars } from "../../parts/bars.js";
import { goalDial } from "../../parts/dial.js";
import { focusScreen, head } from "../../parts/place.js";
import { listed, shown } from "../../../products/parts/answered.js";
import { sign } from "../../parts/signs.js";
import { dayName, duration, running, shortDay } from "../../parts/words.js";
import { ago } from "../../../parts/day.js";
import { run } from "../../../parts/run.js";
import { button } from "../../../parts/screen.js";
import { ask } from "../../../parts/sheet.js";
import { skeleton } from "../../../parts/states.js";
import { starting } from "../starting.js";

/** @import { FocusNow, FocusSession, FocusStats } from "../../../api/api.d.ts" */

export function sessions() {
  const self = focusScreen(t("focus.sessions.title"), view, { kind: "focus" });
  const known = self.watch(questions.now());
  const stats = self.watch(questions.stats());
  const list = createList(client, questions.sessions(), (page) => page.sessions, self.draw);
  const start = starting(self.draw);
  self.signal.addEventListener("abort", clock.everySecond(() => known.value?.session && self.draw()));

  /** @type {string | null | undefined} */
  let last;
  // A session that begins or ends, here or on the phone, changes the history.
  self.signal.addEventListener(
    "abort",
    focus.subscribe(() => {
      if (!known.value) return;
      const current = known.value.session?.id ?? null;
      if (last !== undefined && last !== current) void list.again();
      last = current;
    }),
  );

  /** @param {FocusSession} session */
  async function end(session) {
    const isEarly = Date.parse(session.goal_ends_at) > clock.now();
    const sure = !isEarly || await ask({
      title: t("focus.session.endTitle"),
      text: t("focus.session.endText"),
      yes: t("focus.session.giveUp"),
    });
    if (sure) await run(() => focus.after(calls.endSession(session.id)));
  }

  /** @param {FocusSession} session */
  function timer(session) {
    const [began, goal] = [Date.parse(session.started_at), Date.parse(session.goal_ends_at)];
    const [passed, left] = [(clock.now() - began) / 1000, (goal - clock.now()) / 1000];
    const isHeld = session.beast_mode && left > 0 && passed > 10;
    return html`
      <section class="stack loose timer">
        ${goalDial(passed * 1000 / (goal - began), html`
          <p class="small quiet">${session.emoji} ${session.name ?? t("focus.session.unnamed")}</p>
          <p class="count time" role="timer">${left > 0 ? running(left) : running(passed)}</p>
          <p class="small quiet">
            ${left > 0
              ? t("focus.session.goal", { time: duration(session.goal_minutes * 60) })
              : t("focus.session.extra", { time: duration(-left) })}
          </p>
        `)}
        ${isHeld
          ? html`
            <p class="notice">
              ${sign("lock", 20)}
              <span>${t("focus.session.beast")}</span>
            </p>
          `
          : button(left > 0 ? t("focus.session.end") : t("focus.session.complete"), {
            kind: left > 0 ? "" : "primary",
            click: () => end(session),
          })}
        <p class="quiet small center">${t("focus.session.phone")}</p>
      </section>
    `;
  }

  /** @param {FocusStats} value */
  function month({ days, record }) {
    const completed = days.reduce((sum, day) => sum + day.completed, 0);
    const seconds = days.reduce((sum, day) => sum + day.seconds, 0);
    const bars = days.map(({ day, seconds: value }) => ({
      day,
      value,
      text: "",
      label: `${dayName(day)}: ${duration(value)}`,
    }));
    const sum = t("focus.stats.sum", {
      sessions: t("focus.stats.sessions", { count: completed }),
      time: duration(seconds),
    });
    return html`
      <section class="card stack">
        <h2>${t("focus.stats.title")}</h2>
        ${monthBars(bars, today(), `${t("focus.stats.title")}: ${sum}`)}
        <p class="quiet small">
          ${sum}
          ${record && html`
            <br />
            ${t("focus.stats.record", { time: duration(record.seconds), date: shortDay(record.day) })}
          `}
        </p>
      </section>
    `;
  }

  /** @param {FocusSession} session */
  const row = (session) =>
    key(
      session.id,
      html`
        <li>
          <span class="grow stack close">
            <span class="round">${session.emoji} ${session.name ?? t("focus.session.unnamed")}</span>
            <span class="quiet small">
              ${t(`focus.session.${session.state}`)}
              ${session.elapsed_seconds && html` · ${duration(session.elapsed_seconds)}`}
            </span>
            <span class="quiet tiny">${ago(session.started_at)}</span>
          </span>
          ${session.xp !== null && session.xp > 0 &&
            html`<span class="count strong">${t("focus.session.xp", { count: session.xp })}</span>`}
        </li>
      `,
    );

  function history() {
    const items = list.items?.filter(({ state }) => state !== "running") ?? null;
    if (items?.length === 0) {
      return known.value?.session === null && html`<p class="quiet">${t("focus.sessions.none")}</p>`;
    }
    return html`
      <section class="stack">
        <h2>${t("focus.sessions.before")}</h2>
        ${listed(
          { ...list, items },
          (past) => html`<ul class="rows">${past.map(row)}</ul>`,
          () => null,
          () => button(t("focus.more"), { busy: list.busy, click: list.more }),
        )}
      </section>
    `;
  }

  /** @param {FocusNow} value */
  const current = (value) => value.session ? timer(value.session) : start.form(value.pro_until);

  function view() {
    return html`
      ${head()}
      <h1>${t("focus.sessions.title")}</h1>
      ${shown(known, current, skeleton("block", 1))}
      ${stats.value && month(stats.value)}
      ${history()}
    `;
  }
  return self.begin();
}
