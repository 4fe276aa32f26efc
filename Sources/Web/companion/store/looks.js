/** Chooses how the animals look: pose, eyes, mouth and ears follow from the figures of the service. */

/**
 * @typedef {"bright" | "wide" | "happy" | "half" | "heavy" | "asleep" | "wink"} Eyes
 * @typedef {"smile" | "open" | "flat" | "wavy" | "low" | "yawn"} Mouth
 * @typedef {"up" | "side" | "down"} Ears
 * @typedef {object} Face
 * @property {Eyes} eyes
 * @property {Mouth} mouth
 * @property {Ears} ears
 * @property {number} worry how far the brows rise; 0 without brows
 * @property {number} slump how far the head hangs
 * @typedef {"sit" | "box" | "blanket" | "ghost"} Pose
 * @typedef {"healthy" | "concerned" | "tired" | "weak" | "dead"} State
 * @typedef {"green" | "orange" | "red"} Colour
 * @typedef {{ pose: Pose, face: Face, colour: Colour }} DayLook
 * @typedef {"baby" | "young" | "adult" | "elder"} Stage
 * @typedef {"cat" | "dog"} Species
 * @typedef {{ species: Species, stage: Stage, coat: number, face: Face, isSick: boolean, isGhost: boolean, outfit: string[] }} PetLook
 */

/** @param {Partial<Face>} [face] @returns {Face} */
const face = (face = {}) => ({ eyes: "bright", mouth: "smile", ears: "up", worry: 0, slump: 0, ...face });

/** A state of later versions looks as the colour says. @param {string} colour @returns {Colour} */
const colourOf = (colour) => colour === "orange" || colour === "red" ? colour : "green";

/** @type {Record<Colour, State>} */
const STATES = { green: "healthy", orange: "concerned", red: "weak" };

/**
 * The day's cat.
 * @param {{ hp: number, state: string, tone: string | null, colour: string }} day
 * @returns {DayLook}
 */
export function lookOfDay({ hp, state, tone, colour: named }) {
  const colour = colourOf(named);
  switch (Object.hasOwn(LOOKS, state) ? state : STATES[colour]) {
    case "concerned":
      return { pose: "sit", colour, face: LOOKS.concerned };
    case "tired":
      return { pose: "sit", colour, face: LOOKS.tired };
    case "weak":
      return { pose: "blanket", colour, face: hp > 10 ? LOOKS.weak : { ...LOOKS.weak, eyes: "asleep" } };
    case "dead":
      return { pose: "ghost", colour, face: LOOKS.dead };
    default:
      return { pose: tone === "playful" ? "box" : "sit", colour, face: LOOKS.healthy };
  }
}

/** @type {Record<State, Face>} */
const LOOKS = {
  healthy: face(),
  concerned: face({ eyes: "wide", mouth: "wavy", ears: "side", worry: 4, slump: 3 }),
  tired: face({ eyes: "half", mouth: "yawn", ears: "side", slump: 12 }),
  weak: face({ eyes: "heavy", mouth: "flat", ears: "down" }),
  dead: face({ eyes: "asleep", ears: "down" }),
};

/** How many coats there are of each species. */
export const COATS = 4;

/**
 * A pet's coat follows from its id, so that it is the same everywhere.
 * @param {string} id
 */
export function coatOf(id) {
  let sum = 0;
  for (const letter of id) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x9e3779b1);
  return (sum >>> 8) % COATS;
}

/** @param {number} mood from 0 to 10 @returns {Face} */
function faceOfMood(mood) {
  if (mood >= 9) return face({ eyes: "happy", mouth: "open" });
  if (mood >= 6) return face({ mouth: "open" });
  if (mood >= 3) return face();
  return face({ mouth: "low", ears: "side", worry: mood === 0 ? 4 : 0, slump: 4 });
}

const SICK = face({ eyes: "heavy", mouth: "wavy", ears: "down", slump: 8 });
const GHOST = face({ eyes: "asleep", ears: "up" });

/** @param {string} stage @returns {Stage} */
const stageOf = (stage) => stage === "young" || stage === "adult" || stage === "elder" ? stage : "baby";

/**
 * A pet, also one of the memorial: it has no health and no mood any more.
 * @param {{ id: string, species: string, stage: string, outfit: string[], health?: string, mood?: number }} pet
 * @returns {PetLook}
 */
export function lookOfPet({ id, species, stage, outfit, health = "dead", mood = 0 }) {
  const isGhost = health === "dead", isSick = health === "sick";
  return {
    species: species === "dog" ? "dog" : "cat",
    stage: stageOf(stage),
    coat: coatOf(id),
    face: isGhost ? GHOST : isSick ? SICK : faceOfMood(mood),
    isSick,
    isGhost,
    outfit,
  };
}

/** For a moment a pet that is glad shows it, whatever its mood. @param {PetLook} look @returns {PetLook} */
export const delighted = (look) =>
  look.isGhost
    ? look
    : { ...look, face: { ...look.face, eyes: "happy", mouth: "open", ears: "up", worry: 0 } };

/** @param {DayLook} look @returns {DayLook} */
export const stroked = (look) =>
  look.pose === "ghost"
    ? look
    : { ...look, face: { ...look.face, eyes: "happy", mouth: "smile", ears: "up", worry: 0 } };
