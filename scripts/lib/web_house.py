#!/usr/bin/env python3
"""The rules of Sources/Web that deno does not know. Prints each finding and ends with 1 when there is one.

usage: web_house.py            checks texts, lengths, hosts and sizes
       web_house.py --sizes    prints the size of each folder
"""

import gzip
import json
import re
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "Sources/Web"
LONGEST_FILE = 200
# Bytes of code and styles together, joined and without comments and indentation: raw, and with gzip. Lower them when they
# can be lowered.
MOST_RAW, MOST_GZIP = 205_000, 57_000
LANGUAGES = ("en", "de")
# A key stands alone in t("…"); keys in tables stand as plain strings.
KEY = re.compile(r'"([a-z][\w-]*(?:\.[\w-]+)+)"')
CALL = re.compile(r'\bt\(\s*"([^"]+)"')
BUILT = re.compile(r"\bt\(\s*`([^`$]+)\$\{")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
COMMENT = re.compile(r"/\*.*?\*/|^[ \t]*//[^\n]*$", re.S | re.M)

findings = []


def found(path, text):
    findings.append(f"{path.relative_to(WEB.parent.parent)}: {text}")


def sources(*endings):
    return [path for path in sorted(WEB.rglob("*")) if path.suffix in endings and path.name != "api.d.ts"]


def texts_of(entry):
    return [entry] if isinstance(entry, str) else list(entry.values())


def catalogues():
    """All catalogues have the same keys with the same placeholders, and a plural has the form `other`."""
    loaded = {language: json.loads((WEB / f"locales/{language}.json").read_text()) for language in LANGUAGES}
    reference = loaded["en"]
    for language, catalogue in loaded.items():
        path = WEB / f"locales/{language}.json"
        for key in sorted(reference.keys() ^ catalogue.keys()):
            found(path, f"{'lacks' if key in reference else 'alone has'} the key {key}")
        for key in sorted(reference.keys() & catalogue.keys()):
            wanted = set(PLACEHOLDER.findall(" ".join(texts_of(reference[key]))))
            given = set(PLACEHOLDER.findall(" ".join(texts_of(catalogue[key]))))
            if wanted != given:
                found(path, f"{key} has the placeholders {sorted(given)} instead of {sorted(wanted)}")
            if not isinstance(catalogue[key], str) and "other" not in catalogue[key]:
                found(path, f"{key} lacks the plural form `other`")
    return reference


def keys(catalogue):
    """Every key that the code uses is in the catalogue, and the code uses every key."""
    used, prefixes = set(), set()
    for path in sources(".js"):
        code = path.read_text()
        for key in CALL.findall(code):
            if key not in catalogue:
                found(path, f"the text {key} is in no catalogue")
        used |= set(CALL.findall(code)) | set(KEY.findall(code))
        prefixes |= set(BUILT.findall(code))
    for key in sorted(catalogue.keys() - used):
        if not any(key.startswith(prefix) for prefix in prefixes):
            found(WEB / "locales/en.json", f"no code uses {key}")
    for prefix in sorted(prefixes):
        if not any(key.startswith(prefix) for key in catalogue):
            found(WEB / "locales/en.json", f"no key begins with {prefix}")


def lengths():
    for path in sources(".js", ".css"):
        count = len(path.read_text().splitlines())
        if count > LONGEST_FILE:
            found(path, f"has {count} lines; {LONGEST_FILE} is the most")


def forbidden():
    """What the page's policy refuses, and requests to other hosts."""
    for path in sources(".js", ".css", ".html"):
        code = COMMENT.sub("", path.read_text())
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "@import"):
            if word in code:
                found(path, f"uses {word}")
        for url in re.findall(r"https?://[\w.-]+", code):
            if not url.endswith((".invalid", "//www.w3.org")):
                found(path, f"names another host: {url}")
    for path in sources(".js"):
        if path.parts[-3 if path.parent.parent.name == "screens" else -2] == "screens" or "screens" in path.parts:
            if re.search(r"(?<![.\w])fetch\(", COMMENT.sub("", path.read_text())):
                found(path, "fetches; a screen uses stores and `client`")
        if "createObjectURL" in path.read_text() and path.name != "photo.js":
            found(path, "makes an object URL; only parts/photo does")


def packed(paths):
    """The code as it is counted: without comments, indentation and empty lines."""
    text = "\n".join(COMMENT.sub("", path.read_text()) for path in paths)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip()).encode()


def sizes(report=False):
    for folder in ["api", "store", "app", "parts", "screens", "worker", "styles"] if report else []:
        paths = [path for path in sources(".js", ".css") if path.relative_to(WEB).parts[0] == folder]
        print(f"{folder}: {len(packed(paths))} bytes, {len(gzip.compress(packed(paths), 9))} with gzip")
    code = packed(sources(".js", ".css"))
    raw, small = len(code), len(gzip.compress(code, 9))
    if report:
        print(f"together: {raw} bytes of {MOST_RAW}, {small} with gzip of {MOST_GZIP}")
    elif raw > MOST_RAW or small > MOST_GZIP:
        found(WEB, f"code and styles have {raw} bytes ({MOST_RAW} at most), {small} with gzip ({MOST_GZIP} at most)")


def main():
    if sys.argv[1:] == ["--sizes"]:
        return sizes(report=True)
    keys(catalogues())
    lengths()
    forbidden()
    sizes()
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
