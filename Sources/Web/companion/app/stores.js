/** The store of Companion, joined with the page. It comes with the first screen of Companion. */

import { newId } from "../../store/platform.js";
import { createCompanionCalls } from "../api/calls.js";
import { concerns } from "../store/reckoning.js";
import { createKeys } from "../store/keys.js";
import { createListeners } from "../../store/listeners.js";
import { createAnswers } from "../../products/store/answers.js";
import { client, kept, session } from "../../app/stores.js";

const keys = createKeys(newId);

export const calls = createCompanionCalls(client, keys);

export const companion = createAnswers({ client, kept, product: "companion", concerns });

/** Tells that lists may have changed: a hint came, or the stream began anew. */
export const hints = createListeners();

/** Everything that is shown is asked again after a change elsewhere, and when somebody returns to the page. */
async function listen() {
  const background = await import("../../app/background.js").catch(() => null);
  if (!background) return void setTimeout(listen, 5_000);
  background.events.subscribe((change) => {
    void companion.apply(change);
    if (/^(companion|reconnected|resync)/.test(change.type)) hints.tell();
  });
}

void listen();
document.addEventListener("visibilitychange", () => document.hidden || void companion.refresh());
addEventListener("online", () => void companion.refresh());
session.subscribe(() => {
  if (session.state !== "signed-out") return;
  keys.reset();
  void companion.reset();
});
