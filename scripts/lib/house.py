"""The rules of the house that can be read from the files. Prints each finding with its place and ends with 1 when there is one.

usage: house.py [RULE…]        all rules unless some are named; --list names them
       swift package describe --type json | house.py dependencies
"""

import glob
import json
import os
import re
import sys
from collections import defaultdict

import products
from guards import guards_of

SKIPPED = {".build", ".dayly", ".git", ".swiftpm", "__pycache__", "node_modules"}
COMMON_NAMES = {"README.md", "main.swift", "measure.py", "run", "shim.h", "module.modulemap", "Package.swift", "PrivacyInfo.xcprivacy"}

# Parts of the platform that are stores by another name.
STORES = (
    "Sources/Platform/Postgres/", "Sources/Platform/Jobs/Outbox",
    "Sources/Platform/RateLimiting/MessageCeiling.swift", "Sources/Platform/Restoration/RestoreGuard+Journal.swift",
)

SCHEMA = "migrations/schema.sql"

findings = []


def found(path, line, text):
    findings.append(f"{path}:{line}: {text}" if line else f"{path}: {text}")


def files(*endings, under=("",)):
    for folder, folders, names in os.walk("."):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name))
            if name.endswith(endings) and path.startswith(tuple(under)) and not os.path.islink(path):
                yield path


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def line_of(content, position):
    return content.count("\n", 0, position) + 1


# Names


def file_names():
    """No file name stands twice in the code of a product, or outside of products."""
    places, web = defaultdict(list), "|".join(products.products()).lower()
    for path in files("", under=("Sources/", "Tests/", "scripts/", "docs/", "migrations/", "storage/", "deploy/")):
        product = re.match(rf"Sources/Web/({web}|products)/|(?:Sources|Tests)/Products/(\w+/\w+)/", path)
        places[product and (product[1] or product[2]), os.path.basename(path)].append(path)
    for (_, name), paths in sorted(places.items(), key=lambda place: place[1]):
        if len(paths) > 1 and name not in COMMON_NAMES:
            found(paths[0], 0, f"has the same name as {', '.join(paths[1:])}")


# Products


def product_names():
    """A product is named in its own folders and in the files of scripts/lib/products.py."""
    for product in products.products():
        for path in files(".swift", ".c", ".h", ".yaml", ".txt", under=("Sources/",)):
            if path in products.NAMING or path.startswith(products.own(product)):
                continue
            content = text(path)
            for match in products.names(product).finditer(content):
                found(path, line_of(content, match.start()), f"names {product}")


def problem_codes():
    """The problem codes of the code are those of openapi.yaml."""
    codes = {}
    for path in files(".swift", under=("Sources/",)):
        content = text(path)
        codes |= {match[1]: (path, line_of(content, match.start())) for match in re.finditer(r'ProblemCode\("(\w+)"\)', content)}
    schema = re.search(r"(?ms)^    ProblemCode:\n(.*?)^    \w", text("Sources/Apps/DaylyServer/openapi.yaml"))[1]
    described = set(re.findall(r"(?m)^ +- (\w+)$", schema))
    for code in sorted(codes.keys() - described):
        found(*codes[code], f"{code} is not in openapi.yaml")
    for code in sorted(described - codes.keys()):
        found("Sources/Apps/DaylyServer/openapi.yaml", 0, f"has the problem code {code}, which the code does not have")


# SQL

TABLE_USE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|LOCK TABLE|TRUNCATE)\s+(?:ONLY\s+)?(\w+)")
LITERAL = re.compile(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.S)


def literals(content):
    """The string literals of Swift code outside of comments: (position, text)."""
    masked = re.sub(r"(?m)(^|\s)//.*$", lambda match: match[1] + " " * (len(match[0]) - len(match[1])), content)
    for match in LITERAL.finditer(masked):
        yield match.start(), match[1] if match[1] is not None else match[2]


def sql_places():
    """SQL about our tables stands in files with Store in their name."""
    tables = set(re.findall(r"(?m)^CREATE TABLE (\w+)", text(SCHEMA)))
    for path in files(".swift", under=("Sources/",)):
        if "Store" in os.path.basename(path) or path.startswith(STORES):
            continue
        content = text(path)
        for position, literal in literals(content):
            if tables.intersection(TABLE_USE.findall(literal)):
                found(path, line_of(content, position), "SQL outside of a Store")


# Triggers

TRIGGER_LINE = re.compile(r"^\s*// Triggers: (.*)$")
WRITE = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?(\w+)")


def triggers():
    """{name: (table, {event: columns or None})} from the head of schema.sql, and {table: tables a delete cascades to}."""
    known, cascades = {}, {}
    for line in text(SCHEMA).splitlines():
        if match := re.match(r"-- (\w+): (?:BEFORE|AFTER) (.*) ON (\w+)$", line):
            events = {}
            for part in match[2].split(" OR "):
                event, _, columns = part.partition(" OF ")
                events[event] = set(columns.split(", ")) if columns else None
            known[match[1]] = (match[3], events)
        elif match := re.match(r"-- (\w+) {2,}(\w+(?:, \w+)*)$", line):
            cascades[match[1]] = match[2].split(", ")
    return known, cascades


def reached(table, cascades):
    tables = {table}
    while more := {other for known in tables for other in cascades.get(known, [])} - tables:
        tables |= more
    return tables


def effects(literal, known, cascades):
    """The triggers that the statements of a literal must name, and those that they may name."""
    must, may = set(), set()
    for match in WRITE.finditer(literal):
        kind, table = match[1].split()[0], match[2]
        columns = set()
        if kind == "UPDATE":
            rest = literal[match.end():]
            assigned = re.match(r"(?:\s+(?:AS\s+)?\w+)?\s+SET\s(.*?)(?:\sFROM\s|\sWHERE\s|\sRETURNING\s|$)", rest, re.S)
            if not assigned:
                continue
            columns = set(re.findall(r"(\w+)\s*=(?!=)", assigned[1]))
        conflict = kind == "INSERT" and re.search(r"DO UPDATE SET(.*?)(?:WHERE|RETURNING|$)", literal[match.end():], re.S)
        for name, (owner, events) in known.items():
            if owner == table and kind in events and (events[kind] is None or events[kind] & columns):
                must.add(name)
            if owner == table and conflict and "UPDATE" in events and (
                    events["UPDATE"] is None or events["UPDATE"] & set(re.findall(r"(\w+)\s*=", conflict[1]))):
                must.add(name)
            if kind == "DELETE" and "DELETE" in events and owner in reached(table, cascades):
                may.add(name)
    return must, may | must


def trigger_lines():
    """A statement that sets triggers off says so in a line above."""
    known, cascades = triggers()
    for path in files(".swift", under=("Sources/",)):
        content = text(path)
        lines = content.splitlines()
        needed = defaultdict(lambda: [0, set(), set()])
        for position, literal in literals(content):
            must, may = effects(literal, known, cascades)
            if must:
                first = line_of(content, position)
                entry = needed[statement_start(content, lines, first - 1)]
                entry[0] = entry[0] or first
                entry[1] |= must
                entry[2] |= may
        used = set()
        for start, (first, must, may) in sorted(needed.items()):
            above, named = line_above(lines, start)
            if above is None:
                found(path, first, f"needs the line: // Triggers: {', '.join(sorted(must))} ({SCHEMA})")
                continue
            used.add(above)
            if missing := must - named:
                found(path, above + 1, f"the statement also sets off {', '.join(sorted(missing))}")
            if wrong := named - may:
                found(path, above + 1, f"the statement does not set off {', '.join(sorted(wrong))}")
        for index, line in enumerate(lines):
            if TRIGGER_LINE.match(line) and index not in used:
                found(path, index + 1, "the statement below sets no triggers off")


def statement_start(content, lines, index):
    """The line at which the Swift statement begins whose literal begins at this line."""
    inside = set()
    for match in re.finditer(r'"""\n(.*?)"""', content, re.S):
        inside.update(range(line_of(content, match.start()), line_of(content, match.end())))
    while index > 0:
        line, before = lines[index].strip(), lines[index - 1].strip()
        if index in inside or re.match(r'["?.+:(]|\|\|', line):
            index -= 1
        elif not before.startswith("//") and re.search(r"(?:[(,=+|?]|&&|\b(?:return|try|await))$", before):
            index -= 1
        else:
            break
    return index


def line_above(lines, start):
    """The index of the `// Triggers:` line among the comments above this line, and the names that stand there."""
    index = start - 1
    while index >= 0 and lines[index].strip().startswith("//"):
        if match := TRIGGER_LINE.match(lines[index]):
            names = " ".join([match[1]] + [line.strip()[2:] for line in lines[index + 1:start]])
            names, _, rest = names.partition(f"({SCHEMA})")
            return index, set(re.findall(r"\w+", names)) if not rest.strip() else set()
        index -= 1
    return None, set()


# Writers


def writers():
    """Each table is written by the module that docs/architecture.md names."""
    rows = re.findall(r"(?m)^\| (\w+) \| ((?:`\w+`(?:, )?)+) \|$", text("docs/architecture.md"))
    owners = {table: module for module, tables in rows for table in re.findall(r"`(\w+)`", tables)}
    tables = set(re.findall(r"(?m)^CREATE TABLE (\w+)", text(SCHEMA)))
    for table in sorted(tables ^ owners.keys()):
        found("docs/architecture.md", 0, f"its list of tables and {SCHEMA} disagree about {table}")
    for path in files(".swift", under=("Sources/",)):
        folder = path.split("/")[2]
        module = "DailyPhotos" if folder == "Photos" else folder
        content = text(path)
        for position, literal in literals(content):
            for _, table in WRITE.findall(literal):
                if table in tables and owners.get(table, module) != module:
                    found(path, line_of(content, position), f"{module} writes {table}, which belongs to {owners[table]}")


# Comments

UNCLEAR = {"What", "Who", "Whose", "Of", "Nobody", "Those"}
COMMENT = {
    ".swift": re.compile(r"^\s*(?:///?|\*)\s?(.*)$"),
    ".c": re.compile(r"^\s*(?:///?|/\*+|\*)\s?(.*?)(?:\*/)?$"),
    ".h": re.compile(r"^\s*(?:///?|/\*+|\*)\s?(.*?)(?:\*/)?$"),
    ".cpp": re.compile(r"^\s*(?:///?|/\*+|\*)\s?(.*?)(?:\*/)?$"),
    ".sh": re.compile(r"^\s*#(?!!| shellcheck)\s?(.*)$"),
    ".py": re.compile(r"^\s*#(?!!)\s?(.*)$"),
    "": re.compile(r"^\s*#(?!!| shellcheck)\s?(.*)$"),
}


def comment_blocks(path):
    """The comments of a file, with those on following lines joined: (line, text)."""
    pattern = COMMENT[os.path.splitext(path)[1]]
    block, first = [], 0
    for number, line in enumerate(text(path).splitlines(), 1):
        match = pattern.match(line)
        if match:
            if not block:
                first = number
            block.append(match[1].strip())
        elif block:
            yield first, block
            block = []
    if block:
        yield first, block


def comments():
    """Comments have subjects, and negate their verbs."""
    paths = list(files(".swift", ".c", ".h", ".cpp", under=("Sources/", "Tests/")))
    paths += [path for path in files("", under=("scripts/", "Tests/Benchmarks/", "deploy/"))
              if os.path.splitext(path)[1] in ("", ".sh", ".py")]
    for path in paths:
        for first, block in comment_blocks(path):
            joined = " ".join(part if part else "\u00b6." for part in block)
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`])", joined):
                sentence = re.sub(r"^[\u00b6. ]*(?:- (?:Parameters?|Returns|Throws|Note)\b[^:]*: *)?(?:- )?", "", sentence)
                word = re.match(r"\w+", sentence)
                if word and word[0] in UNCLEAR:
                    found(path, first, f"begins with {word[0]}: {sentence[:70]}")
            if re.search(r"(?<!here )\bis no (?!longer\b|more\b|later\b|one\b)", joined):
                found(path, first, "say 'is not a' for 'is no'")


# Documents

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path):
    for heading in re.findall(r"(?m)^#+ (.*)$", text(path)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def documents():
    """Links lead somewhere, the README is short, and no document names a place of one machine."""
    for path in files(".md"):
        content = text(path)
        for match in LINK.finditer(content):
            target, _, anchor = match[1].partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            other = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if not os.path.exists(other):
                found(path, line_of(content, match.start()), f"the link {match[1]} leads nowhere")
            elif anchor and other.endswith(".md") and anchor not in anchors(other):
                found(path, line_of(content, match.start()), f"there is no heading #{anchor} in {other}")
        for match in re.finditer(r"(?<![\w.])/(?:home|work|Users)/\w", content):
            found(path, line_of(content, match.start()), "names a path of one machine")
        for match in re.finditer(r"`((?:Sources|Tests|deploy|docs|scripts|storage)/[\w./+{},…-]*)`", content):
            choices = re.fullmatch(r"(.*)\{(.*)\}(.*)", match[1])
            names = [choices[1] + one + choices[3] for one in choices[2].split(",")] if choices else [match[1]]
            if not all("NAME" in name or glob.glob(name.replace("…", "*")) for name in names):
                found(path, line_of(content, match.start()), f"names {match[1]}, which is not there")
    for path in files("", under=("Sources/", "deploy/", "scripts/", "Tests/")):
        try:
            content = text(path)
        except UnicodeDecodeError:
            continue
        for match in re.finditer(r"(?<![\w/.])(?:docs|/usr/share/doc/dayly)/([\w-]+\.md)(?:#([\w-]+))?", content):
            page = {"NEWS.md": "CHANGELOG.md", "README.md": "README.md", "SECURITY.md": "SECURITY.md"}.get(match[1], "docs/" + match[1])
            if not os.path.exists(page):
                found(path, line_of(content, match.start()), f"names {match[0]}, which is not there")
            elif match[2] and match[2] not in anchors(page):
                found(path, line_of(content, match.start()), f"there is no heading #{match[2]} in {page}")
    size = os.path.getsize("README.md")
    if size > 8192:
        found("README.md", 0, f"has {size} bytes; 8192 are the most")


# Metrics


def metrics():
    """docs/monitoring.md lists the metrics of the code."""
    labels = re.compile(r'(Counter|Gauge|Meter|Timer|Recorder|increment)\(\s*(?:label: )?"(dayly_\w+)"')
    names, loose = set(), set()
    for path in files(".swift", under=("Sources/",)):
        content = text(path)
        for kind, label in labels.findall(content):
            names.add(label + "_total" if kind == "Counter" and not label.endswith("_total") else label)
        loose |= set(re.findall(r'"((?:dayly|process)_[a-z_]+)"', content))
    page = "docs/monitoring.md"
    table = text(page).partition("\n## Metrics\n")[2]
    listed = set(re.findall(r"`((?:dayly|process)_\w+)`", "\n".join(re.findall(r"(?m)^\| (.*?) \|", table))))
    for name in sorted(names - listed):
        found(page, 0, f"the table of metrics lacks {name}")
    for name in sorted(listed):
        parts = [name, name.removesuffix("_total"), name.removesuffix("_bytes").removesuffix("_limit")]
        if not any(part in loose for part in parts):
            found(page, 0, f"lists the metric {name}, which the code does not have")
    for other in files(".md", under=("docs/",)):
        for name in sorted(set(re.findall(r"`(dayly_[a-z_]+)\b", text(other))) - listed):
            found(other, 0, f"names {name}, which is not in the table of metrics")


# Guards


def guards():
    """A line `Guard:` above a test names code that exists."""
    code, named = [], []
    for path in files("", under=("Sources/", "Tests/", "scripts/", "migrations/", "deploy/")):
        if path.endswith((".swift", ".c", ".h", ".cpp", ".sql", ".sh", ".yaml", ".py", ".json", ".js")) \
                or path.startswith(("scripts/", "deploy/")):
            own, rest = guards_of(text(path)) if path.startswith(("Tests/", "scripts/")) else ([], text(path))
            named += [(path, guard) for guard in own]
            code.append(rest)
    words = set(re.findall(r"\w+", "\n".join(code)))
    stems = {os.path.splitext(os.path.basename(other))[0] for other in files("", under=("Sources/", "Tests/", "scripts/", "deploy/"))}
    for path, guard in named:
        names = re.findall(r"`([^`]+)`", guard.place)
        if not names:
            found(path, guard.line, "say where the guard stands: Guard: a rule (`Type.function`)")
        for word in re.findall(r"[A-Za-z_][\w+-]*", " ".join(names)):
            if not all(part in words or part in stems for part in re.split(r"[+-]", word) if part):
                found(path, guard.line, f"the guard names {word}, which is not in the code")


# Dependencies


def dependencies():
    """A target imports each module that Package.swift declares for it."""
    package = json.load(sys.stdin)
    # The helpers of Package.swift give these to each target of their kind.
    given = {
        folder: set(re.findall(r'"(\w+)"', re.search(r"func " + name + r"\(.*?\n}", text("Package.swift"), re.S)[0]))
        for folder, name in (("Sources/Features/", "feature"), ("Sources/Products/", "feature"), ("Tests/", "tests"))
    }
    kinds = {target["name"]: target for target in package["targets"]}
    for target in package["targets"]:
        if target["module_type"] != "SwiftTarget":
            continue
        content = "\n".join(text(os.path.join(target["path"], source)) for source in target["sources"])
        imported = set(re.findall(r"(?m)^\s*(?:@\w+ )*(?:\w+ )?import (?:\w+ )?(\w+)", content))
        for name in target.get("target_dependencies", []) + target.get("product_dependencies", []):
            if kinds.get(name, {}).get("type") in ("executable", "snippet") and target["type"] != "executable":
                continue
            if any(target["path"].startswith(folder) and name in names for folder, names in given.items()):
                continue
            if name not in imported:
                found("Package.swift", 0, f"{target['name']} does not import {name}")


# Settings


def settings():
    """Every setting that a text names exists."""
    keys = set(re.findall(r"(?m)^\| `([a-z0-9_.]+)`", text("docs/configuration.md")))
    hints = {hint for path in glob.glob("Sources/Products/*/API/*Hints.swift") for hint in re.findall(r'= "([\w.]+)"', text(path))}
    # Texts of the web client have keys of the same form.
    texts = json.loads(text("Sources/Web/locales/en.json"))
    firsts = "|".join(sorted({key.split(".")[0] for key in keys}))
    name = re.compile(rf"(?<![\w./@-])(?<!\\\()((?:{firsts})(?:\.[a-z0-9_]+)+)(?![\w(@-])")
    for path in files(".md", ".swift", under=("docs/", "Sources/", "README.md", "CONTRIBUTING.md", "Tests/README.md")):
        # In a store, `photos.expires_at` is a column.
        if os.path.basename(path).count("Store"):
            continue
        # In an article on a client, `focus.queue` is Swift.
        if ".docc/" in path:
            continue
        content = text(path)
        said = re.finditer(r'"[^"\n]*"|///.*|`[^`\n]*`', content) if path.endswith(".swift") else [re.match("(?s).*", content)]
        for part in said:
            for match in name.finditer(part[0]):
                # A limit of a rate is named after its window, web.push.apple.com is a host, focus.md is a page, and two hints
                # of streams are named after their product.
                windows = (".minute", ".hour", ".day", ".week", ".com", ".md")
                known = match[1] in texts or match[1] in hints or any(key.startswith(match[1]) for key in keys)
                if match[1].endswith(windows) or known:
                    continue
                found(path, line_of(content, part.start() + match.start()), f"{match[1]} is not a setting")


# Access


def access():
    """No other target sees a feature's store, service, routes or sweep unless it uses them."""
    words = {path: set(re.findall(r"\w+", text(path))) for path in files(".swift", under=("Sources/",))}
    declared = re.compile(r"(?m)^package (?:final )?(?:struct|class) (\w+(?:Store|Service|Routes|Sweep))\b")
    for path in [path for path in words if path.startswith(("Sources/Features/", "Sources/Products/"))]:
        folder, content = "/".join(path.split("/")[:3]) + "/", text(path)
        for match in declared.finditer(content):
            if not any(match[1] in known for other, known in words.items() if not other.startswith(folder)):
                found(path, line_of(content, match.start(1)), f"no other target uses {match[1]}: leave out `package`")


# Stores


def stores():
    """A store that keeps nothing is an enum of static functions: nobody makes an empty value to call it."""
    declared = re.compile(r"(?ms)^(?:\w+ )?struct (\w+Store)\b[^\n]*\{\n(.*?)^\}")
    for path in files(".swift", under=("Sources/",)):
        content = text(path)
        for match in declared.finditer(content):
            if not re.search(r"(?m)^    (?:private |package )?(?:let|var) \w+[^\n{]*$", match[2]):
                found(path, line_of(content, match.start(1)), f"{match[1]} keeps nothing: make it an enum of static functions")


# Units


def units():
    """No unit of systemd removes the shared memory of another service's user when it ends."""
    for path in files(".service", under=("deploy/",)):
        users = re.findall(r"(?m)^User=(\S+)", text(path))
        if "postgres" in users and not re.search(r"(?m)^RemoveIPC=no$", text(path)):
            found(path, 0, "runs as postgres, so it needs RemoveIPC=no")


RULES = {
    "names": file_names, "products": product_names, "problems": problem_codes, "sql": sql_places, "triggers": trigger_lines, "writers": writers, "comments": comments,
    "documents": documents, "metrics": metrics, "guards": guards, "settings": settings, "access": access, "stores": stores, "units": units,
    "dependencies": dependencies,
}

if sys.argv[1:] == ["--list"]:
    print("\n".join(f"{name}: {rule.__doc__}" for name, rule in RULES.items()))
    sys.exit(0)
for rule in sys.argv[1:] or [name for name in RULES if name != "dependencies"]:
    RULES[rule]()
print("\n".join(findings))
sys.exit(1 if findings else 0)
