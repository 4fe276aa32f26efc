/** The profile of the signed-in person, which the first screen does not need. */

/** @import { User, UserPatch } from "../api/api.d.ts" */

import { client, session } from "./stores.js";

export const account = {
  /**
   * Changes some members of the profile.
   * @param {UserPatch} patch
   * @returns {Promise<User>}
   */
  async update(patch) {
    const user = await client.updateUser(patch);
    await session.remember(user);
    return user;
  },
  /** Fetches the profile again, as after a change on another device. */
  async refresh() {
    await session.remember(await client.getUser());
  },
  /** Deletes the account, and everything that this browser keeps of it. */
  async delete() {
    await client.deleteUser();
    await session.drop();
  },
};
