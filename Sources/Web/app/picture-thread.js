/** Makes pictures ready beside the page: a large one would hold it up for a moment. */

import { prepared, setPrepared } from "../store/uploads/picture.js";
import { attempt } from "../store/platform.js";
import { admitted, PICTURE_WORKER } from "./browser/updates.js";

/** A browser may neither start a thread nor say so. */
const PATIENCE = 10_000;

/**
 * The picture as it is sent. A browser whose threads cannot draw does it in the page.
 * @param {Blob} source
 */
export async function preparedBeside(source) {
  const worker = attempt(() => new Worker(admitted(PICTURE_WORKER), { type: "module" }));
  if (!worker) return await prepared(source);
  /** @type {Blob | null} */
  const picture = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve(null);
    setTimeout(() => resolve(null), PATIENCE);
    worker.postMessage(source);
  });
  worker.terminate();
  if (!picture) return await prepared(source);
  setPrepared(picture);
  return picture;
}
