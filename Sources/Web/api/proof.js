/** The work that the service asks for before it sends a code, while many strangers ask for one. */

import { Problem } from "./problems.js";

/**
 * @import { WorkChallenge, WorkProof } from "./api.d.ts"
 * @typedef {(message: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>} Digest SHA-256
 */

/** More bytes to hash than anybody would wait for. */
const MOST = 2 ** 35;
/** The browser makes digests on threads of its own. */
const AT_ONCE = 8;

/**
 * Sends a refused request again with the work that the refusal asks for. The price may rise meanwhile.
 * @template T
 * @param {unknown} error the refusal
 * @param {(proof: WorkProof) => Promise<T>} send
 * @param {Digest} digest
 * @returns {Promise<T>}
 */
export async function sendWithProof(error, send, digest, tries = 2) {
  const challenge = error instanceof Problem ? error.challenge : null;
  if (!challenge || !tries || challenge.bytes * challenge.count * 2 ** challenge.bits > MOST) throw error;
  const proof = await prove(challenge, digest);
  return await send(proof).catch((next) => sendWithProof(next, send, digest, tries - 1));
}

/** @param {WorkChallenge} challenge @param {Digest} digest @returns {Promise<WorkProof>} */
async function prove({ token, bytes, bits, count }, digest) {
  const messages = Array.from({ length: AT_ONCE }, () => new Uint8Array(bytes));
  for (const message of messages) message.set(new TextEncoder().encode(token), 8);
  /** @type {number[]} */
  const nonces = [];
  for (let next = 0; nonces.length < count; next += AT_ONCE) {
    const good = await Promise.all(messages.map(async (message, place) => {
      new DataView(message.buffer).setBigUint64(0, BigInt(next + place));
      return new DataView(await digest(message)).getUint32(0) < 2 ** (32 - bits);
    }));
    for (const [place, isGood] of good.entries()) if (isGood) nonces.push(next + place);
  }
  return { token, nonces: nonces.slice(0, count) };
}
