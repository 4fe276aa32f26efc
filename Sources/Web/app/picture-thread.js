/** Makes pictures ready beside the page: a large one would hold it up for a moment. */

import { prepared, setPrepared } from "../store/picture.js";
import { admitted, PICTURE_WORKER } from "./updates.js";

/**
 * The picture as it is sent. A browser whose threads cannot draw does it in the page.
 * @param {Blob} source
 */
export async function preparedBeside(source) {
  const worker = new Worker(admitted(PICTURE_WORKER), { type: "module" });
  /** @type {Blob | null} */
  const picture = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve(null);
    worker.postMessage(source);
  });
  worker.terminate();
  if (!picture) return await prepared(source);
  setPrepared(picture);
  return picture;
}
