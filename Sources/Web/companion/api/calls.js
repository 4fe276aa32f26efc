/** The calls of Companion. */

import { question } from "../../products/api/questions.js";

/**
 * @import { CompanionCurrency, CompanionNewPet, CompanionPreferencesRequest, CompanionSurvey } from "../../api/api.d.ts"
 * @import { Client } from "../../api/client.js"
 * @import { Keys } from "../store/keys.js"
 */

export const questions = {
  settings: () => question("GET /v1/companion/settings"),
  devices: () => question("GET /v1/companion/devices"),
  today: () => question("GET /v1/companion/day"),
  /** @param {string} day */
  day: (day) => question("GET /v1/companion/days/{day}", { path: { day } }),
  diary: () => question("GET /v1/companion/diary"),
  pet: () => question("GET /v1/companion/pet"),
  wallet: () => question("GET /v1/companion/wallet"),
  ledger: () => question("GET /v1/companion/ledger"),
  catalog: () => question("GET /v1/companion/catalog"),
  memorials: () => question("GET /v1/companion/memorials"),
};

/**
 * The calls that change something. Those with a key have one effect, however often they are repeated before an answer.
 * @param {Pick<Client, "send">} client
 * @param {Keys} keys
 */
export function createCompanionCalls({ send }, keys) {
  /** @type {<K extends keyof import("../../api/api.d.ts").Calls>(call: K, body: unknown, path?: Record<string, string>) => Promise<import("../../api/api.d.ts").Calls[K]["answer"]>} */
  const once = (call, body, path = {}) =>
    keys.once(
      JSON.stringify([call, path, body]),
      (key) => send(call, { path, body, headers: { "Idempotency-Key": key } }),
    );
  return {
    /** @param {CompanionPreferencesRequest} body replaces all of them */
    putSettings: (body) => send("PUT /v1/companion/settings", { body }),
    leave: () => send("DELETE /v1/companion/settings"),
    /** @param {string} id */
    removeDevice: (id) => send("DELETE /v1/companion/devices/{id}", { path: { id } }),
    /** @param {CompanionSurvey} body */
    survey: (body) => send("POST /v1/companion/survey", { body }),
    /** @param {CompanionNewPet} body */
    adopt: (body) => once("POST /v1/companion/pet", body),
    /** @param {string} name */
    rename: (name) => send("PATCH /v1/companion/pet", { body: { name } }),
    /** @param {string} id of a food */
    feed: (id) => once("POST /v1/companion/pet/feed", { item_id: id }),
    cure: () => once("POST /v1/companion/pet/cure", {}),
    revive: () => once("POST /v1/companion/pet/revive", {}),
    /** @param {CompanionNewPet} body */
    restart: (body) => once("POST /v1/companion/pet/restart", body),
    /** @param {string[]} items replaces the outfit */
    wear: (items) => send("PUT /v1/companion/pet/outfit", { body: { items } }),
    /** @param {string} id @param {CompanionCurrency} currency */
    buy: (id, currency) => once("POST /v1/companion/cosmetics/{id}", { currency }, { id }),
    /** @param {string} id */
    forget: (id) => send("DELETE /v1/companion/memorials/{id}", { path: { id } }),
  };
}
