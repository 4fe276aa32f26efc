/** Makes one picture ready in a thread of its own; null where this thread cannot, and the picture stays as it is. */

import { prepared } from "../store/uploads/picture.js";

addEventListener("message", async ({ data }) => {
  const picture = await prepared(data).catch(() => null);
  postMessage(picture === data ? null : picture);
});
