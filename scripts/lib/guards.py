"""The guards and the tests that hold them, from the lines `Guard:` above tests (Tests/README.md).

usage: guards.py [WORD…]     prints guard, place and tests as a table; with words, the rows that have them all
"""

import os
import re
import sys
from collections import namedtuple

Guard = namedtuple("Guard", "line rule place test")

COMMENT = re.compile(r"\s*(?:///?|#)(?: (.*)|$)")
TEST = re.compile(r"\s*(?:@?\w+(?: \w+)* = )?@?[\w.]+[( ]\s*(?:name: )?([\"`])((?:\\.|(?!\1).)*)\1|\s*(?:async )?def (\w+)")


def guards_of(content):
    """The guards that a file names, and the file without these lines. A guard above a blank line is one of the whole file."""
    guards, kept, open_guards = [], [], []
    lines = content.splitlines()
    for index, line in enumerate(lines):
        comment = COMMENT.match(line)
        if comment and (comment[1] or "").startswith("Guard: "):
            open_guards.append([index + 1, comment[1].removeprefix("Guard: ")])
        elif comment and open_guards:
            open_guards[-1][1] += " " + (comment[1] or "")
        else:
            test = TEST.match("\n".join(lines[index:index + 2])) if open_guards else None
            for number, said in open_guards:
                rule, _, place = said.partition(" (")
                place = place[:-1] if place.endswith(")") else ""
                guards.append(Guard(number, rule, place, (test[2] or test[3]) if test else ""))
            open_guards = []
            kept.append(line)
    return guards, "\n".join(kept)


def files():
    for top in ("Tests", "scripts"):
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(set(folders) - {"__pycache__"})
            for name in sorted(names):
                if name.endswith((".swift", ".py", ".js", ".sh")) or top == "scripts":
                    yield os.path.join(folder, name)


def main(words):
    table = {}
    for path in files():
        with open(path, encoding="utf-8") as file:
            for guard in guards_of(file.read())[0]:
                test = f"{os.path.basename(path)}: {guard.test}".removesuffix(": ")
                table.setdefault((guard.rule, guard.place), []).append(test)
    print("| guard | where | tests |\n| --- | --- | --- |")
    for (rule, place), tests in table.items():
        row = f"| {rule} | {place} | {'; '.join(tests)} |"
        if all(word.lower() in row.lower() for word in words):
            print(row)


if __name__ == "__main__":
    main(sys.argv[1:])
