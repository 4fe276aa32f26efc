/** Shapes of the drawings, as plain data. The element of `animal.js` makes SVG of them. */

/** @typedef {{tag: string, set: Record<string, string | number>, kids: Shape[]}} Shape */
/** @typedef {Shape | null | false | undefined} MaybeShape */

/** @param {string} tag @param {Record<string, string | number>} set @param {MaybeShape[]} [kids] @returns {Shape} */
export const shape = (tag, set, kids = []) => ({
  tag,
  set,
  kids: /** @type {Shape[]} */ (kids.filter(Boolean)),
});

/** @param {string} kind @param {...MaybeShape} kids */
export const group = (kind, ...kids) => shape("g", { class: kind }, kids);

/** @param {string} kind @param {string} d */
export const path = (kind, d) => shape("path", { class: kind, d });

/** @param {string} kind @param {number} cx @param {number} cy @param {number} rx @param {number} [ry] */
export const oval = (kind, cx, cy, rx, ry = rx) => shape("ellipse", { class: kind, cx, cy, rx, ry });

/** @param {string} transform @param {...MaybeShape} kids */
export const moved = (transform, ...kids) => shape("g", { transform }, kids);

/** The same on the other side of a drawing whose middle is at 120. @param {...MaybeShape} kids */
export const mirrored = (...kids) => moved("matrix(-1 0 0 1 240 0)", ...kids);

/** A limb: a thick line with an edge. @param {string} kind @param {string} d */
export const limb = (kind, d) => group(kind, path("limb-edge", d), path("limb", d));

/** Makes SVG elements of a shape. @param {Shape} one @returns {SVGElement} */
export function drawn({ tag, set, kids }) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(set)) element.setAttribute(name, String(value));
  element.append(...kids.map(drawn));
  return element;
}
