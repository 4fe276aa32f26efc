/** The members of the person's groups, each once. */

import { groups, session } from "../../app/stores.js";

/** @param {string[]} others who are left out, beside the person */
export function membersBeside(others) {
  const left = new Set([...others, session.user?.id]);
  const all = new Map((groups.all ?? []).flatMap(({ members }) => members).map((one) => [one.id, one]));
  return [...all.values()].filter(({ id }) => !left.has(id));
}
