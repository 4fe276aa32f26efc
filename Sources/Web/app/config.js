/** What the service tells the page about itself. */

/**
 * @typedef {object} Config
 * @property {string} version
 * @property {boolean} development
 * @property {string} origin the service's own, by its public URL
 * @property {string[]} features the products that are offered
 * @property {{ groups_per_user: number, members_per_group: number, upload_bytes: number }} limits
 * @property {number} photo_lifetime seconds
 * @property {string | null} push_key for the subscriptions of browsers
 * @property {Record<"privacy" | "terms" | "app_store" | "play_store" | "download", string | null>} links
 */

const text = document.querySelector('meta[name="dayly-config"]')?.getAttribute("content") ?? "";

/** @type {Config} */
export const config = JSON.parse(text);
