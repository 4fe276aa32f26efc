"""Prints the licences and notices of the Swift packages in Package.resolved and of Swift's own libraries, which the programs
contain.
"""

import json
import os
import shutil

CHECKOUTS = ".build/checkouts"


def texts(folder):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.upper().startswith(("LICENSE", "NOTICE")) and os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                yield f"--- {name}\n\n{file.read().strip()}\n"


def show(title, folder):
    print(f"{'=' * 78}\n{title}\n{'=' * 78}\n")
    print("\n".join(texts(folder)))


with open("Package.resolved", encoding="utf-8") as resolved:
    for pin in json.load(resolved)["pins"]:
        place = pin["location"].removesuffix(".git")
        show(f"{pin['identity']} {pin['state'].get('version', '')}\n{place}", os.path.join(CHECKOUTS, os.path.basename(place)))

toolchain = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift"))))
show("Swift: standard library, Foundation, Dispatch", os.path.join(toolchain, "share", "swift"))
