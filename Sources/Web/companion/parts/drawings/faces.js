/** Eyes, mouths and brows. A cat and a dog share them; only their places differ. */

import { group, moved, oval, path } from "./shapes.js";

/** @import { MaybeShape } from "./shapes.js" */
/** @import { Eyes, Mouth } from "../../store/looks.js" */

/** An arc, as of an eye that smiles or sleeps. @param {number} x @param {number} y @param {number} rise */
const arc = (x, y, rise) =>
  path("line", `M${x - 10} ${y}C${x - 6} ${y - rise} ${x + 6} ${y - rise} ${x + 10} ${y}`);

/** @param {number} x @param {number} y @param {number} [size] */
const open = (x, y, size = 1) =>
  group(
    "pupil",
    oval("ink", x, y, 9 * size, 11 * size),
    oval("light", x + 3 * size, y - 4.5 * size, 3.4 * size, 3.8 * size),
    oval("light", x - 3.4 * size, y + 4.6 * size, 1.6 * size),
  );

/**
 * A lid in the colour of the coat. It falls outwards: tired, and not angry.
 * @param {number} x
 * @param {number} y
 * @param {-1 | 1} side
 */
function lid(x, y, side) {
  const inner = x - 12 * side, outer = x + 12 * side;
  const edge = `${inner} ${y - 4}C${x - 5 * side} ${y - 2} ${x + 5 * side} ${y + 1} ${outer} ${y + 6}`;
  return group(
    "",
    path("fur", `M${inner} ${y - 14}L${edge}L${outer} ${y - 14}Z`),
    path("line", `M${edge}`),
  );
}

/** @type {Record<Eyes, (x: number, y: number, side: -1 | 1) => MaybeShape[]>} */
const eyes = {
  bright: (x, y) => [open(x, y)],
  wide: (x, y) => [open(x, y, 1.14)],
  happy: (x, y) => [arc(x, y + 4, 14)],
  half: (x, y, side) => [open(x, y + 1), lid(x, y, side)],
  heavy: (x, y, side) => [open(x, y + 1), lid(x, y + 5, side)],
  asleep: (x, y) => [arc(x, y, -9)],
  wink: (x, y, side) => side < 0 ? [open(x, y)] : [arc(x, y + 4, 14)],
};

/** @param {Eyes} kind @param {[number, number]} place of the left one @returns {MaybeShape} */
export const bothEyes = (kind, [x, y]) =>
  group(`eyes ${kind}`, ...eyes[kind](x, y, -1), ...eyes[kind](240 - x, y, 1));

/** Brows that ask. @param {[number, number]} place @param {number} tilt above 0 they are worried */
export const brows = ([x, y], tilt) =>
  group(
    "",
    path("line", `M${x - 9} ${y + tilt}C${x - 4} ${y - 2} ${x + 2} ${y - 3} ${x + 7} ${y - 4}`),
    path("line", `M${249 - x} ${y + tilt}C${244 - x} ${y - 2} ${238 - x} ${y - 3} ${233 - x} ${y - 4}`),
  );

/** @type {Record<Mouth, (y: number) => MaybeShape[]>} */
const mouths = {
  smile: (
    y,
  ) => [
    path(
      "line",
      `M103 ${y + 4}C105 ${y + 12} 117 ${y + 12} 120 ${y + 2}C123 ${y + 12} 135 ${y + 12} 137 ${y + 4}`,
    ),
  ],
  open: (y) => [
    path(
      "mouth",
      `M106 ${y + 6}C112 ${y + 9} 128 ${y + 9} 134 ${y + 6}C134 ${y + 20} 128 ${y + 26} 120 ${y + 26}C112 ${
        y + 26
      } 106 ${y + 20} 106 ${y + 6}Z`,
    ),
    path(
      "tongue",
      `M112 ${y + 21}C115 ${y + 15} 125 ${y + 15} 128 ${y + 21}C125 ${y + 25} 115 ${y + 25} 112 ${y + 21}Z`,
    ),
    path(
      "line",
      `M103 ${y + 4}C105 ${y + 10} 117 ${y + 10} 120 ${y + 2}C123 ${y + 10} 135 ${y + 10} 137 ${y + 4}`,
    ),
  ],
  flat: (
    y,
  ) => [path("line", `M111 ${y + 9}C115 ${y + 7} 125 ${y + 7} 129 ${y + 9}M120 ${y + 1}L120 ${y + 7}`)],
  wavy: (
    y,
  ) => [
    path(
      "line",
      `M107 ${y + 10}C110 ${y + 5} 114 ${y + 5} 117 ${y + 9}C120 ${y + 12} 124 ${y + 11} 126 ${y + 8}C128 ${
        y + 5
      } 131 ${y + 6} 133 ${y + 9}`,
    ),
  ],
  low: (y) => [path("line", `M108 ${y + 12}C112 ${y + 5} 128 ${y + 5} 132 ${y + 12}`)],
  yawn: (
    y,
  ) => [
    moved(`translate(120 ${y + 12})`, group("yawn", oval("mouth", 0, 0, 7, 8), oval("tongue", 0, 4, 4, 3))),
  ],
};

/** @param {Mouth} kind @param {number} y @returns {MaybeShape} */
export const mouth = (kind, y) => group("", ...mouths[kind](y));
