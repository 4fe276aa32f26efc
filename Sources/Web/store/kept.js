/**
 * JSON that is kept for offline use, in Cache Storage: an entry that is deleted there leaves the disk, while a deleted
 * value of IndexedDB stays in its log. Nothing here fails: where the browser keeps nothing, reading gives null.
 */

/**
 * @typedef {object} Kept
 * @property {(key: string) => Promise<unknown>} read null where nothing is kept
 * @property {(key: string, value: unknown) => Promise<void>} write
 * @property {(key: string) => Promise<void>} delete
 */

export const KEPT_CACHE = "dayly-kept";
/** The kept feeds stand under this prefix; groups, profile and the like have no end of their own. */
export const KEPT_FEED = "feed ";
/** The ids of the groups with photos that were not looked at, for the number on the app's icon. */
export const KEPT_UNSEEN = "unseen groups";

/**
 * @param {Pick<CacheStorage, "open">} caches
 * @returns {Kept}
 */
export function createKept(caches) {
  /** @param {string} key */
  const address = (key) => `/kept/${encodeURIComponent(key)}`;
  return {
    async read(key) {
      try {
        const response = await (await caches.open(KEPT_CACHE)).match(address(key));
        return response ? await response.json() : null;
      } catch {
        return null;
      }
    },
    async write(key, value) {
      try {
        const headers = { "Content-Type": "application/json" };
        await (await caches.open(KEPT_CACHE)).put(
          address(key),
          new Response(JSON.stringify(value), { headers }),
        );
      } catch {
        // A full disk costs the offline copy only.
      }
    },
    async delete(key) {
      try {
        await (await caches.open(KEPT_CACHE)).delete(address(key));
      } catch {
        // Without Cache Storage there is nothing to delete.
      }
    },
  };
}
