/** Gives the calling code of each region and reads and shows phone numbers. The service decides which are valid. */

import { known } from "../app/translate.js";

// Each word is a code and the regions of it and of the codes that follow; "--" is a code without a region.
const RUNS = `
1US 7RU 20EG 27ZA----GRNLBEFRES--HU----ITROCH--ATGBDKSENOPLDE--PEMXCUARBRCLCOVE--MYAUIDPHNZSGTH
81JPKR--VN--CN 90TRINPKAFLKMM----IR
211SSMADZ----TN--LY--GMSNMRMLGNCIBFNETGBJMULRSLGHNGTDCFCMCVSTGQGACGCDAOGWIOACSCSDRWETSODJKETZUGBIMZ--ZMMGREZWNAMWLSBWSZKM
290SHER 297AWFOGL 350GIPTLUIEISALMTCYFIBG 370LTLVEEMDAMBYADMCSM--UARSMEXK--HRSIBA--MK 420CZSK--LI
500FKBZGTSVHNNICRPAPMHT 590GPBOGYECGFPYMQSRUYCW 670TL----BNNRPGTOSBVUFJPWWFCKNU--WSKINCTVPFTKFMMH
850KP--HKMO--KHLA 880BD 886TW 960MVLBJOSYIQKWSAYEOM--PSAEILBHQABTMNNP 992TJTMAZGEKG--UZ 1242BS 1246BB
1264AI 1268AG 1284VG 1340VI 1345KY 1441BM 1473GD 1649TC 1664MS 1670MPGU 1684AS 1721SX 1758LC 1767DM
1784VC----PR 1809DO 1868TTKN 1876JM 1CA 7KZ 39VA 44GG 44IM 44JE 47SJ 262YT 358AX 590BL 590MF 599BQ`;

/** @type {Map<string, string>} */
export const codes = new Map();
for (const [, first, regions = ""] of RUNS.matchAll(/(\d+)(\S+)/g)) {
  for (let at = 0; at < regions.length; at += 2) {
    codes.set(regions.slice(at, at + 2), `${Number(first) + at / 2}`);
  }
}
// "--" holds the place of a code that no region has.
codes.delete("--");
const longest = [...codes.values()].sort((a, b) => b.length - a.length);

/** The digits before a national number that are left out behind a calling code: 0 nearly everywhere. */
const trunks = /** @type {Record<string, string>} */ ({
  HU: "06",
  RU: "8",
  KZ: "8",
  BY: "8",
  BJ: "",
  CG: "",
  CI: "",
  GA: "",
  IT: "",
  SM: "",
  VA: "",
});

/** The regions with their names in the person's language, in its order. @param {string} language */
export function countries(language) {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const order = new Intl.Collator(language);
  return [...codes].map(([region, code]) => ({ region, code, name: names.of(region) ?? region }))
    .sort((a, b) => order.compare(a.name, b.name));
}

/** The region of the browser's first language that has one. */
export function homeRegion(languages = navigator.languages) {
  for (const tag of known(languages)) {
    const region = new Intl.Locale(tag).maximize().region;
    if (region && codes.has(region)) return region;
  }
  return "US";
}

/** A number in E.164 as a person may have typed it: with +, with 00, or as it is dialled at home. @param {string} text @param {string} region */
export function international(text, region) {
  const digits = text.replace(/\(0\)/g, "").replace(/\D/g, "");
  if (text.trim().startsWith("+")) return `+${digits}`;
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  const trunk = trunks[region] ?? "0";
  return `+${codes.get(region)}${trunk && digits.startsWith(trunk) ? digits.slice(trunk.length) : digits}`;
}

/** What was typed for a region, with spaces, unless that would make it another number. @param {string} text @param {string} region */
export function tidied(text, region) {
  const number = international(text, region);
  const shown = spaced(number).replace(/[^\d\s]/g, "").trim().split(/\s/).slice(1).join(" ");
  // A list, and a number of another country, stay as they were typed.
  return /\d{5}/.test(text) && !/[+,;]/.test(text) && international(shown, region) === number ? shown : text;
}

/** A number in E.164 with spaces, in the direction of its digits. @param {string} number */
export function spaced(number) {
  const digits = number.slice(1);
  const code = longest.find((each) => digits.startsWith(each)) ?? "";
  const rest = digits.slice(code.length);
  const groups = code === "33"
    ? rest.replace(/^(\d)|(\d\d)/g, "$1$2\u00a0")
    : rest.replace(/(\d{3})(?=\d{3})/g, "$1\u00a0");
  return `\u2066+${code}\u00a0${groups.trim()}\u2069`;
}
