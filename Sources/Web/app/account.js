/** The profile of the signed-in person, which the first screen does not need. */

import { createAccount } from "../store/account.js";
import { client, session } from "./stores.js";

export const account = createAccount({ client, session });
