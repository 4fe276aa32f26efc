/** What the service tells the page about itself. */

/**
 * @typedef {object} Config
 * @property {string} version
 * @property {boolean} development
 * @property {string} origin the service's own, by its public URL
 * @property {string[]} features the products that are offered
 * @property {{ groups_per_user: number, members_per_group: number, upload_bytes: number }} limits
 * @property {number} photo_lifetime seconds
 * @property {{ privacy: string | null, terms: string | null, app_store: string | null, play_store: string | null }} links
 */

const text = document.querySelector('meta[name="dayly-config"]')?.getAttribute("content") ?? "";

/** @type {Config} */
export const config = JSON.parse(text);
