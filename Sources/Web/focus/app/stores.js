/** The store of Focus, joined with the page. It comes with the first screen of Focus. */

import { createFocusCalls } from "../api/calls.js";
import { concerns, dayAt } from "../store/figures.js";
import { createAnswers } from "../../products/store/answers.js";
import { client, clock, kept, session } from "../../app/stores.js";

export const calls = createFocusCalls(client);

export const focus = createAnswers({ client, kept, product: "focus", concerns });

/** The person's local day. */
export const today = () => dayAt(clock.now(), session.user?.time_zone);

/** Everything that is shown is asked again after a change elsewhere, and when somebody returns to the page. */
async function listen() {
  const background = await import("../../app/background.js").catch(() => null);
  if (!background) return void setTimeout(listen, 5_000);
  background.events.subscribe((change) => void focus.apply(change));
}

void listen();
document.addEventListener("visibilitychange", () => document.hidden || void focus.refresh());
addEventListener("online", () => void focus.refresh());
session.subscribe(() => session.state === "signed-out" && void focus.reset());
