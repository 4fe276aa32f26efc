#!/usr/bin/env python3
"""Makes the web client of a package: what only readers of the source need is left out, and the files of a first page are joined,
because a slow phone takes some milliseconds to ask for each.

usage: web_bundle.py SOURCE TARGET

A file at the top names what is joined: first.js by `import`, first.css by `@import`. As they stand there, both are valid without
being joined, and the service serves either form. A joined module is a function that returns what the module exports. Its lines stay
lines, so the source map needs no columns. The map's list of sources also tells the service which modules are in the bundle: the
page's import map (HTML Standard, "Import maps") leads every other module that imports one of them to the bundle, so that the page has
each module once. Workers have no import map and take the modules themselves.

Modules are written as scripts/lib/web_format.py leaves them. What cannot be joined is named, and the script ends with 1.
"""

import json
import posixpath
import re
import sys
from pathlib import Path

MODULE, STYLES, MAP = "first.js", "first.css", "first.js.map"
LEFT_OUT = (".md", ".ts")
TOOLS = ("deno.json", "deno.worker.json")
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# Comments that begin a line, and those of JSDoc wherever they are.
COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/[ \t]*|//[^\n]*)|/\*\*.*?\*/[ \t]*", re.S | re.M)
DECLARED = re.compile(r"export (?:async )?(?:const|function\*?|class) (\w+)")
IMPORTED = re.compile(r'import\("([^"]+)"')


class NotJoined(Exception):
    """A file, and why the bundle cannot have it."""


def served(text):
    """A module or styles without comments and indentation. A line stays a line, for stack traces."""
    code = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    return "\n".join(line.lstrip(" \t") for line in code.split("\n"))


def path_from(module, relative):
    """The path in the folder that a relative one means in a module."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), relative))


class Module:
    """A module, taken apart: its imports, its exports, and its lines without both."""

    def __init__(self, path, text):
        self.path, self.lines, self.imports, self.exports, self.passed_on = path, [], [], [], []
        statement = ""
        for line in text.split("\n"):
            if not statement and not line.startswith(("import ", "export ")):
                self.lines.append(self._relocated(line))
                continue
            statement += line
            if statement.startswith("export ") and not statement.startswith("export {"):
                self.lines.append(self._declared(statement))
            elif ";" in statement:
                self.lines.append(self._joined(statement))
            else:
                self.lines.append("")
                continue
            statement = ""

    def _declared(self, statement):
        # A module that imports a variable would not see its later values.
        if not (declared := DECLARED.match(statement)):
            raise NotJoined(f"{self.path} exports something else than a function, a class or a constant")
        self.exports.append(declared[1])
        return self._relocated(statement.removeprefix("export "))

    def _joined(self, statement):
        """A statement of imports, as a pattern and a path, or of exports, which has no line of its own in the bundle."""
        names = " ".join(statement.partition("{")[2].partition("}")[0].split())
        relative = re.search(r'"([^"]*)"', statement)
        if not relative:
            self.passed_on += [name.strip() for name in names.split(",") if name.strip()]
            return ""
        if not statement.startswith(("import {", 'import "')):
            raise NotJoined(f"{self.path} has imports that are not names in braces")
        self.imports.append(path_from(self.path, relative[1]))
        return (names.replace(" as ", ": "), self.imports[-1]) if names else ""

    def _relocated(self, line):
        """A line that finds modules and files from the top of the folder, where the bundle is."""
        line = line.replace("import.meta.url", f'new URL("./{self.path}", import.meta.url)')
        return IMPORTED.sub(lambda found: f'import("./{path_from(self.path, found[1])}"', line)


class Bundle:
    """The joined modules, each after those that it imports (ECMA-262, "Cyclic Module Records")."""

    def __init__(self, files):
        """`files` by their paths, as browsers get them. first.js has nothing but imports."""
        self.files, self.modules, self.lines, self.places = files, [], [], []
        self.begun, self.exporters = set(), {}
        for imported in Module(MODULE, files[MODULE]).imports:
            self._add(imported)
        self.lines.append(f"//# sourceMappingURL={MAP}")

    def _add(self, path):
        if path in self.begun:
            return
        self.begun.add(path)
        if path not in self.files:
            raise NotJoined(f"{path} is imported by another module, but is not there")
        module = Module(path, self.files[path])
        for imported in module.imports:
            self._add(imported)
            # One that has begun and is not there yet imports this one.
            if imported not in self.modules:
                raise NotJoined(f"{path} imports itself by way of {imported}")
        for name in module.exports:
            if name in self.exporters:
                raise NotJoined(f"{path} exports {name}, as {self.exporters[name]} does")
            self.exporters[name] = path
        self._append(module)

    def _append(self, module):
        number = len(self.modules)
        self.modules.append(module.path)
        self.lines.append(f"const ${number} = (() => {{")
        for at, line in enumerate(module.lines):
            if isinstance(line, tuple):
                line = f"const {{ {line[0]} }} = ${self.modules.index(line[1])};"
            self.places.append((len(self.lines), number, at))
            self.lines.append(line)
        self.lines += [f"return {{{','.join(module.exports + module.passed_on)}}};", "})();"]
        if module.exports:
            # Their own names would hide names of the browser, such as `fetch`, from all modules.
            own = [(name, f"${number}{name}") for name in module.exports]
            self.lines.append(f"const {{ {', '.join(f'{name}: {mine}' for name, mine in own)} }} = ${number};")
            self.lines.append(f"export {{ {', '.join(f'{mine} as {name}' for name, mine in own)} }};")

    def source_map(self):
        """Leads a debugger from each line to one of a module (ECMA-426)."""
        mappings, last = "", (0, 0, 0)
        for place in self.places:
            line, source, source_line = (new - old for new, old in zip(place, last))
            # The columns are 0. All but the first are given as differences.
            mappings += ";" * line + "A" + digits(source) + digits(source_line) + "A"
            last = place
        return {"version": 3, "file": MODULE, "sources": self.modules, "names": [], "mappings": mappings}


def digits(number):
    """A number in groups of five bits, the lowest first, each a digit of base64. The lowest bit of all is the sign."""
    rest, text = (-number << 1 | 1) if number < 0 else number << 1, ""
    while True:
        low, rest = rest & 31, rest >> 5
        text += DIGITS[low | 32 if rest else low]
        if not rest:
            return text


def styles(files):
    """The paths of the joined styles, and their texts one after the other."""
    paths = [path_from(STYLES, relative) for relative in re.findall(r'@import "([^"]*)"', files[STYLES])]
    if missing := [path for path in paths if path not in files]:
        raise NotJoined(f"{missing[0]} is imported by {STYLES}, but is not there")
    return paths, "".join(files[path] + "\n" for path in paths)


def package(source, target):
    """Writes the client. The joined styles are no files of their own there; the joined modules are, for workers."""
    if target.is_dir() and any(target.iterdir()):
        raise NotJoined(f"{target} is not empty")
    kept = {str(path.relative_to(source)): path for path in sorted(source.rglob("*")) if path.is_file()}
    kept = {name: path for name, path in kept.items() if path.suffix not in LEFT_OUT and name not in TOOLS}
    files = {name: served(path.read_text()) for name, path in kept.items() if path.suffix in (".js", ".css")}
    bundle = Bundle(files)
    joined, text = styles(files)
    files |= {MODULE: "\n".join(bundle.lines), STYLES: text, MAP: json.dumps(bundle.source_map(), separators=(",", ":"))}
    for name in [*kept, MAP]:
        if name not in joined:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(files[name].encode() if name in files else kept[name].read_bytes())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        package(Path(sys.argv[1]), Path(sys.argv[2]))
    except NotJoined as error:
        sys.exit(f"The first page of the web client cannot be joined: {error}.")


if __name__ == "__main__":
    main()
