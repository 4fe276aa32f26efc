/** Asks for a sign-in code, with the work that the service may ask for first. */

import { sendWithProof } from "../api/proof.js";
import { t } from "../app/i18n.js";
import { session } from "../app/stores.js";
import { toast } from "./toast.js";

/** Milliseconds after which a person wonders. */
const LONG = 1_500;

/** @param {string} number */
export const askForCode = async (number) =>
  await session.requestCode(number).catch(async (error) => {
    const { subtle } = crypto;
    // At an address without https the browser has no digest.
    if (!subtle) throw error;
    const told = setTimeout(() => toast(t("phone.working")), LONG);
    return await sendWithProof(
      error,
      (proof) => session.requestCode(number, proof),
      (message) => subtle.digest("SHA-256", message),
    ).finally(() => clearTimeout(told));
  });
