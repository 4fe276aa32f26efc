/** Draws cats: their head, and the poses in which they sit, peek out of a box, lie under a blanket and sleep. */

import { bothEyes, brows, mouth } from "./faces.js";
import { group, limb, mirrored, moved, oval, path } from "./shapes.js";

/** @import { MaybeShape, Shape } from "./shapes.js" */
/** @import { Face } from "../../store/looks.js" */

const HEAD =
  "M120 50C150 50 174 66 177 94C178 101 181 106 187 110C183 113 179 115 175 116C177 121 180 124 184 127C175 131 168 132 163 132C152 142 137 147 120 147C103 147 88 142 77 132C72 132 65 131 56 127C60 124 63 121 65 116C61 115 57 113 53 110C59 106 62 101 63 94C66 66 90 50 120 50Z";

const ear = () =>
  group(
    "ear",
    path("coat", "M70 92C64 66 63 44 69 32C71 28 75 27 79 30C93 38 105 48 112 62"),
    path("pink", "M78 74C74 60 74 48 76 42C84 47 91 53 96 61C88 64 82 68 78 74Z"),
  );

/** @param {string} ears */
const bothEars = (ears) => group(`ears ${ears}`, ear(), mirrored(ear()));

const whiskers = () =>
  path(
    "whisker",
    "M76 112C66 109 56 108 46 109M77 119C67 119 58 121 49 125M164 112C174 109 184 108 194 109M163 119C173 119 182 121 191 125",
  );

const stripes = () => path("mark", "M120 53L120 68M106 56C107 61 108 65 110 70M134 56C133 61 132 65 130 70");

/** @param {Face} face @param {MaybeShape} [worn] */
export const catHead = (face, worn) =>
  group(
    "head",
    bothEars(face.ears),
    path("coat", HEAD),
    stripes(),
    path("mark", "M66 98C71 98 75 99 79 101M174 98C169 98 165 99 161 101"),
    path(
      "pale",
      "M120 106C132 104 146 112 146 125C146 136 134 142 120 142C106 142 94 136 94 125C94 112 108 104 120 106Z",
    ),
    oval("blush", 82, 120, 9, 6),
    oval("blush", 158, 120, 9, 6),
    bothEyes(face.eyes, [97, 100]),
    face.worry > 0 && brows([97, 82], face.worry),
    path("nose", "M113 114C116 112 124 112 127 114C127 118 123 121 120 122C117 121 113 118 113 114Z"),
    mouth(face.mouth, 120),
    whiskers(),
    worn,
  );

export const catTail = () => limb("tail", "M160 214C190 218 212 204 210 178C209 162 196 156 188 166");

const paw = () =>
  group(
    "",
    path(
      "coat",
      "M104 172C102 190 102 206 101 214C94 216 92 222 94 226C96 230 117 230 119 226C120 210 119 190 119 176",
    ),
    path("thin", "M102 221L102 226M110 221L110 226"),
  );

/** The body of a sitting cat, without head and tail. @param {MaybeShape} [worn] around the neck */
export const catBody = (worn) =>
  group(
    "body",
    path(
      "coat",
      "M94 136C78 154 68 182 68 206C68 222 78 228 98 228L142 228C162 228 172 222 172 206C172 182 162 154 146 136Z",
    ),
    path(
      "mark",
      "M72 190C79 190 84 191 88 194M75 174C81 174 86 176 90 179M168 190C161 190 156 191 152 194M165 174C159 174 154 176 150 179",
    ),
    path("pale", "M102 142C98 166 106 186 120 192C134 186 142 166 138 142Z"),
    paw(),
    mirrored(paw()),
    worn,
  );

export const collar = () =>
  group(
    "collar",
    path("band", "M90 142C104 157 136 157 150 142"),
    oval("bell", 120, 159, 7),
    path("thin", "M120 159L120 163M114 158L126 158"),
  );

/** @param {Face} face */
export const sittingCat = (face) =>
  group("pose", catTail(), catBody(collar()), moved(`translate(0 ${face.slump})`, catHead(face)));

/** @param {Face} face */
export const boxedCat = (face) =>
  group(
    "pose",
    limb("tail high", "M176 196C196 176 206 150 198 124C194 112 182 114 184 126"),
    path("box dark", "M52 168L188 168L180 186L60 186Z"),
    moved("translate(0 30)", catHead(face)),
    path("box", "M52 170L188 170L180 226C180 228 178 229 176 229L64 229C62 229 60 228 60 226Z"),
    path("box flap", "M52 170L30 186L56 196Z"),
    path("box flap", "M188 170L210 186L184 196Z"),
    path("thin", "M112 170L112 186M128 170L128 186"),
    path("coat", "M84 164C84 158 106 158 106 164L106 178C106 186 84 186 84 178Z"),
    path("coat", "M134 164C134 158 156 158 156 164L156 178C156 186 134 186 134 178Z"),
    path("thin", "M92 178L92 183M99 178L99 183M142 178L142 183M149 178L149 183"),
    path(
      "thin",
      "M138 206C138 202 144 202 144 206C144 202 150 202 150 206C150 211 144 214 144 214C144 214 138 211 138 206Z",
    ),
  );

/** @param {Face} face */
export const blanketCat = (face) =>
  group(
    "pose",
    limb("tail", "M168 216C192 220 214 216 214 202C214 194 204 192 200 198"),
    group(
      "body",
      path("coat", "M50 222C46 178 76 154 120 154C164 154 194 178 190 222C186 229 54 229 50 222Z"),
    ),
    moved("translate(0 62)", catHead(face)),
    group(
      "body",
      path(
        "blanket",
        "M40 226C36 204 50 186 66 182C76 196 96 206 120 206C144 206 164 196 174 182C190 186 204 204 200 226C196 232 44 232 40 226Z",
      ),
      path(
        "stitch",
        "M52 218C52 206 58 198 66 194M188 218C188 206 182 198 174 194M84 206C100 216 140 216 156 206",
      ),
    ),
  );

/** @returns {Shape} */
const dreams = () =>
  group(
    "dreams",
    path("dream", "M132 118L143 118L132 131L143 131"),
    path("dream", "M152 88L166 88L152 105L166 105"),
    path("dream", "M134 50L153 50L134 73L153 73"),
  );

/** Asleep until tomorrow, as light as a ghost. @param {Face} face */
export const ghostCat = (face) =>
  group(
    "pose ghost",
    group(
      "body",
      path(
        "coat",
        "M62 206C58 164 92 140 134 142C180 144 206 172 202 202C200 220 176 226 130 226C86 226 64 222 62 206Z",
      ),
      path("mark", "M138 144L136 158M156 148L152 161M174 157L168 168"),
      moved("translate(-18 88) rotate(-6 120 120) scale(0.86)", catHead(face)),
      limb("tail still", "M190 196C186 212 164 217 146 213"),
    ),
    oval("halo", 84, 116, 25, 7),
    dreams(),
  );
