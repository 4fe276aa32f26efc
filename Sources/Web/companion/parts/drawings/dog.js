/** Draws dogs. */

import { bothEyes, brows, mouth } from "./faces.js";
import { group, limb, mirrored, oval, path } from "./shapes.js";

/** @import { MaybeShape } from "./shapes.js" */
/** @import { Face } from "../../store/looks.js" */

const HEAD = "M120 48C152 48 174 64 177 94C180 124 158 146 120 146C82 146 60 124 63 94C66 64 88 48 120 48Z";

const ear = () =>
  group(
    "ear",
    path("patch", "M80 58C62 52 48 62 46 82C44 102 48 120 58 124C70 127 76 106 84 88C89 77 90 64 80 58Z"),
  );

/** @param {string} ears */
const bothEars = (ears) => group(`ears floppy ${ears}`, ear(), mirrored(ear()));

/** @param {Face} face @param {MaybeShape} [worn] */
export const dogHead = (face, worn) =>
  group(
    "head",
    path("coat", HEAD),
    path("spot", "M128 76C136 60 158 62 168 80C174 94 168 112 154 113C138 114 122 92 128 76Z"),
    path(
      "pale",
      "M120 58C126 58 128 70 128 84C130 98 152 104 152 124C152 138 138 144 120 144C102 144 88 138 88 124C88 104 110 98 112 84C112 70 114 58 120 58Z",
    ),
    bothEars(face.ears),
    oval("blush", 78, 118, 8, 6),
    oval("blush", 162, 118, 8, 6),
    bothEyes(face.eyes, [97, 94]),
    face.worry > 0 && brows([97, 78], face.worry),
    mouth(face.mouth, 116),
    path("nose", "M108 106C112 101 128 101 132 106C134 112 127 119 120 119C113 119 106 112 108 106Z"),
    oval("shine", 115, 107, 3.4, 2),
    worn,
  );

export const dogTail = () => limb("tail wag", "M164 212C184 208 200 194 202 172");

const paw = () =>
  group(
    "",
    path(
      "coat",
      "M100 168C98 188 98 204 97 212C89 214 86 220 88 225C91 230 116 230 118 225C120 208 119 190 119 172",
    ),
    path("pale sock", "M97 213C89 215 87 220 89 225C92 229 115 229 117 225C118 220 118 217 118 213Z"),
    path("thin", "M97 220L97 226M106 220L106 226"),
  );

/** @param {MaybeShape} [worn] around the neck */
export const dogBody = (worn) =>
  group(
    "body",
    path(
      "coat",
      "M92 134C74 152 66 182 66 206C66 222 76 228 96 228L144 228C164 228 174 222 174 206C174 182 166 152 148 134Z",
    ),
    path("spot", "M170 186C158 176 148 186 150 200C152 212 164 216 172 212C174 202 172 194 170 186Z"),
    path("pale", "M100 140C96 164 104 186 120 194C136 186 144 164 140 140Z"),
    paw(),
    mirrored(paw()),
    worn,
  );
