/** The characters that people mean, whatever their keyboard, their clipboard or their address book made of them. */

const ZERO = /\p{Nd}/u;

/** The value of a decimal digit of any script: in Unicode the ten of a script follow each other. @param {string} digit */
function value(digit) {
  const code = /** @type {number} */ (digit.codePointAt(0));
  let first = code;
  while (ZERO.test(String.fromCodePoint(first - 1))) first -= 1;
  return `${(code - first) % 10}`;
}

/** A text in plain letters and ASCII digits, with one kind of dash, and without what nobody sees. @param {string} text */
export const plain = (text) =>
  text.normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u20e3]/gu, "")
    .replace(/[\p{Pd}\u2212\u30fc]/gu, "-")
    .replace(/\p{Nd}/gu, value)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\S\n\t]/g, " ");
