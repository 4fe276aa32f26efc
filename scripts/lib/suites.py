"""The suites of scripts/test: the table of all, and the runner, which keeps two cores busy.

usage: suites.py [FILTER…]          runs the suites, or those of these names, or the Swift tests that match the filters
       suites.py --needs [FILTER…]  prints what these need
       suites.py --missing          reads the names of test targets and prints those that no suite runs

Each suite's output goes to .dayly/test/NAME.log, a line on its end to .dayly/test/summary, and the lines that say what failed
to .dayly/test/failures.log.
"""

import os
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[2] / ".dayly/test"
CORES = 2
# The suites of no haste: they run one after the other beside all others, with a low priority.
SPARE = 0
# Nothing runs beside it, not even one of those.
ALONE = 3
LIBRARIES = "set -euo pipefail; for file in common web operations; do . scripts/lib/$file.sh; done; "


class Suite(NamedTuple):
    name: str
    # How much of the cores it takes; SPARE or ALONE. A suite of CORES has only the spare ones beside it.
    cores: float
    # A command of Bash. Suites of Swift tests have `targets` instead.
    command: str = ""
    # Filters of Swift tests.
    targets: tuple = ()
    # `tests` are all programs with their tests, `dayly` is the service alone; others are tools (scripts/test).
    needs: tuple = ("tests",)
    needs_root: bool = False
    # The first line on a failure matches this, and those that follow it `further`.
    failure: str = r"^(E  |ERROR|error|MISS|  !)|FAILED|MISSED"
    further: str = r"(?!)"
    # Only a guard against hanging.
    minutes: int = 30


def swift(name, cores, *targets):
    return Suite(
        name, cores, targets=targets or (rf"^{name}\.",), failure=r"^✘|^error|Fatal error", further="^↳")


# In the order in which they start: the next one that the cores have room for. Together the suites would share two cores among
# hundreds of tests, and tests that measure seconds (a deadline, a pace) would measure wrong.
SUITES = [
    Suite("lint", SPARE, "scripts/lint", failure=r"^lint: |error:", further="^    "),
    # Pictures have a time limit, so it comes while the others wait more than they compute.
    swift("PhotoWorkersTests", 1),
    swift("EventsTests", 1),
    swift("HTTPGuardTests", 1),
    swift("JobsTests", 1),
    swift("MessagingTests", 1),
    swift("NotificationsTests", 1),
    swift("ObjectStorageTests", 1),
    swift("OutboundHTTPTests", 1),
    swift("PushTests", 1),
    swift("RestorationTests", 1),
    swift("AnalyticsTests", 1),
    swift("AuthTests", 1),
    swift("CompanionTests", 1),
    swift("CompanionClientTests", 1),
    swift("DailyPhotosTests", 1),
    swift("DaylyClientTests", 1),
    # Its doctors ask stores whose answers have a time limit.
    swift("DaylyServerTests", CORES),
    swift("FocusTests", 1),
    swift("FocusClientTests", 1),
    swift("GroupsTests", 1),
    swift("HTTPKitTests", 1),
    swift("PostgresTests", 1),
    swift("StoreReceiptsTests", 1),
    swift("PureTests", SPARE, *(
        rf"^{target}Tests\." for target in (
            "CivilTime", "DeviceIntake", "KeyDerivation", "PhoneNumbers", "RateLimiting", "Resilience", "Settings",
            "Telemetry"))),
    swift("CompanionRulesTests", SPARE),
    swift("FocusRulesTests", SPARE),
    Suite("Products", SPARE, "python3 scripts/lib/products.py"),
    Suite("WebUnit", SPARE, "web_unit", needs=(), failure="^ ERRORS", further=""),
    Suite("plans", SPARE, "scripts/bench scale --sizes 10000,100000 --buffers-only --debug --check"),
    Suite("Fuzz", SPARE, "scripts/fuzz --smoke"),
    # It starts a systemd, which has to be up in time: not while the first suites leave nothing of the cores.
    Suite("Package", SPARE, "scripts/package --debug --try --output .dayly/test/package",
          needs=("tests", "package"), needs_root=True),
    # They compute most. The random run has a process of its own; a filter that matches a suite chooses all of its tests.
    swift("FaultTests", 1, r"^FaultTests\.(?!FaultTests$|FaultTests/random)"),
    swift("FaultRandom", 1, r"^FaultTests\.FaultTests/random"),
    # These start processes and wait for them.
    swift("EndToEndTests", 0.6),
    Suite("Proxies", 0.6, "operations_proxies", needs=("dayly", "operations")),
    Suite("Monitoring", 0.6, "operations_monitoring", needs=("dayly", "operations")),
    Suite("RestoreDrill", 0.6, "scripts/restore-drill", needs=("tests", "backups")),
    Suite("WebEngines", 0.6, "web_engines", needs=("dayly", "engines")),
    # Beside browsers the tests of processes take ten times as long.
    Suite("WebBrowser", CORES, "web_browser", needs=("dayly", "browser")),
    # It measures seconds.
    Suite("Cluster", ALONE, "scripts/cluster --quick", needs=("tests", "cluster"), needs_root=True),
]


def chosen(filters):
    """The suites of these names, and one of the Swift tests that match the other filters."""
    named = [suite for suite in SUITES if suite.name in filters and suite.command]
    others = [name for name in filters if name not in {suite.name for suite in named}]
    if others:
        named.append(swift("tests", CORES, *others))
    return named or [suite for suite in SUITES if not suite.needs_root or os.geteuid() == 0]


def has_room(suite, running):
    if suite.cores == ALONE:
        return not running
    if suite.cores == SPARE:
        return all(other.cores not in (SPARE, ALONE) for other in running)
    return sum(other.cores for other in running) + suite.cores <= CORES


def arguments(suite, is_one_of_many):
    command = ["bash", "-c", LIBRARIES + suite.command]
    if suite.targets:
        # The program itself: `swift test` would let only one of two suites run at a time. It ends with 69 without any test.
        command = [".build/debug/daylyPackageTests.xctest", "--testing-library", "swift-testing"]
        command += [word for target in suite.targets for word in ("--filter", target)]
    first = ["nice", "-n", "15"] if is_one_of_many and suite.cores == SPARE else []
    return first + ["timeout", "--kill-after", "20", str(suite.minutes * 60), *command]


def failures(suite, log, status):
    """The lines that say what failed; the last ones where none does."""
    lines, found, is_on = log.read_text(errors="replace").splitlines(), [], False
    for line in lines:
        is_on = bool(re.search(suite.failure, line) or is_on and re.search(suite.further, line))
        if is_on:
            found.append(line)
    yield from found or [f"{suite.name}: {line}" for line in lines[-5:]]
    if status == 124:
        text = "\n".join(lines)
        ended = set(re.findall(r'Test "(.*)" .*(?:passed|failed) after ', text))
        for name in dict.fromkeys(re.findall(r'^◇ Test "(.*)" started', text, re.MULTILINE)):
            if name not in ended:
                yield f"no end after {suite.minutes} min: {name}"


def run(suite, is_one_of_many):
    """The exit status. Its CPU time tells a suite that works from one that waits; the servers that all suites share are not in
    it."""
    print(f"==> Testing {suite.name}", file=sys.stderr, flush=True)
    began, path = time.monotonic(), FOLDER / f"{suite.name}.log"
    with open(path, "wb") as log:
        process = subprocess.Popen(
            arguments(suite, is_one_of_many), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=os.environ | {"NO_COLOR": "1"})
        for line in process.stdout:
            log.write(line)
            log.flush()
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
    _, status, usage = os.wait4(process.pid, 0)
    status = process.returncode = os.waitstatus_to_exitcode(status)
    spent = f"{time.monotonic() - began:.0f} s, {usage.ru_utime + usage.ru_stime:.0f} s of CPU time"
    with open(FOLDER / "summary", "a") as summary:
        print(f"{suite.name}: " + (
            f"passed in {spent}" if status == 0 else f"FAILED (exit status {status}) after {spent}"), file=summary)
    if status != 0:
        with open(FOLDER / "failures.log", "a") as file:
            file.writelines(line + "\n" for line in failures(suite, path, status))
    return status


def run_all(suites):
    """The exit status of the first suite that failed, or 0."""
    waiting, running, ended, result = list(suites), [], queue.Queue(), 0
    while waiting or running:
        for suite in list(waiting):
            if has_room(suite, running):
                waiting.remove(suite)
                running.append(suite)
                threading.Thread(
                    target=lambda suite=suite: ended.put((suite, run(suite, len(suites) > 1))), daemon=True).start()
        suite, status = ended.get()
        running.remove(suite)
        result = result or status
    return result


if __name__ == "__main__":
    if sys.argv[1:] == ["--missing"]:
        known = " ".join(target for suite in SUITES for target in suite.targets)
        sys.stdout.writelines(f"{name}\n" for name in sys.stdin.read().split() if rf"^{name}\." not in known)
    elif sys.argv[1:2] == ["--needs"]:
        print(*sorted({need for suite in chosen(sys.argv[2:]) for need in suite.needs}))
    else:
        try:
            sys.exit(run_all(chosen(sys.argv[1:])))
        except KeyboardInterrupt:
            # scripts/test ends what is running.
            os._exit(130)
