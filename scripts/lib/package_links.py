"""package_links.py ROOT: in the pages of a package's tree a link leads to a file of the package, or becomes plain text.

    package_links.py --check ROOT   ends with 1 and names the links that lead nowhere
"""
import os
import re
import sys

# Where the package has what the source has elsewhere. The first beginning that fits counts.
PLACES = [("storage", "/usr/share/dayly/storage"), ("deploy/monitoring", "/usr/share/dayly/monitoring"), ("deploy", "examples"),
          ("Sources/Apps/DaylyServer/openapi.yaml", "openapi.yaml"), ("CHANGELOG.md", "NEWS.md"), ("docs/", "")]
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)")
root = sys.argv[-1]
folder = root + "/usr/share/doc/dayly"


def is_there(path):
    return os.path.exists(root + path if path.startswith("/") else os.path.join(folder, path))


def is_ours(target):
    return not re.match(r"#|[a-z]+:", target)


def moved(page, link):
    text, target = link.groups()
    if not is_ours(target):
        return link[0]
    path, mark, heading = target.partition("#")
    path = os.path.normpath(os.path.join("" if page.isupper() else "docs", path))
    old, new = next(((old, new) for old, new in PLACES if path.startswith(old)), ("", ""))
    path = new + path[len(old):]
    return f"[{text}]({path}{mark}{heading})" if is_there(path) else text


lost = []
for name in sorted(os.listdir(folder)):
    if not name.endswith(".md"):
        continue
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        content = file.read()
    if sys.argv[1] == "--check":
        lost += [f"{name}: {link[2]}" for link in LINK.finditer(content)
                 if is_ours(link[2]) and not is_there(link[2].partition("#")[0])]
        continue
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(LINK.sub(lambda link, page=name.removesuffix(".md"): moved(page, link), content))
if lost:
    sys.exit("\n".join(lost))
