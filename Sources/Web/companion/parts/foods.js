/** Draws foods, each on a square of 64. */

import { group, oval, path } from "./drawings/shapes.js";

/** @import { Shape } from "./drawings/shapes.js" */

const bowl = () =>
  group(
    "",
    path("dish", "M8 36L56 36L51 54C50 56 49 57 47 57L17 57C15 57 14 56 13 54Z"),
    path("thin", "M32 44C29 41 25 43 26 46C27 49 32 52 32 52C32 52 37 49 38 46C39 43 35 41 32 44Z"),
  );

const plate = () =>
  path("plate", "M4 46C4 42 14 40 32 40C50 40 60 42 60 46C60 52 48 56 32 56C16 56 4 52 4 46Z");

const steam = () => path("steam", "M22 14C19 11 25 8 22 5M32 12C29 9 35 6 32 3M42 14C39 11 45 8 42 5");

/** @type {Record<string, () => Shape[]>} */
const FOODS = {
  kibble: () => [
    path("kibbles", "M12 38C12 30 19 28 22 31C23 24 32 23 34 29C38 24 46 26 46 32C50 31 53 34 52 38Z"),
    bowl(),
  ],
  snack: () => [
    path("biscuit", "M8 32C12 20 28 16 40 24L54 16C56 24 56 40 54 48L40 40C28 48 12 44 8 32Z"),
    oval("ink", 18, 29, 2),
    path("crumb", "M27 26C30 30 30 34 27 38M36 27C38 30 38 34 36 37"),
  ],
  dinner: () => [
    steam(),
    plate(),
    path("stew", "M13 44C13 34 20 26 32 26C44 26 51 34 51 44C46 48 18 48 13 44Z"),
    path("leaf", "M32 27C28 24 27 20 29 17C33 18 35 22 32 27Z"),
    path("crumb", "M22 38L25 36M34 34L38 36M40 41L43 40M28 43L31 42"),
  ],
  tuna: () => [
    path("fish", "M18 22C22 14 34 12 42 18L50 12C51 17 51 25 50 30L42 25C38 30 26 31 18 22Z"),
    oval("ink", 25, 20, 1.8),
    path("tin", "M10 34C10 30 20 28 32 28C44 28 54 30 54 34L54 50C54 55 44 58 32 58C20 58 10 55 10 50Z"),
    path("label", "M10 39C16 43 48 43 54 39L54 48C48 52 16 52 10 48Z"),
    path("thin", "M10 34C14 39 50 39 54 34"),
  ],
  bone: () => [
    path("bone", "M16 38C8 36 5 45 12 48C12 56 22 56 23 48L44 27C52 27 54 18 47 15C46 7 36 8 36 16Z"),
    path("crumb", "M22 40L25 37M38 24L40 22"),
  ],
  feast: () => [
    steam(),
    plate(),
    path(
      "roast",
      "M12 44C8 32 18 22 32 23C42 24 46 30 47 36L54 30C58 28 60 33 57 35C60 37 58 41 54 39L46 43C40 48 18 49 12 44Z",
    ),
    path("glaze", "M20 34C22 30 26 28 31 28M18 40L18.1 40"),
    path("leaf", "M20 46C14 46 11 43 11 40C16 39 20 41 20 46ZM44 46C50 47 53 45 54 42C49 40 45 42 44 46Z"),
    oval("berry", 25, 46, 3),
    oval("berry", 38, 46, 3),
  ],
};

/** The drawing of a food; a bowl for one that this version of Dayly does not know. @param {string} id */
export const foodShapes = (id) => FOODS[Object.hasOwn(FOODS, id) ? id : "kibble"]?.() ?? [];
