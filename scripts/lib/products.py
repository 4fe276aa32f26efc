"""The products that are one folder each: where else they may be named, and a build without one of them.

usage: products.py [PRODUCT…]   Checks that the service builds without each of these products; all unless some are named.

A copy of the sources loses the product's folders and its lines in the files of `NAMING`. Then its Package.swift must be whole, and
each target that used the product is compiled once more, against the modules of the debug build, which has to be there.

Lines of a product in Swift: those between `// begin: Product` and `// end: Product`, and each other line that names it. In
Package.swift: the targets and libraries whose names begin with it, or with a C before it, and their mention in others.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The files outside of a product's folders that name it; those of the web client stand in web_house.py.
NAMING = (
    "Package.swift", "Sources/Apps/DaylyServer/Running/Features.swift", "Sources/Apps/DaylyServer/Configuration/Product.swift",
    "Sources/Apps/DaylyServer/openapi.yaml",
)


def products(root=ROOT):
    """Photos is a part of the service, and the products for phones share Phones."""
    return sorted(folder.parent.name for folder in (root / "Sources/Products").glob("*/Service"))


def own(product):
    return tuple(f"{folder}/{product}/" for folder in ("Sources/Products", "Tests/Products")) + (f"Sources/Web/{product.lower()}/",)


def names(product):
    return re.compile(product, re.IGNORECASE)


def without_lines(product, path, text):
    if path == "Package.swift":
        return without_targets(product, text)
    text = re.sub(rf"(?ms)^ *// begin: {product}\n.*?// end: {product}\n", "", text)
    return "".join(line for line in text.splitlines(True) if not names(product).search(line))


def without_targets(product, text):
    """The entries of Package.swift's lists begin with eight blanks."""
    entry = re.compile(r"(?m)^ {8}\S.*\n(?:(?: {9,}.*)?\n)*(?: {8}[\])].*\n)?")
    mention = re.compile(rf'"C?{product}\w*"(?:, |,$|(?=\]))', re.MULTILINE)

    def rest(match):
        name = re.search(r'"(\w[\w-]*)"', match[0])
        if name and name[1].startswith((product, f"C{product}")) and re.match(r" {8}(?:\.?\w+\()", match[0]):
            return ""
        return mention.sub("", match[0])
    return entry.sub(rest, text)


def copy_without(product, folder):
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "Package.swift", "Sources", "Tests", "Examples"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for path in filter(None, tracked.split("\0")):
        source, target = ROOT / path, folder / path
        if path.startswith(own(product)) or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path in NAMING and path.endswith(".swift"):
            target.write_text(without_lines(product, path, source.read_text()))
        elif path.endswith((".swift", ".h", ".c", ".cpp", ".S", ".modulemap", ".xcprivacy")):
            shutil.copyfile(source, target)


def targets_of(text):
    """The targets of a Package.swift by name: (path, names of the targets that it uses)."""
    # In a folder of its own: SwiftPM waits for other builds of the same one.
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Package.swift").write_text(text)
        dump = subprocess.run(
            ["swift", "package", "dump-package", "--package-path", folder], check=True, capture_output=True, text=True).stdout
    return {
        target["name"]: (target["path"], {one["byName"][0] for one in target["dependencies"] if "byName" in one})
        for target in json.loads(dump)["targets"]
    }


def commands():
    """The compiler's arguments for each module, of the debug build."""
    modules = {}
    for line in (ROOT / ".build/debug.yaml").read_text().splitlines():
        if line.startswith('    args: ["') and '"-module-name"' in line:
            arguments = json.loads(line.partition("args: ")[2])
            modules[arguments[arguments.index("-module-name") + 1]] = arguments
    return modules


# The build's arguments that are left out: those with a value, and those without one.
WRITING = {"-emit-module-path", "-output-file-map", "-index-store-path"}
PLAIN = {"-emit-dependencies", "-parseable-output", "-incremental", "-c", "-enable-batch-mode", "-serialize-diagnostics"}


def compile_once(arguments, sources, modules, built):
    """Compiles a module into `modules`, which replaces the build's folder."""
    name, kept, given = arguments[arguments.index("-module-name") + 1], [], iter(arguments)
    for argument in given:
        if argument in WRITING:
            next(given)
        elif argument not in PLAIN and not argument.startswith(("@", "-j")):
            kept.append(str(modules) if argument == str(built) else argument)
    return subprocess.run(
        [*kept, "-whole-module-optimization", "-suppress-warnings", "-emit-module-path", modules / f"{name}.swiftmodule", *sources],
        check=False).returncode


def builds_without(product):
    """Prints what is wrong. Without anything the package is whole, and its programs compile."""
    with tempfile.TemporaryDirectory() as place:
        folder, modules = Path(place) / "tree", Path(place) / "modules"
        copy_without(product, folder)
        before, after = (targets_of((tree / "Package.swift").read_text()) for tree in (ROOT, folder))
        missing = [f"{name} needs {other}" for name, (_, uses) in after.items() for other in sorted(uses - after.keys())]
        missing += [f"{name} has no folder" for name, (path, _) in after.items() if not (folder / path).is_dir()]
        if missing or before.keys() == after.keys():
            return missing or [f"Package.swift has no target of {product}"]
        arguments = commands()
        built = Path(arguments["DaylyServer"][arguments["DaylyServer"].index("-emit-module-path") + 1]).parent
        gone = before.keys() - after.keys()
        # In the order of their dependencies.
        affected = []
        while more := [
            name for name, (path, uses) in after.items()
            if name not in affected and not path.startswith("Tests/") and (before[name][1] & gone or uses & set(affected))
        ]:
            affected += more
        modules.mkdir()
        for module in built.glob("*.swiftmodule"):
            if module.stem not in gone and module.stem not in affected:
                (modules / module.name).symlink_to(module)
        for name in affected:
            sources = sorted((folder / after[name][0]).rglob("*.swift"))
            if compile_once(arguments[name], sources, modules, built) != 0:
                return [f"{name} does not compile"]
        print(f"{product}: {len(gone)} targets gone, {', '.join(affected)} compiled without them", flush=True)
    return []


if __name__ == "__main__":
    status = 0
    for chosen in sys.argv[1:] or products():
        for finding in builds_without(chosen):
            print(f"error: without {chosen}: {finding}")
            status = 1
    sys.exit(status)
