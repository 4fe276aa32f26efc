/** A question is a call of a product that only reads; its store asks it again by its ETag. */

/**
 * @import { Calls } from "../../api/api.d.ts"
 * @import { Parts } from "../../api/calling.js"
 */

/**
 * @template {keyof Calls} K
 * @typedef {{ call: K, parts: Parts }} Question
 */

/**
 * @template {keyof Calls} K
 * @param {K} call
 * @param {Parts} [parts]
 * @returns {Question<K>}
 */
export const question = (call, parts = {}) => ({ call, parts });
