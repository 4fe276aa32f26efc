/** What a person is told of an upload, on every screen in the same way. */

import { network } from "../app/stores.js";
import { icon } from "./icons.js";
import { ring } from "./ring.js";

/** @import { UploadItem } from "../store/uploads/upload-queue.js" */

/** Nothing goes out while the network is away. @param {UploadItem} item */
export const stateOf = (item) =>
  item.state === "sending" && network.state === "away" ? "waiting" : item.state;

/** Only the service's answer closes the ring. @param {UploadItem} item @param {string} [kind] */
export function uploadRing(item, kind) {
  const state = stateOf(item);
  const sign = icon(state === "sending" ? "up" : state === "stopped" ? "alert" : "clock", 20);
  return ring(Math.min(item.progress ?? 0, 0.95), sign, kind);
}
