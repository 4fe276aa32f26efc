/** Finds the numbers in what people type, paste or keep in their contacts: links, labels, extensions, lists. */

import { plain } from "../plain.js";
import { dialled, international } from "./reading.js";

/**
 * @typedef {import("./reading.js").Line} Line
 * @typedef {"short" | "long" | "code" | "unclear"} Fault
 * @typedef {{text: string, numbers: string[], fault: Fault | null, region: string, rank: number}} Found
 *   one piece of a text: the numbers that it can mean, or what is wrong with it, and for which country
 */

const EXTENSION =
  /(?:^|(?<=\d[ .)]*))(?:(?:;?ext(?:ension|n)?|x|int|anexo|poste|доб|durchwahl|dw)[ .:=#]*|#+ ?)\d{1,7}#?\s*$/iu;

/** Links and other wrappings whose characters would be taken for others. @param {string} text */
const unwrapped = (text) =>
  text.replace(/%2b/gi, "+").replace(/%20/g, " ").replace(/%(?:e2%80%|c2%a0)[\da-f]{0,2}/gi, "")
    .replace(/([\d().\- ]+);phone-context=(\+\d+)(?:;|$)/i, "$2$1")
    .replace(/(?:\bwa\.me\/|[?&]phone=)\+?(?=\d)/gi, " +")
    .replace(/;phone-context=[^;\s]*/gi, "");

/** @param {Line | null} line @returns {Fault | null} */
function faultOf(line) {
  if (!line) return "code";
  if (line.rank) return null;
  return Math.max(...(line.plans[0]?.lengths ?? [])) >= line.national.length ? "short" : "long";
}

/** @param {string} spelled one number, from its plus or first digit on @param {string} region @returns {Line[]} */
function linesOf(spelled, region) {
  const isInternational = /^[(\s]*\+/.test(spelled);
  const read = (/** @type {string} */ text) => {
    const digits = text.replace(/\D/g, "");
    if (!isInternational) return dialled(digits, region);
    const line = international(digits);
    return line ? [line] : [];
  };
  // The zero in brackets goes, unless it belongs to the number, as in Italy.
  const forms = [spelled.replace(/\( ?0 ?\)/g, ""), spelled].map(read);
  return forms.reduce((best, each) => (each[0]?.rank ?? -1) > (best[0]?.rank ?? -1) ? each : best);
}

/** @param {string} spelled @param {string} region @returns {Found} */
function found(spelled, region) {
  const lines = linesOf(spelled, region);
  const [line = null] = lines;
  const fault = faultOf(line);
  return {
    text: spelled.trim(),
    numbers: fault ? [] : lines.map(({ number }) => number),
    fault,
    region: line?.plans[0]?.region ?? "",
    rank: line?.rank ?? 0,
  };
}

/** The parts of a piece that letters and other signs divide. @param {string} piece */
function parts(piece) {
  const runs =
    piece.replace(EXTENSION, "").match(/[\d+()[\]\-./ ~·•∕⁄_'’‘`´]*\d[\d+()[\]\-./ ~·•∕⁄_'’‘`´]*/g) ?? [];
  // A plus begins another number, unless it follows a plus or a label's digits.
  return runs.flatMap((run) => run.split(/(?<=\d[^\d+]*)(?=\(?\+)/))
    .map((run) => run.replace(/^[^\d+(]+/, "").replace(/^\((?![^)]*\))/, ""));
}

/** Several numbers in one run, where only that can be read. @param {Found} whole @param {string} region @returns {Found[]} */
function divided(whole, region) {
  if (whole.rank > 2 || whole.fault === "short") return [whole];
  for (const divider of whole.rank > 1 ? [] : [/ *[/|•] */, / *\/ *| +- +| {2,}/, / +/]) {
    const each = whole.text.split(divider).map((text) => found(text, region));
    if (each.length > 1 && each.every(({ rank }) => rank > 1)) return each;
  }
  // A list's number, as in "1. 0171 1234567".
  const listed = /^\d{1,3}[.)]\s*(?=\S)/.exec(whole.text);
  const rest = listed ? found(whole.text.slice(listed[0].length), region) : whole;
  return [rest.rank > Math.max(whole.rank, 1) ? rest : whole];
}

/** @param {string} piece @param {string} region @returns {Found[]} */
function inPiece(piece, region) {
  // A service code, and a number that a spreadsheet has rounded.
  if (/\*\d|\d[eE]\+?\d/.test(piece)) {
    return [{ text: piece, numbers: [], fault: "unclear", region, rank: 0 }];
  }
  const all = parts(piece).flatMap((part) => divided(found(part, region), region));
  // What is left of labels such as "Mobile 2", beside a number, begins with no zero and a digit, which would be an area.
  const isLabel = (/** @type {Found} */ { text }) =>
    !/^\D*0\d/.test(text) && text.replace(/\D/g, "").length < 5;
  return all.some((each) => each.rank > 0 && !isLabel(each)) ? all.filter((each) => !isLabel(each)) : all;
}

/** All numbers of a text, each once. @param {string} text @param {string} region @returns {Found[]} */
export function numbersIn(text, region) {
  /** @type {Found[]} */
  const all = [];
  for (const piece of unwrapped(plain(text)).replace(/\t/g, "  ").split(/[,;\n]/)) {
    for (const each of inPiece(piece, region)) {
      // A phone's pause or wait has an extension behind it.
      const isExtension = all.at(-1)?.rank && /^\d{1,4}#?$/.test(piece.trim());
      const isTwin = each.numbers.length > 0 &&
        all.some(({ numbers }) => each.numbers.every((number) => numbers.includes(number)));
      if (!isExtension && !isTwin) all.push(each);
    }
  }
  return all;
}
