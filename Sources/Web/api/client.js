/** One function per call of openapi.yaml. Types of bodies and answers follow from the call's name. */

import { problemOf, reach } from "./problems.js";

/**
 * @import { Calls, DeviceRegistration, Group, GroupList, Photo, PhotoFeed, UserPatch } from "./api.d.ts"
 * @import { Session } from "./session.js"
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {Pick<Session, "authorized">} session
 * @property {(response: Response) => void} [observe] sees each answer, for the clock
 * @typedef {{ path?: Record<string, string>, query?: Record<string, string>, body?: unknown, headers?: Record<string, string> }} Parts
 * @typedef {ReturnType<typeof createClient>} Client
 */

/**
 * The answer to a call with an ETag; null when the caller's copy is current.
 * @template T
 * @typedef {{ value: T, etag: string | null } | null} Conditional
 */

/**
 * The address of a call.
 * @param {string} template such as `/v1/groups/{id}`
 * @param {Record<string, string>} path
 * @param {Record<string, string>} query
 */
export function addressOf(template, path = {}, query = {}) {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/** @param {Outside} outside */
export function createClient({ fetch, session, observe }) {
  /**
   * @param {keyof Calls} call
   * @param {Parts} parts
   */
  async function respond(call, { path, query, body, headers = {} }) {
    const [method, template] = /** @type {[string, string]} */ (call.split(" "));
    const isBlob = body instanceof Blob;
    const type = body === undefined
      ? {}
      : { "Content-Type": isBlob ? body.type || "image/jpeg" : "application/json" };
    const payload = body === undefined ? {} : { body: isBlob ? body : JSON.stringify(body) };
    const response = await session.authorized((token) =>
      reach(fetch, addressOf(template, path, query), {
        method,
        headers: { ...type, ...headers, Authorization: `Bearer ${token}` },
        cache: "no-store",
        ...payload,
      })
    );
    observe?.(response);
    if (!response.ok && response.status !== 304) throw await problemOf(response);
    return response;
  }

  /**
   * @template {keyof Calls} K
   * @param {K} call
   * @param {Parts} [parts]
   * @returns {Promise<Calls[K]["answer"]>}
   */
  async function send(call, parts = {}) {
    const response = await respond(call, parts);
    return response.status === 204 ? null : await response.json();
  }

  /**
   * @template {keyof Calls} K
   * @param {K} call
   * @param {string | null} etag
   * @param {Parts} parts
   * @returns {Promise<Conditional<Calls[K]["answer"]>>}
   */
  async function conditional(call, etag, parts = {}) {
    const response = await respond(call, { ...parts, headers: etag ? { "If-None-Match": etag } : {} });
    return response.status === 304
      ? null
      : { value: await response.json(), etag: response.headers.get("ETag") };
  }

  return {
    send,
    conditional,
    listSessions: () => send("GET /v1/auth/sessions"),
    endOtherSessions: () => send("DELETE /v1/auth/sessions"),
    /** @param {string} id */
    endSession: (id) => send("DELETE /v1/auth/sessions/{id}", { path: { id } }),

    getUser: () => send("GET /v1/users/me"),
    /** @param {UserPatch} body */
    updateUser: (body) => send("PATCH /v1/users/me", { body }),
    deleteUser: () => send("DELETE /v1/users/me"),
    exportUser: async () => await (await respond("GET /v1/users/me/export", {})).blob(),
    listBlocks: () => send("GET /v1/users/me/blocks"),
    /** @param {string} id */
    blockUser: (id) => send("POST /v1/users/{id}/block", { path: { id } }),
    /** @param {string} id */
    unblockUser: (id) => send("DELETE /v1/users/{id}/block", { path: { id } }),

    /**
     * @param {string | null} etag
     * @returns {Promise<Conditional<GroupList>>}
     */
    listGroups: (etag = null) => conditional("GET /v1/groups", etag),
    /**
     * @param {string} id
     * @param {string | null} etag
     * @returns {Promise<Conditional<Group>>}
     */
    getGroup: (id, etag = null) => conditional("GET /v1/groups/{id}", etag, { path: { id } }),
    /**
     * @param {string} name
     * @param {string[]} numbers
     */
    createGroup: (name, numbers) =>
      send("POST /v1/groups", { body: { name, member_phone_numbers: numbers } }),
    /**
     * @param {string} id
     * @param {string} name
     */
    renameGroup: (id, name) => send("PUT /v1/groups/{id}", { path: { id }, body: { name } }),
    /** @param {string} id */
    leaveGroup: (id) => send("DELETE /v1/groups/{id}", { path: { id } }),
    /**
     * @param {string} id
     * @param {string} userId
     */
    removeMember: (id, userId) =>
      send("DELETE /v1/groups/{id}/members/{user_id}", { path: { id, user_id: userId } }),
    /**
     * @param {string} id
     * @param {boolean} muted
     * @param {string | null} until
     */
    muteGroup: (id, muted, until = null) =>
      send("PUT /v1/groups/{id}/mute", { path: { id }, body: { muted, ...(until ? { until } : {}) } }),

    /** @param {string} id */
    listGroupInvites: (id) => send("GET /v1/groups/{id}/invites", { path: { id } }),
    listReceivedInvites: () => send("GET /v1/invites"),
    /** @param {string[]} numbers at most 50 */
    checkUsers: (numbers) => send("POST /v1/invites/check-users", { body: { phone_numbers: numbers } }),
    /**
     * @param {string} groupId
     * @param {string[]} numbers at most 11
     */
    sendInvites: (groupId, numbers) =>
      send("POST /v1/invites/send", { body: { group_id: groupId, phone_numbers: numbers } }),
    /** @param {string} id */
    revokeInvite: (id) => send("DELETE /v1/invites/{id}", { path: { id } }),
    /** @param {string} code */
    redeemInvite: (code) => send("POST /v1/invites/redeem", { body: { code } }),

    /**
     * @param {string} id
     * @param {string | null} since
     * @param {string | null} etag
     * @returns {Promise<Conditional<PhotoFeed>>}
     */
    listPhotos: (id, since = null, etag = null) =>
      conditional("GET /v1/groups/{id}/photos", etag, { path: { id }, query: since ? { since } : {} }),
    /**
     * @param {string} id
     * @returns {Promise<Photo>}
     */
    getPhoto: (id) => send("GET /v1/photos/{id}", { path: { id } }),
    /** @param {string} id */
    deletePhoto: (id) => send("DELETE /v1/photos/{id}", { path: { id } }),
    /**
     * @param {string} id
     * @param {string} key
     */
    createUploadTicket: (id, key) =>
      send("POST /v1/groups/{id}/upload-tickets", { path: { id }, body: { idempotency_key: key } }),

    /** @param {{ name: string, count?: number }[]} events */
    countEvents: (events) => send("POST /v1/analytics/events", { body: { events } }),
    /** The service's key for web push. */
    getWebKey: () => send("GET /v1/push/web-key"),
    /** @param {DeviceRegistration} body */
    registerDevice: (body) => send("POST /v1/devices/register", { body }),
    /** @param {string} device */
    unregisterDevice: (device) =>
      send("DELETE /v1/devices/{device_token}", { path: { device_token: device } }),
  };
}
