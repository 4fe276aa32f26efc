// Calling codes by region, and the little that is needed to read and to show a number. The service decides what is valid.

const table =
  "AC247 AD376 AE971 AF93 AG1268 AI1264 AL355 AM374 AO244 AR54 AS1684 AT43 AU61 AW297 AX358 AZ994 BA387 BB1246 BD880 BE32 BF226 BG359 BH973 BI257 BJ229 BL590 BM1441 BN673 BO591 BQ599 BR55 BS1242 BT975 BW267 BY375 BZ501 CA1 CD243 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CY357 CZ420 DE49 DJ253 DK45 DM1767 DO1809 DZ213 EC593 EE372 EG20 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1473 GE995 GF594 GG44 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GT502 GU1671 GW245 GY592 HK852 HN504 HR385 HT509 HU36 ID62 IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1876 JO962 JP81 KE254 KG996 KH855 KI686 KM269 KN1869 KP850 KR82 KW965 KY1345 KZ7 LA856 LB961 LC1758 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382 MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1670 MQ596 MR222 MS1664 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PR1787 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65 SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1721 SY963 SZ268 TC1649 TD235 TG228 TH66 TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1868 TV688 TW886 TZ255 UA380 UG256 US1 UY598 UZ998 VA39 VC1784 VE58 VG1284 VI1340 VN84 VU678 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263";

/** @type {Map<string, string>} */
export const codes = new Map(table.split(" ").map((entry) => [entry.slice(0, 2), entry.slice(2)]));
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
export function homeRegion() {
  for (const tag of navigator.languages) {
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
