/** Asks for a sign-in code, with the work that the service may ask for first. */

import { sendWithProof } from "../api/proof.js";
import { session } from "./stores.js";

/** @param {string} number */
export const askForCode = async (number) =>
  await session.requestCode(number).catch(async (error) => {
    const { subtle } = crypto;
    // At an address without https the browser has no digest.
    if (!subtle) throw error;
    return await sendWithProof(
      error,
      (proof) => session.requestCode(number, proof),
      (message) => subtle.digest("SHA-256", message),
    );
  });
