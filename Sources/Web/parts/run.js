/** Runs the action of a button, and says in a toast that it is done, or why not. */

import { describe } from "../app/errors.js";
import { toast } from "./toast.js";

/** @param {() => Promise<unknown>} act @param {string} [done] @returns {Promise<boolean>} whether it was done */
export async function run(act, done) {
  try {
    await act();
    if (done) toast(done);
    return true;
  } catch (error) {
    toast(describe(error).text);
    return false;
  }
}
