/** The tone of a person's circle follows from their id, so that it is the same on every screen and phone. */

/**
 * One of eight. Ids that were made one after the other are alike, and their people are often in one group. A product by
 * an odd number carries each difference up into the highest bits, which are the tone.
 * @param {string} id
 */
export function tone(id) {
  let sum = 0;
  for (const letter of id) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x9e3779b1);
  return sum >>> 29;
}
