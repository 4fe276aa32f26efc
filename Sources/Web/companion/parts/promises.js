/** The data that Companion stores, and the data that it does not. It stands where people join, and in their data. */

import { promisesOf } from "../../products/parts/promises.js";

const STORED = [
  "companion.collected.days",
  "companion.collected.minutes",
  "companion.collected.diary",
  "companion.collected.pet",
  "companion.collected.wallet",
];
const NEVER = ["companion.never.apps", "companion.never.survey"];
const NOTES = ["companion.collected.others", "companion.collected.kept"];

export const promises = () => promisesOf("companion", { stored: STORED, notes: NOTES, never: NEVER });
