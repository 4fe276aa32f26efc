/** The pictures of the animals and their things, ready for <day-animal>. */

import { html } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { delighted, lookOfDay, lookOfPet, stroked } from "../../store/looks.js";
import "./animal.js";
import { blanketCat, boxedCat, ghostCat, sittingCat } from "./cat.js";
import { foodShapes } from "../foods.js";
import { pictureOf } from "./outfit.js";
import { petShape } from "./pets.js";
import { behindCat, behindMemory, behindPet, bowl, cushion } from "./surroundings.js";
import { healthWords, stateWords } from "../words.js";

/** @import { CompanionDay, CompanionMemorial, CompanionPet } from "../../../api/api.d.ts" */
/** @import { Picture } from "./animal.js" */
/** @import { MaybeShape } from "./shapes.js" */
/** @import { Hours } from "./surroundings.js" */
/** @import { Face, Pose } from "../../store/looks.js" */

const SCENE = "-44 -34 328 286";

/** @type {Record<Pose, (face: Face) => MaybeShape>} */
const POSES = { sit: sittingCat, box: boxedCat, blanket: blanketCat, ghost: ghostCat };

/** @param {Picture} picture @param {string} [kind] */
const animal = (picture, kind = "") =>
  html`<day-animal class=${`animal ${kind}`} .picture=${picture}></day-animal>`;

/** The day's cat on its windowsill. @param {CompanionDay} day @param {Hours} hours @param {{canStroke?: boolean}} [options] */
export function catOf(day, hours, { canStroke = true } = {}) {
  const look = lookOfDay(day);
  return animal({
    key: JSON.stringify([look, hours]),
    frame: SCENE,
    colour: look.colour,
    state: day.state,
    label: t("companion.catLabel", { state: stateWords(day) }),
    ...(canStroke ? { stroke: t("companion.strokeCat") } : {}),
    draw: (isGlad) => {
      const { pose, face } = isGlad ? stroked(look) : look;
      return [behindCat(hours), pose !== "box" && cushion(), POSES[pose](face)];
    },
  });
}

/** The pet in its room. @param {CompanionPet} pet @param {{kind?: string, canStroke?: boolean}} [options] */
export function petIn(pet, { kind = "", canStroke = true } = {}) {
  const look = lookOfPet(pet), full = pet.fed_today ? 1 : Math.min(0.8, pet.fed_energy / 100);
  return animal({
    key: JSON.stringify([look, full]),
    frame: SCENE,
    label: canStroke ? healthWords(pet) : "",
    ...(canStroke ? { stroke: t("companion.strokePet", { name: pet.name }) } : {}),
    draw: (isGlad) => [behindPet(), petShape(isGlad ? delighted(look) : look), !look.isGhost && bowl(full)],
  }, kind);
}

/** A kind of pet, before it has a name. @param {"cat" | "dog"} species */
export function youngOf(species) {
  const look = {
    ...lookOfPet({ id: "", species, stage: "baby", outfit: [], health: "healthy", mood: 5 }),
    coat: species === "cat" ? 2 : 0,
  };
  return animal({
    key: species,
    frame: "40 40 160 192",
    label: "",
    draw: () => [petShape(look)],
  }, "young");
}

/** @param {CompanionMemorial} memorial */
export const memoryOf = (memorial) =>
  animal({
    key: memorial.id,
    frame: "-4 -30 248 282",
    label: "",
    draw: () => [behindMemory(), petShape(lookOfPet(memorial))],
  }, "memory-picture");

/** @param {string} id of a food */
export const foodPicture = (id) =>
  animal({ key: id, frame: "0 0 64 64", label: "", draw: () => foodShapes(id) }, "thing");

/** @param {string} id of a cosmetic */
export function thingPicture(id) {
  const { frame, shape } = pictureOf(id);
  return animal({ key: id, frame, label: "", draw: () => [shape] }, "thing");
}

/** Lets the animal of a screen be glad. @param {HTMLElement} screen @param {string} [food] what it eats */
export const rejoice = (screen, food) => {
  const found =
    /** @type {import("./animal.js").DayAnimal | null} */ (screen.querySelector("day-animal.room"));
  found?.rejoice(food ? foodShapes(food) : []);
};

/** The cat that greets somebody who is new. @param {Hours} hours */
export const helloCat = (hours) => {
  const look = lookOfDay({ hp: 100, state: "healthy", tone: "playful", colour: "green" });
  return animal({
    key: `hello ${hours}`,
    frame: SCENE,
    colour: "green",
    state: "healthy",
    label: t("companion.catLabel", { state: t("companion.state.playful") }),
    stroke: t("companion.strokeCat"),
    draw: (isGlad) => [behindCat(hours), boxedCat((isGlad ? stroked(look) : look).face)],
  });
};
