/** The calls of Focus. A question is a call that only reads; the store asks it again by its ETag. */

import { question } from "../../products/api/questions.js";

/**
 * @import { FocusIntentionSettings, FocusProfileSettings, FocusScheduleSettings, FocusNewSession, FocusTemptationSettings } from "../../api/api.d.ts"
 * @import { Client } from "../../api/client.js"
 */

/** @param {string | undefined} week */
const ofWeek = (week) => week ? { query: { week } } : {};

export const questions = {
  profile: () => question("GET /v1/focus/profile"),
  devices: () => question("GET /v1/focus/devices"),
  now: () => question("GET /v1/focus/now"),
  weeks: () => question("GET /v1/focus/weeks"),
  /** @param {string} monday */
  week: (monday) => question("GET /v1/focus/weeks/{monday}", { path: { monday } }),
  /** @param {string} day */
  day: (day) => question("GET /v1/focus/days/{day}", { path: { day } }),
  /** @param {string} id @param {string} [week] the caller's current one without it */
  board: (id, week) => question("GET /v1/focus/groups/{id}/board", { path: { id }, ...ofWeek(week) }),
  /** @param {string} [week] */
  league: (week) => question("GET /v1/focus/league", ofWeek(week)),
  following: () => question("GET /v1/focus/following"),
  followers: () => question("GET /v1/focus/followers"),
  /** @param {string} nickname */
  person: (nickname) => question("GET /v1/focus/people/{nickname}", { path: { nickname } }),
  feed: () => question("GET /v1/focus/feed"),
  temptations: () => question("GET /v1/focus/temptations"),
  sessions: () => question("GET /v1/focus/sessions"),
  stats: () => question("GET /v1/focus/stats"),
  schedules: () => question("GET /v1/focus/schedules"),
  intentions: () => question("GET /v1/focus/intentions"),
  partners: () => question("GET /v1/focus/partners"),
};

/**
 * The calls that change something.
 * @param {Pick<Client, "send">} client
 */
export function createFocusCalls({ send }) {
  /** @param {string} key makes a call that is repeated after a lost answer the same call */
  const once = (key) => ({ headers: { "Idempotency-Key": key } });
  return {
    /** @param {FocusProfileSettings} body replaces the profile */
    putProfile: (body) => send("PUT /v1/focus/profile", { body }),
    leave: () => send("DELETE /v1/focus/profile"),
    /** @param {string} id */
    removeDevice: (id) => send("DELETE /v1/focus/devices/{id}", { path: { id } }),
    /** @param {string} day @param {"up" | "down"} rating */
    rate: (day, rating) => send("PUT /v1/focus/days/{day}/rating", { path: { day }, body: { rating } }),
    /** @param {string} id */
    follow: (id) => send("PUT /v1/focus/following/{user_id}", { path: { user_id: id } }),
    /** @param {string} nickname */
    followNickname: (nickname) =>
      send("PUT /v1/focus/following/by-nickname/{nickname}", { path: { nickname } }),
    /** @param {string} id */
    unfollow: (id) => send("DELETE /v1/focus/following/{user_id}", { path: { user_id: id } }),
    /** @param {string} id */
    removeFollower: (id) => send("DELETE /v1/focus/followers/{user_id}", { path: { user_id: id } }),
    /** @param {FocusTemptationSettings} body */
    putTemptations: (body) => send("PUT /v1/focus/temptations", { body }),
    /** @param {FocusNewSession} body @param {string} key */
    startSession: (body, key) => send("POST /v1/focus/sessions", { body, ...once(key) }),
    /** @param {string} id */
    endSession: (id) => send("POST /v1/focus/sessions/{id}/end", { path: { id }, body: {} }),
    /** @param {FocusScheduleSettings} body @param {string} key */
    addSchedule: (body, key) => send("POST /v1/focus/schedules", { body, ...once(key) }),
    /** @param {string} id @param {FocusScheduleSettings} body */
    putSchedule: (id, body) => send("PUT /v1/focus/schedules/{id}", { path: { id }, body }),
    /** @param {string} id */
    removeSchedule: (id) => send("DELETE /v1/focus/schedules/{id}", { path: { id } }),
    /** @param {FocusIntentionSettings} body @param {string} key */
    addIntention: (body, key) => send("POST /v1/focus/intentions", { body, ...once(key) }),
    /** @param {string} id @param {FocusIntentionSettings} body */
    putIntention: (id, body) => send("PUT /v1/focus/intentions/{id}", { path: { id }, body }),
    /** @param {string} id */
    removeIntention: (id) => send("DELETE /v1/focus/intentions/{id}", { path: { id } }),
    /** @param {string} key */
    freeze: (key) => send("POST /v1/focus/freeze", once(key)),
    /** @param {string} id */
    askPartner: (id) => send("PUT /v1/focus/partners/{user_id}", { path: { user_id: id } }),
    /** @param {string} id */
    acceptPartner: (id) => send("POST /v1/focus/partners/{user_id}/accept", { path: { user_id: id } }),
    /** @param {string} id */
    endPartner: (id) => send("DELETE /v1/focus/partners/{user_id}", { path: { user_id: id } }),
  };
}
