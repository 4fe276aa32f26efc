/** What Companion stores and what it does not, taking it along, and leaving. */

import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { companionScreen, head, place } from "../parts/place.js";
import { promises } from "../parts/promises.js";
import { productData } from "../../products/screens/data.js";

export const data = () =>
  productData("companion", {
    screen: companionScreen,
    head: () => head(place("settings")),
    joined: questions.settings(),
    promises,
    leave: calls.leave,
    reset: companion.reset,
  });
