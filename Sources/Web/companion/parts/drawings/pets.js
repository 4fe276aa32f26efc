/** Puts a pet together: its body by species and stage, its face, and what it wears. */

import { catBody, catHead, catTail } from "./cat.js";
import { dogBody, dogHead, dogTail } from "./dog.js";
import { wornBy } from "./outfit.js";
import { group, moved, oval, path } from "./shapes.js";

/** @import { PetLook, Stage } from "../../store/looks.js" */

// How large body and head are, and how far down the head moves to sit on the body.
/** @type {Record<Stage, { body: number, head: number }>} */
const SIZES = {
  baby: { body: 0.66, head: 0.86 },
  young: { body: 0.84, head: 0.94 },
  adult: { body: 1, head: 1 },
  elder: { body: 1.02, head: 0.98 },
};
const GROUND = 228, NECK = 146;

/** @param {number} size */
const around = (size, /** @type {number} */ y) =>
  `translate(${120 - 120 * size} ${y - y * size}) scale(${size})`;

/** Years show in the face. */
const years = () =>
  path("grey", "M80 84C84 79 90 77 96 78M160 84C156 79 150 77 144 78M103 134L99 138M137 134L141 138");

const thermometer = () =>
  group(
    "",
    path("limb-edge thinner", "M130 131L158 146"),
    path("tube", "M130 131L158 146"),
    path("mercury", "M130 131L146 139.5"),
  );

const wings = () =>
  path(
    "wing",
    "M74 170C52 154 36 160 34 176C42 174 44 178 44 184C52 182 58 186 72 192ZM166 170C188 154 204 160 206 176C198 174 196 178 196 184C188 182 182 186 168 192Z",
  );

/** @param {PetLook} look */
export function petShape({ species, stage, coat, face, isSick, isGhost, outfit }) {
  const isDog = species === "dog";
  const { body, head } = SIZES[stage];
  const worn = wornBy(outfit);
  const fall = (GROUND - NECK) * (1 - body) + face.slump;
  const inFace = group("", stage === "elder" && years(), isSick && thermometer(), ...worn.face, ...worn.head);
  return group(
    `pet coat-${coat} ${species} ${isGhost ? "ghost" : ""}`,
    ...worn.place,
    group(
      "pose",
      isGhost && wings(),
      moved(
        around(body, GROUND),
        isDog ? dogTail() : catTail(),
        (isDog ? dogBody : catBody)(group("", ...worn.neck, ...worn.other)),
      ),
      moved(`translate(0 ${fall})`, moved(around(head, NECK), (isDog ? dogHead : catHead)(face, inFace))),
      isGhost && moved(`translate(0 ${fall + (NECK - 40) * (1 - head)})`, oval("halo", 120, 22, 30, 8)),
    ),
  );
}
