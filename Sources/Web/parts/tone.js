/** The tone of a person's circle follows from their id, and differs from those of the members who came before them. */

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

/**
 * The tones of a group's members, in the order in which they joined: each has their own, or the next one that is free. After
 * eight members all are free again. So only people who would share a tone differ from one group to another.
 * @param {{id: string}[]} members
 */
export function tones(members) {
  /** @type {Map<string, number>} */
  const all = new Map();
  let used = new Set();
  for (const { id } of members) {
    if (used.size === 8) used = new Set();
    let own = tone(id);
    while (used.has(own)) own = (own + 1) % 8;
    used.add(own);
    all.set(id, own);
  }
  return all;
}
