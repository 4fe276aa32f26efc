/** Which notifications have nothing to tell any more. */

/**
 * @param {{ kind?: string, group_id?: string, invite_id?: string } | null} data of a notification
 * @param {object} known
 * @param {string} known.open the group that is on the screen
 * @param {(groupId: string) => boolean} known.isSeen whether it is sure that all photos of a group were looked at
 * @param {string[] | null} known.invitations the ids of the open ones; null as long as they are not known
 */
export function isOver(data, { open, isSeen, invitations }) {
  const { kind, group_id = "", invite_id = "" } = data ?? {};
  if (kind === "photo") return group_id === open || isSeen(group_id);
  return kind === "invitation" && invitations !== null && !invitations.includes(invite_id);
}
