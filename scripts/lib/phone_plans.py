#!/usr/bin/env python3
"""Makes the numbering plans of the phone field and its table test from libphonenumber's metadata, whose version is pinned to
that of Debian's library, with which the service reads numbers.

usage: phone_plans.py            ends with 1 when a file is stale
       phone_plans.py --write    writes Sources/Web/parts/numbering/plans.js and Tests/FromOutside/phone-field-countries.json
"""

import json
import re
import sys
from pathlib import Path

import phonenumbers as library
from phonenumbers.phonemetadata import PhoneMetadata

ROOT = Path(__file__).resolve().parents[2]
PLANS = ROOT / "Sources/Web/parts/numbering/plans.js"
TABLE = ROOT / "Tests/FromOutside/phone-field-countries.json"
HEAD = """/**
 * The world's numbering plans, made by scripts/lib/phone_plans.py from libphonenumber's metadata (Apache License 2.0). A line
 * has a region, its calling code, the lengths of fixed and mobile numbers, the least one of mobile numbers, the prefix for calls
 * abroad, the prefix for calls at home with what takes its place, the beginnings of a region that shares its calling code, all
 * numbers, and mobile ones.
 */
"""
# A mobile pattern that lists single ranges is replaced by the shape of its numbers.
SHAPES = {"AR": r"9\d{10}", "IN": r"[6-9]\d{9}", "MX": r"[2-9]\d{9}", "UZ": r"(?:33|50|55|77|88|9\d)\d{7}", "CL": r"9\d{8}"}
# North America tells mobile and fixed lines apart by nothing.
NORTH_AMERICA = r"[2-9]\d\d[2-9]\d{6}"
# Plans that changed after this version of the metadata. Benin, November 2024: 01 in front of each number. The Gambia, 2026: two
# more digits. Colombia: 03 in front of mobile lines until 2021. Indonesia: the operators' prefixes.
CHANGED = {
    "BJ": {"home": r"([24-689]\d{7})$", "rule": "01$1", "general": r"01\d{8}", "mobile": r"01[4-69]\d{7}"},
    "CO": {"home": r"0(?:3(?=3\d{9}$)|[579]|4(?:[14]4|56))?"},
    "ID": {"abroad": "00[1789]"},
    "GM": {"mobile": r"8[3678]\d{7}|[235-79]\d{6}"},
}
# Lengths of mobile numbers before and after a change, where the service reads the form of before.
ALSO = {"BJ": {8, 10}, "CI": {8}, "CM": {8}, "EC": {8}, "EG": {9}, "GA": {7}, "GM": {7, 9}, "LA": {9}, "MU": {7}, "PF": {6}, "QA": {7}}
# Lines that the service knows by another form: Argentina's 9, and plans that have changed.
OTHER_FORMS = {"+541123456789": "+5491123456789", "+24106031234": "+24166031234", "+24101441234": "+24111441234",
               "+2203012345": "+220833012345"}


def lengths(line):
    return {length for length in line.possible_length if length > 0} if line else set()


def ranges(all_lengths):
    """Lengths as `5,7-9`."""
    spans = []
    for length in sorted(all_lengths):
        if spans and spans[-1][1] == length - 1:
            spans[-1][1] = length
        else:
            spans.append([length, length])
    return ",".join(f"{first}-{last}" if first < last else f"{first}" for first, last in spans)


def plan(region, code, found):
    changed, also = CHANGED.get(region, {}), ALSO.get(region, set())
    general = changed.get("general", found.general_desc.national_number_pattern)
    mobile = changed.get("mobile", SHAPES.get(region, (found.mobile and found.mobile.national_number_pattern) or ""))
    if code == 1:
        general, mobile = ("", "") if region != "US" else (NORTH_AMERICA, NORTH_AMERICA)
    home = changed.get("home", found.national_prefix_for_parsing or "")
    rule = changed.get("rule", (found.national_prefix_transform_rule or "").replace("\\", "$"))
    shared = len(library.COUNTRY_CODE_TO_REGION_CODE[code]) > 1
    mobiles = lengths(found.mobile) | also
    all_lengths = mobiles.union(*map(lengths, (found.fixed_line, found.voip, found.personal_number)))
    values = [region, str(code), ranges(all_lengths or found.general_desc.possible_length), str(min(mobiles, default=0)),
              changed.get("abroad", found.international_prefix or ""), home, rule,
              (found.leading_digits or "") if shared else "", general, mobile]
    return " ".join(value or "-" for value in values)


def plans():
    """The main region of a calling code comes first."""
    lines = []
    for code, regions in sorted(library.COUNTRY_CODE_TO_REGION_CODE.items()):
        for region in regions:
            found = (PhoneMetadata.metadata_for_nongeo_region(code, None) if region == "001"
                     else PhoneMetadata.metadata_for_region(region, None))
            lines.append(plan(region, code, found))
    return HEAD + "export const PLANS = String.raw`\n" + "\n".join(lines) + "`;\n"


def dialled(region, number):
    """A number with the prefix for calls abroad, as one dials it from its own country."""
    prefix = PhoneMetadata.metadata_for_region(region, None)
    prefix = prefix.preferred_international_prefix or prefix.international_prefix
    if not re.fullmatch(r"[\d~]+", prefix):
        prefix = {"AU": "0011", "BO": "00", "BR": "0015", "CL": "1230", "CO": "005", "ID": "001", "IL": "012", "KH": "001",
                  "KP": "00", "KR": "00700", "MU": "020", "PW": "011", "SB": "00", "SG": "001", "TD": "00", "TH": "001",
                  "TW": "002", "TZ": "000", "UG": "000"}.get(region, "00")
    return f"{prefix} {number[1:]}"


def examples(region):
    for kind, line in (("mobile", library.PhoneNumberType.MOBILE), ("fixed", library.PhoneNumberType.FIXED_LINE)):
        number = library.example_number_for_type(region, line)
        if not number:
            continue
        want = library.format_number(number, library.PhoneNumberFormat.E164)
        national = library.format_number(number, library.PhoneNumberFormat.NATIONAL)
        abroad = library.format_number(number, library.PhoneNumberFormat.INTERNATIONAL)
        # The form from before a change leads to the living one.
        given = f"+22901{want[4:]}" if region == "BJ" else want
        inputs = [national, abroad, dialled(region, want), f"00 {want[1:]}", want, re.sub(r"\D", "", national)]
        yield {"input": list(dict.fromkeys(inputs)), "bare": want[1:], "region": region,
               "from": f"{region}, {kind}: at home, abroad, with the prefix for abroad, with 00, E.164, digits only; bare is without plus",
               "want": given} | ({"service": OTHER_FORMS[given]} if given in OTHER_FORMS else {})


def table():
    rows = [row for region in sorted(library.SUPPORTED_REGIONS) for row in examples(region)]
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows) + "\n]\n"


def main():
    made = {PLANS: plans(), TABLE: table()}
    for path, text in made.items():
        if sys.argv[1:] == ["--write"]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is stale; scripts/lib/phone_plans.py --write makes it")


if __name__ == "__main__":
    main()
