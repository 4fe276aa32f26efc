/** Makes one picture ready in a thread of its own; null where this thread cannot. */

import { prepared } from "../store/picture.js";

addEventListener("message", async ({ data }) => postMessage(await prepared(data).catch(() => null)));
