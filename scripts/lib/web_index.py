#!/usr/bin/env python3
"""Lists in Sources/Web/index.html the modules that a first page needs, so that early.js asks for all of them at once. Otherwise
the browser would discover them one import after the other.

usage: web_index.py            ends with 1 when the list is stale
       web_index.py --write    writes it
"""

import re
import sys
import textwrap
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "Sources/Web"
PAGE = WEB / "index.html"
# The program, and the two screens that people see first.
STARTS = ("app/main.js", "screens/welcome/welcome.js", "screens/groups/groups.js")
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"|^\} from "(\.[^"]+)"', re.M)
LIST = re.compile(r'(?<=data-modules=")[^"]*')


def imports(path):
    for match in IMPORT.finditer(path.read_text()):
        yield (path.parent / next(filter(None, match.groups()))).resolve()


def modules():
    """Every module that the first ones need, nearest first. Screens that are loaded later stand in `import()`."""
    found = [WEB / start for start in STARTS]
    for path in found:
        found += [one for one in dict.fromkeys(imports(path)) if one not in found]
    return [path.relative_to(WEB).as_posix() for path in found]


def main():
    page = PAGE.read_text()
    lines = textwrap.wrap(" ".join(modules()), 110, break_long_words=False, break_on_hyphens=False)
    wanted = LIST.sub("\n" + "".join(f"      {line}\n" for line in lines) + "    ", page)
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(wanted)
    elif page != wanted:
        print("Sources/Web/index.html: the list of modules is stale: run scripts/lib/web_index.py --write")
        sys.exit(1)


if __name__ == "__main__":
    main()
