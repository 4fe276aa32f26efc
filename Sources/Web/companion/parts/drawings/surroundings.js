/** Draws where the animals are: the day's cat on its windowsill, the pet in its room, a memory in its frame. */

import { group, moved, oval, path, shape } from "./shapes.js";

/** @typedef {"morning" | "afternoon" | "evening" | "night"} Hours */

const PANE = "M-14 96C-14 8 42 -24 120 -24C198 -24 254 8 254 96L254 226L-14 226Z";

/** @param {Hours} hours */
const sky = (hours) =>
  hours === "night"
    ? group(
      "",
      path(
        "moon",
        "M200 18C188 22 182 34 186 46C190 58 202 64 214 60C206 70 190 72 178 64C164 54 162 34 174 22C181 15 191 13 200 18Z",
      ),
      path(
        "star",
        "M40 30L40 36M37 33L43 33M70 2L70 7M67.5 4.5L72.5 4.5M22 76L22 81M19.5 78.5L24.5 78.5M150 -8L150 -3M147.5 -5.5L152.5 -5.5M226 96L226 101M223.5 98.5L228.5 98.5",
      ),
    )
    : group(
      "",
      oval(
        "sun",
        ...(/** @type {Record<string, [number, number, number]>} */ ({
          morning: [24, 78, 20],
          afternoon: [192, 20, 20],
          evening: [224, 116, 22],
        })[hours] ?? [192, 20, 20]),
      ),
      path("cloud drift", "M18 40C14 40 10 36 12 31C14 26 21 26 23 29C26 22 37 23 38 31C44 29 49 36 44 40Z"),
      path(
        "cloud drift slow",
        "M196 72C192 72 189 68 191 64C193 60 199 60 201 63C204 57 213 58 214 65C219 64 223 69 219 72Z",
      ),
    );

const plant = () =>
  group(
    "plant",
    path("stem", "M18 196C16 176 6 166 -2 160M18 196C20 172 28 160 36 154M18 196C18 176 16 156 16 140"),
    path(
      "leaf",
      "M-2 160C-12 158 -16 148 -14 142C-4 144 0 152 -2 160ZM36 154C34 144 40 136 48 134C50 144 46 152 36 154ZM16 140C10 132 12 122 17 117C23 124 22 134 16 140Z",
    ),
    path("pot", "M2 194L34 194L30 224C30 227 28 228 26 228L10 228C8 228 6 227 6 224Z"),
    path("pot", "M-1 190C-1 187 1 186 3 186L33 186C35 186 37 187 37 190L37 196L-1 196Z"),
  );

/** The window of the day, above the sill on which the cat sits. @param {Hours} hours */
export const behindCat = (hours) =>
  group(
    `window ${hours}`,
    path("sky", PANE),
    shape("clipPath", { id: "pane" }, [path("", PANE)]),
    shape("g", { "clip-path": "url(#pane)" }, [
      sky(hours),
      path("hill far", "M-20 182C30 150 70 168 110 160C160 150 200 140 260 166L260 230L-20 230Z"),
      path("hill", "M-20 206C40 182 90 196 130 200C180 204 220 186 260 196L260 230L-20 230Z"),
    ]),
    path("jamb", PANE),
    path("panes", "M120 -24L120 226M-14 92L254 92"),
    path(
      "sill",
      "M-34 226L274 226C278 226 280 228 280 232L280 240C280 243 278 245 274 245L-34 245C-38 245 -40 243 -40 240L-40 232C-40 228 -38 226 -34 226Z",
    ),
    plant(),
  );

export const cushion = () =>
  group(
    "",
    path(
      "cushion",
      "M52 226C46 216 54 208 66 210C100 204 140 204 174 210C186 208 194 216 188 226C194 236 186 242 174 240C140 244 100 244 66 240C54 242 46 236 52 226Z",
    ),
  );

/** @param {number} full how full the bowl is, from 0 to 1 */
export const bowl = (full) =>
  group(
    "bowl",
    full > 0 &&
      moved(
        `translate(0 ${6 * (1 - full)})`,
        path("kibbles", "M202 216C204 206 214 204 218 208C222 202 232 204 234 208C240 205 248 209 248 216Z"),
      ),
    path("dish", "M196 214L254 214L248 232C247 235 245 236 242 236L208 236C205 236 203 235 202 232Z"),
    path(
      "thin",
      "M225 221C221 217 216 220 218 224C219 227 225 230 225 230C225 230 231 227 232 224C234 220 229 217 225 221Z",
    ),
  );

/** The room of the pet. */
export const behindPet = () =>
  group(
    "room",
    path("wall", "M-16 226C-30 120 -24 20 40 -8C90 -28 160 -28 204 -6C262 22 270 120 254 226Z"),
    path("picture", "M-2 44L38 42L40 84L0 86Z"),
    path("inside", "M5 51L32 49.5L33.5 77L7 78.5Z"),
    path("leaf", "M19 72C12 68 10 60 12 56C18 58 21 64 19 72ZM19 72C18 64 22 58 27 57C29 63 26 70 19 72Z"),
    path("bunting", "M150 -14C176 4 214 22 250 24"),
    path("flag one", "M160 -7L176 1L163 12Z"),
    path("flag two", "M184 6L202 13L188 25Z"),
    path("flag three", "M211 16L230 20L217 34Z"),
    path(
      "floor",
      "M-24 230C-24 220 40 216 120 216C200 216 264 220 264 230C264 242 200 250 120 250C40 250 -24 242 -24 230Z",
    ),
    oval("shadow", 120, 228, 74, 10),
  );

/** Flowers beside a memory. */
export const behindMemory = () =>
  group(
    "memory",
    oval("oval", 120, 112, 112, 128),
    path(
      "stem",
      "M26 238C20 214 22 198 30 184M214 238C220 214 218 198 210 184M34 238C36 222 42 210 52 204M206 238C204 222 198 210 188 204",
    ),
    path(
      "leaf",
      "M24 216C14 214 10 206 12 200C20 202 25 208 24 216ZM216 216C226 214 230 206 228 200C220 202 215 208 216 216Z",
    ),
    oval("bloom", 30, 182, 7),
    oval("bloom", 210, 182, 7),
    oval("bloom small", 53, 202, 5),
    oval("bloom small", 187, 202, 5),
  );
