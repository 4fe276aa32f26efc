/** What Focus stores and what it does not, taking it along, and leaving. */

import { calls, focus } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { focusScreen, head, place } from "../parts/place.js";
import { promises } from "../parts/promises.js";
import { productData } from "../../products/screens/data.js";

export const data = () =>
  productData("focus", {
    screen: (title, view) => focusScreen(title, view, { kind: "focus" }),
    head: () => head(place("settings")),
    joined: questions.profile(),
    promises,
    leave: calls.leave,
    reset: focus.reset,
  });
