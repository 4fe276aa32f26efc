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

import web_bundle

WEB = Path(__file__).resolve().parents[2] / "Sources/Web"
LONGEST_FILE = 230
# Bytes of code and styles as a package serves them, with gzip, each file by itself: of all that every deployment has, of those of a
# product that not all have, and of those that only products use. Lower them when they can be lowered. A browser measures what a
# first page loads: see test_budgets.py.
MOST = 113_500
PRODUCTS = {"focus": 32_500, "companion": 44_800}
# The numbering plans of all countries, and what reads numbers by them, come with the first field for a number.
FOLDERS = {**PRODUCTS, "products": 5_500, "numbering": 14_300}
# Data, one line for each region.
GENERATED = ("plans.js",)
LANGUAGES = ("en", "de")
# A key stands alone in t("…"); keys in tables stand as plain strings.
KEY = re.compile(r'"([a-z][\w-]*(?:\.[\w-]+)+)"')
CALL = re.compile(r'\bt\(\s*"([^"]+)"')
BUILT = re.compile(r"(?:\bt\(|\[)\s*`([a-z][^`$/]*\.)\$\{")
# Each product has such a text of its own.
OF_PRODUCT = re.compile(r"`\$\{product\}\.([\w.-]+)(`|\$)")
# Second words for one thing, and marks that no text has: see "Words of the web client" in docs/style.md.
UNWANTED = {
    "en": re.compile(r"[!']|\bSMS\b|\b[Ff]ilm\b|called like"),
    "de": re.compile(r"[!']|[Vv]erschick|[Ss]enden|[Gg]esendet|Startbildschirm|Handy|Smartphone|enachrichtig|\bFilm\b|[Gg]eschützt"),
}
PLACEHOLDER = re.compile(r"\{(\w+)\}")
COMMENT = re.compile(r"/\*.*?\*/|^[ \t]*//[^\n]*$", re.S | re.M)

findings = []


def found(path, text):
    findings.append(f"{path.relative_to(WEB.parent.parent)}: {text}")


def sources(*endings):
    return [path for path in sorted(WEB.rglob("*")) if path.suffix in endings and path.name != "api.d.ts"]


def texts_of(entry):
    return [entry] if isinstance(entry, str) else list(entry.values())


def all_texts():
    """The texts of all catalogues, which have no key in common."""
    texts = {}
    for folder in (WEB, *(WEB / product for product in PRODUCTS)):
        found_here = catalogues(folder / "locales")
        for key in sorted(texts.keys() & found_here.keys()):
            found(folder / "locales/en.json", f"has the key {key} of another catalogue")
        texts |= found_here
    return texts


def catalogues(folder):
    """The catalogues of a folder have the same keys with the same placeholders, and a plural has the form `other`."""
    loaded = {language: json.loads((folder / f"{language}.json").read_text()) for language in LANGUAGES}
    reference = loaded["en"]
    for language, catalogue in loaded.items():
        path = folder / f"{language}.json"
        for key in sorted(reference.keys() ^ catalogue.keys()):
            found(path, f"{'lacks' if key in reference else 'alone has'} the key {key}")
        for key in sorted(reference.keys() & catalogue.keys()):
            wanted = set(PLACEHOLDER.findall(" ".join(texts_of(reference[key]))))
            given = set(PLACEHOLDER.findall(" ".join(texts_of(catalogue[key]))))
            if wanted != given:
                found(path, f"{key} has the placeholders {sorted(given)} instead of {sorted(wanted)}")
            for word in UNWANTED[language].findall(" ".join(texts_of(catalogue[key]))):
                found(path, f"{key} says {word!r}, for which docs/style.md has another word")
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
        for rest, end in OF_PRODUCT.findall(code):
            (used if end == "`" else prefixes).update(f"{product}.{rest}" for product in PRODUCTS)
    for key in sorted(catalogue.keys() - used):
        if not any(key.startswith(prefix) for prefix in prefixes):
            found(WEB / "locales/en.json", f"no code uses {key}")
    for prefix in sorted(prefixes):
        if not any(key.startswith(prefix) for key in catalogue):
            found(WEB / "locales/en.json", f"no key begins with {prefix}")


# Outside of a product's folder, the module that may import from it, and those that may name it.
ENTRANCES = ("screens/all.js",)
NAMING = ("app/routes.js", "screens/groups/groups.js", "screens/settings/settings.js", *ENTRANCES)
NAMED = re.compile(rf"""["'`/]({'|'.join(PRODUCTS)})["'`/.]""")
RELATIVE = re.compile(r"""["'`](\.\.?/[^"'`]*)["'`]""")
MOST_FILES = 20


def rooms():
    """Shared modules import nothing from a product's folder and do not name it, but for a few, and no folder is crowded."""
    for path in sources(".js", ".css"):
        own = path.relative_to(WEB).parts[0]
        if own not in FOLDERS and str(path.relative_to(WEB)) not in NAMING:
            for product in NAMED.findall(COMMENT.sub("", path.read_text())):
                found(path, f"names {product}")
        for relative in RELATIVE.findall(path.read_text()):
            target = (path.parent / relative).resolve()
            product = target.relative_to(WEB).parts[0] if target.is_relative_to(WEB) and target != WEB else ""
            if product in PRODUCTS and product != own and str(path.relative_to(WEB)) not in ENTRANCES:
                found(path, f"imports {relative} out of the folder of {product}")
    for folder in (WEB, *(path for path in WEB.rglob("*") if path.is_dir())):
        count = sum(path.is_file() for path in folder.iterdir())
        if count > MOST_FILES:
            found(folder, f"has {count} files beside each other; {MOST_FILES} are the most")


def joined():
    """A package can be made: see web_bundle.py."""
    try:
        files = {str(path.relative_to(WEB)): web_bundle.served(path.read_text()) for path in sources(".js", ".css")}
        web_bundle.Bundle(files)
        web_bundle.styles(files)
    except web_bundle.NotJoined as error:
        found(WEB, f"has a first page that cannot be joined: {error}")


def lengths():
    for path in sources(".js", ".css"):
        count = len(path.read_text().splitlines())
        if count > LONGEST_FILE and path.name not in GENERATED:
            found(path, f"has {count} lines; {LONGEST_FILE} is the most")


# Guard: one word for one thing, in both languages (`web_house.py`)
def forbidden():
    """What the page's policy refuses, and requests to other hosts."""
    for path in sources(".js", ".css", ".html"):
        code = COMMENT.sub("", path.read_text())
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "@import"):
            # A package has the imported styles in the place of these.
            if word in code and (word, path.name) != ("@import", "first.css"):
                found(path, f"uses {word}")
        for url in re.findall(r"https?://[\w.-]+", code):
            if not url.endswith((".invalid", "//www.w3.org")):
                found(path, f"names another host: {url}")
    for path in sources(".js"):
        if "screens" in path.parts:
            if re.search(r"(?<![.\w])fetch\(", COMMENT.sub("", path.read_text())):
                found(path, "fetches; a screen uses stores and `client`")
        if "createObjectURL" in path.read_text() and path.name != "save.js":
            found(path, "makes an object URL; only parts/save does")


def packed(path):
    """The size of a file as a package has it."""
    return len(gzip.compress(web_bundle.served(path.read_text()).encode(), 9))


def sizes(report=False):
    # A package has other files in the place of these two.
    every = {path: packed(path) for path in sources(".js", ".css") if path.stem != "first"}
    for folder in ["api", "store", "app", "parts", "screens", "worker", "styles"] if report else []:
        print(f"{folder}: {sum(size for path, size in every.items() if folder in path.relative_to(WEB).parts[:2])} bytes")
    common = dict(every)
    for product, most in FOLDERS.items():
        own = {path: common.pop(path) for path in every if product in path.parts}
        if report:
            print(f"{product}, {len(own)} files: {sum(own.values())} bytes of {most}")
        if sum(own.values()) > most:
            found(WEB, f"code and styles of {product} have {sum(own.values())} bytes ({most} at most)")
    if report:
        print(f"all but products, {len(common)} files: {sum(common.values())} bytes of {MOST}")
    if sum(common.values()) > MOST:
        found(WEB, f"code and styles have {sum(common.values())} bytes ({MOST} at most)")


def main():
    if sys.argv[1:] == ["--sizes"]:
        return sizes(report=True)
    keys(all_texts())
    rooms()
    joined()
    lengths()
    forbidden()
    sizes()
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
