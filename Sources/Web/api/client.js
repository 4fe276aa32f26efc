/** One function per call of openapi.yaml. Types of bodies and answers follow from the call's name. */

import { createCalling } from "./calling.js";

/**
 * @import { DeviceRegistration, PhotoGroup, GroupList, Photo, PhotoFeed, UserPatch } from "./api.d.ts"
 * @import { Outside } from "./calling.js"
 * @typedef {ReturnType<typeof createClient>} Client
 */

/**
 * @template T
 * @typedef {import("./calling.js").Conditional<T>} Conditional
 */

/** A user has at least these. */
const IDENTITY = { id: "x", phone_number: "x" };

/** @param {Outside} outside */
export function createClient(outside) {
  const { send, conditional } = createCalling(outside);
  return {
    send,
    conditional,
    listSessions: () => send("GET /v1/auth/sessions", {}, { sessions: [] }),
    endOtherSessions: () => send("DELETE /v1/auth/sessions", {}, null),
    /** @param {string} id */
    endSession: (id) => send("DELETE /v1/auth/sessions/{id}", { path: { id } }, null),

    getUser: () => send("GET /v1/users/me", {}, IDENTITY),
    /** @param {UserPatch} body */
    updateUser: (body) => send("PATCH /v1/users/me", { body }, IDENTITY),
    deleteUser: () => send("DELETE /v1/users/me", {}, null),
    exportUser: async () => {
      const all = await send("GET /v1/users/me/export", {});
      return new Blob([JSON.stringify(all, null, 2)], { type: "application/json" });
    },
    listBlocks: () => send("GET /v1/users/me/blocks", {}, { blocks: [] }),
    /** @param {string} id */
    blockUser: (id) => send("POST /v1/users/{id}/block", { path: { id } }, null),
    /** @param {string} id */
    unblockUser: (id) => send("DELETE /v1/users/{id}/block", { path: { id } }, null),

    /**
     * @param {string | null} etag
     * @returns {Promise<Conditional<GroupList>>}
     */
    listGroups: (etag = null) => conditional("GET /v1/groups", etag, {}, { groups: [] }),
    /**
     * @param {string} id
     * @param {string | null} etag
     * @returns {Promise<Conditional<PhotoGroup>>}
     */
    getGroup: (id, etag = null) =>
      conditional("GET /v1/groups/{id}", etag, { path: { id } }, { id, members: [] }),
    /**
     * @param {string} name
     * @param {string[]} numbers
     */
    createGroup: (name, numbers) =>
      send("POST /v1/groups", { body: { name, member_phone_numbers: numbers } }, {
        group: {},
        invitations: [],
      }),
    /**
     * @param {string} id
     * @param {string} name
     */
    renameGroup: (id, name) =>
      send("PUT /v1/groups/{id}", { path: { id }, body: { name } }, { id, members: [] }),
    /** @param {string} id */
    leaveGroup: (id) => send("DELETE /v1/groups/{id}", { path: { id } }, null),
    /**
     * @param {string} id
     * @param {string} userId
     */
    removeMember: (id, userId) =>
      send("DELETE /v1/groups/{id}/members/{user_id}", { path: { id, user_id: userId } }, null),
    /**
     * @param {string} id
     * @param {boolean} muted
     * @param {string | null} until
     */
    muteGroup: (id, muted, until = null) =>
      send("PUT /v1/groups/{id}/mute", { path: { id }, body: { muted, ...(until ? { until } : {}) } }, null),

    /** @param {string} id */
    listGroupInvites: (id) => send("GET /v1/groups/{id}/invites", { path: { id } }, { invites: [] }),
    listReceivedInvites: () => send("GET /v1/invites", {}, { invites: [] }),
    /** @param {string[]} numbers at most 50 */
    checkUsers: (numbers) =>
      send("POST /v1/invites/check-users", { body: { phone_numbers: numbers } }, {
        existing: [],
        invalid: [],
      }),
    /**
     * @param {string} groupId
     * @param {string[]} numbers at most 11
     */
    sendInvites: (groupId, numbers) =>
      send("POST /v1/invites/send", { body: { group_id: groupId, phone_numbers: numbers } }, { sent: [] }),
    /** @param {string} id */
    revokeInvite: (id) => send("DELETE /v1/invites/{id}", { path: { id } }, null),
    /** @param {string} code */
    redeemInvite: (code) => send("POST /v1/invites/redeem", { body: { code } }, { group_id: "x" }),

    /**
     * @param {string} id
     * @param {string | null} since
     * @param {string | null} etag
     * @returns {Promise<Conditional<PhotoFeed>>}
     */
    listPhotos: (id, since = null, etag = null) =>
      conditional("GET /v1/groups/{id}/photos", etag, { path: { id }, query: since ? { since } : {} }, {
        photos: [],
        removed: [],
      }),
    /**
     * @param {string} id
     * @returns {Promise<Photo>}
     */
    getPhoto: (id) => send("GET /v1/photos/{id}", { path: { id } }, { id }),
    /** @param {string} id */
    deletePhoto: (id) => send("DELETE /v1/photos/{id}", { path: { id } }, null),
    /**
     * @param {string} id
     * @param {string} key
     */
    createUploadTicket: (id, key) =>
      send("POST /v1/groups/{id}/upload-tickets", { path: { id }, body: { idempotency_key: key } }, {
        ticket: "x",
      }),

    /** @param {{ name: string, count?: number }[]} events */
    countEvents: (events) => send("POST /v1/analytics/events", { body: { events } }, null),
    /** @param {DeviceRegistration} body */
    registerDevice: (body) => send("POST /v1/devices/register", { body }, null),
    /** @param {string} device */
    unregisterDevice: (device) =>
      send("DELETE /v1/devices/{device_token}", { path: { device_token: device } }, null),
  };
}
