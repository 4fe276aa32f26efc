/** The list of data that Focus collects, and of data that it does not. It stands where people join, and in their data. */

import { promisesOf } from "../../products/parts/promises.js";

const STORED = [
  "focus.collected.locks",
  "focus.collected.minutes",
  "focus.collected.plans",
  "focus.collected.people",
  "focus.collected.game",
];
const NEVER = [
  "focus.never.apps",
  "focus.never.contents",
  "focus.never.place",
  "focus.never.contacts",
];
const NOTES = ["focus.collected.moments", "focus.collected.kept"];

export const promises = () => promisesOf("focus", { stored: STORED, notes: NOTES, never: NEVER });
