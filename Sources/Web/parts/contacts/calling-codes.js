/** Shows phone numbers. */

// E.164: codes of one and of two digits; all others have three.
const CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** A number in E.164 with spaces, in the direction of its digits. @param {string} number */
export function spaced(number) {
  const digits = number.slice(1);
  const code = CODE.exec(digits)?.[0] ?? "";
  const rest = digits.slice(code.length);
  const groups = code === "33"
    ? rest.replace(/^(\d)|(\d\d)/g, "$1$2\u00a0")
    : rest.replace(/(\d{3})(?=\d{3})/g, "$1\u00a0");
  return `\u2066+${code}\u00a0${groups.trim()}\u2069`;
}

/** What stands in a field for a number: the same digits in plain spaces. @param {string} number */
export const typedForm = (number) => spaced(number).replace(/[^+\d\s]/g, "").replace(/\s/g, " ");
