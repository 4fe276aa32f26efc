#!/usr/bin/env python3
"""Formats the JavaScript of the web client with deno, which leaves templates alone: a template shows the shape of its markup.

usage: web_format.py [--write] FOLDER…

Names each file that is formatted in another way, and each line of a template that is too wide, and ends with 1 then. --write
formats the files. Deno itself formats markup in `html` and breaks tags where it likes; so it gets a name in each template's place.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDEST = 110
# A slash behind this begins a regular expression.
BEFORE_PATTERN = re.compile(r"(?:^|[(,=:\[!&|?{};\n>+]|return)\s*$")
PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/")
SKIPPED = re.compile(r"//[^\n]*|/\*[^]*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'".replace("[^]", r"[\s\S]"))


def code(text, at, end=""):
    """Reads code up to `end`: where it ends, and the templates in it as (begin, end, holes)."""
    found, depth = [], 0
    while at < len(text):
        character = text[at]
        if skipped := SKIPPED.match(text, at):
            at = skipped.end()
        elif character == "`":
            begin, (at, holes) = at, template(text, at + 1)
            found.append((begin, at, holes))
        elif character == "/" and BEFORE_PATTERN.search(text, 0, at) and (pattern := PATTERN.match(text, at)):
            at = pattern.end()
        elif character == end and depth == 0:
            return at, found
        else:
            depth += {"{": 1, "}": -1}.get(character, 0)
            at += 1
    return at, found


def template(text, at):
    """Reads a template: where it ends, and its holes as (begin, end, templates)."""
    holes = []
    while text[at] != "`":
        if text.startswith("${", at):
            end, inner = code(text, at + 2, "}")
            holes.append((at + 2, end, inner))
            at = end
        at += 2 if text[at] == "\\" else 1
    return at + 1, holes


def markup(text):
    """The outermost templates of markup: where they begin, with their tag, and where they end."""
    def of(templates):
        for begin, end, holes in templates:
            if text.endswith("html", 0, begin):
                yield begin - 4, end
            else:
                for _, _, inner in holes:
                    yield from of(inner)
    return list(of(code(text, 0)[1]))


def without(text):
    """The text with names in the place of its templates, and the templates. One of a single line has a name of its width."""
    parts, templates, last = [], {}, 0
    for begin, end in markup(text):
        whole = text[begin:end]
        name = f"html_{len(templates)}_"
        templates[name if "\n" in whole else name.ljust(len(whole), "_")] = whole
        parts += [text[last:begin], list(templates)[-1]]
        last = end
    return "".join(parts) + text[last:], templates


def put_back(text, templates):
    return re.sub(r"\bhtml_\d+_+", lambda name: templates[name[0]], text)


def formatted(texts):
    """All texts as deno formats them without their templates."""
    work = ROOT / ".dayly/cache/web-format"
    bare = [without(text) for text in texts]
    work.mkdir(parents=True, exist_ok=True)
    places = [work / f"{number}.js" for number in range(len(bare))]
    for place, (text, _) in zip(places, bare):
        place.write_text(text)
    config = ROOT / "Sources/Web/deno.json"
    subprocess.run([ROOT / ".dayly/tools/web/venv/bin/deno", "fmt", "--quiet", "--config", config, *places], check=True)
    return [put_back(place.read_text(), templates) for place, (_, templates) in zip(places, bare)]


def main():
    folders = [argument for argument in sys.argv[1:] if argument != "--write"]
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.js"))
    status = 0
    for path, text in zip(paths, formatted([path.read_text() for path in paths])):
        if path.read_text() != text and "--write" in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            print(f"{path}: is not formatted; scripts/lib/web_format.py --write formats it")
            status = 1
        for begin, end in markup(text):
            first = text.count("\n", 0, begin) + 1
            for number, line in enumerate(text[text.rfind("\n", 0, begin) + 1:end].split("\n"), first):
                if len(line) > WIDEST:
                    print(f"{path}:{number}: a template has a line of {len(line)} characters; {WIDEST} are the most")
                    status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
