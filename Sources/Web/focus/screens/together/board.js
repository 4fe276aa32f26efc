/** A group's board: its members by their week. It is fetched again as soon as somebody's week has changed. */

import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { groups, router } from "../../../app/stores.js";
import { today } from "../../app/stores.js";
import { questions } from "../../api/calls.js";
import { heightsOf, mondayOf } from "../../store/figures.js";
import { called, person } from "../../../parts/people/avatar.js";
import { ago, left, ticking } from "../../../parts/day.js";
import { estimatedNote } from "../../parts/dial.js";
import { focusScreen, head, place } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { points, streaksAndLongest } from "../../parts/words.js";
import { icon } from "../../../parts/icons.js";
import { empty, skeleton } from "../../../parts/states.js";
import { weekSteps } from "../week.js";

/** @import { FocusBoard, FocusBoardEntry } from "../../../api/api.d.ts" */
/** @import { Visit } from "../../../app/router.js" */

/** @param {Visit} visit */
export function board(visit) {
  const id = visit.params["id"] ?? "";
  const week = visit.query.get("week");
  const monday = week ?? mondayOf(today());
  const self = focusScreen(t("focus.board.title"), view, { stores: [groups], kind: "focus" });
  const known = self.watch(questions.board(id, week ?? undefined));
  void groups.refresh();

  /** What a reader should know before comparing. @param {FocusBoardEntry} entry */
  const remark = ({ tracking_status: status, synced_at: synced }) =>
    (status !== "verified" || synced) &&
    html`
      <span class="quiet tiny line remark">
        ${icon("alert", 16)}
        ${status === "pending"
          ? t("focus.board.pending")
          : status === "broken"
          ? t("focus.board.broken")
          : html`<span>${t("focus.board.synced")} ${ago(synced ?? "")}</span>`}
      </span>
    `;

  /** @param {FocusBoardEntry} entry @param {number} height */
  const row = (entry, height) =>
    key(
      entry.user_id,
      html`
        <li class=${entry.is_me ? "place me" : "place"}>
          <span class="count rank" aria-label=${t("focus.rank", { rank: entry.rank })}>${entry.rank}</span>
          ${person({ id: entry.user_id, first_name: entry.first_name })}
          <span class="grow stack close">
            <span class="round" dir="auto" translate="no">
              ${called(entry.first_name)}
              ${entry.is_me && html`<span class="quiet small">${t("focus.you")}</span>`}
            </span>
            <span class="track" aria-hidden="true">
              <span class="filled" data-part=${height > 0 ? "some" : "0"} --part=${height}></span>
            </span>
            <span class="quiet tiny">${streaksAndLongest(entry.streak_count, entry.longest_streak)}</span>
            ${estimatedNote(entry.estimated)}
            ${remark(entry)}
          </span>
          <span class="count strong">${points(entry.points)}</span>
        </li>
      `,
    );

  /** @param {FocusBoard} value */
  function content({ entries, closed, closes_at: end }) {
    const heights = heightsOf(entries.map((entry) => entry.points));
    return html`
      ${entries.length > 0
        ? html`
          <ol class="rows board">${entries.map((entry, index) => row(entry, heights[index] ?? 0))}</ol>
        `
        : empty(
          "prints",
          t("focus.board.none"),
          html`<a class="button" href=${place("settings")}>${t("focus.settings.title")}</a>`,
        )}
      <p class="quiet small center">
        ${closed ? t("focus.board.closed") : ticking(() => t("focus.board.closes", { time: left(end) }))}
      </p>
    `;
  }

  function view() {
    const group = groups.byId(id);
    return html`
      ${head()}
      <h1>${group?.name ?? t("focus.board.title")}</h1>
      ${weekSteps(monday, (other) => place("board", id, { week: other }))}
      ${known.error && week && !known.value ? gone() : shown(known, content, skeleton("row", 4))}
      ${group && html`
        <a class="button plain" href=${router.path("group", { id })}>${t("focus.board.photos")}</a>
      `}
    `;
  }

  /** A week without a result for the group, and a group that is not the person's, are answered alike. */
  const gone = () => empty("box", t("focus.board.gone"));

  return self.begin();
}
