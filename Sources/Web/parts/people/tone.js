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
  for (const { id } of members) {
    const taken = [...all.values()].slice(all.size & ~7);
    let own = tone(id);
    while (taken.includes(own)) own = (own + 1) % 8;
    all.set(id, own);
  }
  return all;
}
