"""The budgets of docs/web.md that a busy machine cannot change: bytes, the CPU time of tasks, and the served program itself."""

import itertools
import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from person import t
from service import ROOT, make_folder, until

SOURCE = ROOT / "Sources/Web"
JOINED_STYLES = re.findall(r'@import "\./([^"]+)"', (SOURCE / "first.css").read_text())
# Compressed code and styles that a browser has received when the first screen can be used.
MOST_BYTES = 38_200
# Milliseconds of CPU time of a task on a page's main thread.
LONGEST_TASK = 50
# What a trace calls scripts that go on after `await`.
AFTER_AWAIT = "BlinkScheduler_PerformMicrotaskCheckpoint"
# Milliseconds until each answer, so that what is asked for after the first screen does not arrive before it is seen.
LATENCY = 400

WATCH = """
globalThis.received = null;
const look = () => {
  const button = [...document.querySelectorAll("main button")].find((one) => one.textContent.trim() === %s);
  if (!button) return requestAnimationFrame(look);
  const now = performance.now();
  globalThis.received = performance.getEntriesByType("resource")
    .filter(({ name, responseEnd }) => /\\.(js|css)$/.test(name) && responseEnd <= now)
    .map(({ name, encodedBodySize }) => [name.split("/").slice(5).join("/"), encodedBodySize]);
};
addEventListener("DOMContentLoaded", look);
"""


def first_load(person, key):
    """Opens Dayly in a browser that has nothing of it: the size of each file that came before the button."""
    person.context.add_init_script(WATCH % json.dumps(t(key)))
    network = person.context.new_cdp_session(person.page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1})
    person.page.goto("/")
    return dict(until(lambda: person.page.evaluate("globalThis.received"), 30, "the first screen"))


def assert_within(received):
    total = sum(received.values())
    assert received["first.js"] > 0 and total <= MOST_BYTES, f"{total} bytes in {len(received)} files: {received}"


# Guard: what the first screen does not need comes after it (`main.js`, `all.js`)
def test_a_stranger_gets_the_welcome_screen_within_the_budget(somebody):
    assert_within(first_load(somebody("Nobody"), "welcome.start"))


# Guard: what the first screen does not need comes after it (`main.js`, `all.js`)
def test_a_signed_in_person_gets_the_groups_within_the_budget(two, somebody):
    ada, _, _ = two
    # This browser has the cookie and nothing else.
    assert_within(first_load(somebody("Ada", storage_state=ada.context.storage_state()), "groups.new"))


def main_thread_tasks(trace):
    """The tasks of the pages' main threads, longest first: milliseconds of CPU time of the page's own work in them
    (scripts, styles, layout, paint), and what took most of it. A browser's own messages are none of the page's work."""
    events = json.loads(trace)["traceEvents"]
    mains = {(one["pid"], one["tid"]) for one in events
             if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"}
    timed = sorted((one for one in events if (one["pid"], one["tid"]) in mains and "tdur" in one),
                   key=lambda one: (one["pid"], one["tid"], one["ts"], -one["dur"]))
    tasks, task, counted_until = [], None, 0
    for one in timed:
        if one["name"] == "RunTask":
            if task is None or (one["pid"], one["tid"]) != task["thread"] or one["ts"] >= task["end"]:
                task = {"thread": (one["pid"], one["tid"]), "end": one["ts"] + one["dur"], "work": 0, "inside": []}
                tasks.append(task)
                counted_until = 0
        elif ("devtools.timeline" in one["cat"] or one["name"] == AFTER_AWAIT) and task and one["ts"] < task["end"]:
            if one["tdur"] > 1000:
                task["inside"].append(f"{one['name']} {one['tdur'] / 1000:.0f}")
            # Work inside of work is counted once.
            if one["ts"] >= counted_until:
                task["work"] += one["tdur"] / 1000
                counted_until = one["ts"] + one["dur"]
    return sorted(((one["work"], one["inside"]) for one in tasks), key=lambda one: -one[0])


# Guard: a picture is made ready beside the page (`app/picture-thread.js`)
def test_no_task_is_long_on_the_way_from_the_groups_to_the_camera(two, browser):
    ada, grace, group = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    threads = []
    grace.page.on("worker", lambda worker: threads.append(worker.url))
    browser.start_tracing(page=grace.page, categories=["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"])
    grace.go("/")
    grace.link("groups.take", group="Family").wait_for()
    grace.page.get_by_role("link", name="Family", exact=True).click()
    grace.photos().first.click()
    grace.page.get_by_role("img", name=t("viewer.by", name="Ada")).wait_for()
    grace.page.keyboard.press("Escape")
    grace.heading("Family").wait_for()
    grace.go("/")
    grace.link("groups.take", group="Family").click()
    grace.button("camera.take").click(timeout=15_000)
    grace.button("preview.send", groups="Family").wait_for()
    tasks = main_thread_tasks(browser.stop_tracing())
    assert len(tasks) > 100 and tasks[0][0] <= LONGEST_TASK, tasks[:3]
    # The picture was made ready in another thread.
    assert [url.endswith("/worker/preparing.js") for url in threads] == [True]


# Guard: the served program is the one of the folder (`web_bundle.py`)
def test_the_served_program_is_the_program_of_the_folder(somebody):
    person = somebody("Nobody")
    person.go("/")
    served, version = make_folder(ROOT / ".dayly/test/web/served"), person.version()
    paths = sorted(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*")
                   if path.suffix in (".js", ".css") and path.name != "sw.js" and path.stem != "first")
    paths = [path for path in paths if path not in JOINED_STYLES]
    for path in paths:
        # The page has this one in itself.
        if path == "app/early.js":
            body = person.page.locator("script[data-files]").text_content().encode()
        else:
            answer = person.context.request.get(f"/app/{version}/{path}")
            assert answer.ok, path
            body = answer.body()
        (served / path).parent.mkdir(parents=True, exist_ok=True)
        (served / path).write_bytes(body)
    deno = ROOT / ".dayly/tools/web/venv/bin/deno"
    compared = subprocess.run(
        [deno, "test", "--quiet", "--no-check", f"--allow-read={SOURCE},{served}", Path(__file__).with_name("same_program.js"),
         "--", SOURCE, served, *paths], capture_output=True, text=True,
        env={"DENO_DIR": str(ROOT / ".dayly/cache/deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1", "HOME": "/nonexistent"})
    assert compared.returncode == 0 and f"{len(paths)} passed" in compared.stdout, compared.stdout[-2000:] + compared.stderr


RELATIVE = re.compile(r'import\("[^"]*"|new URL\("[^"]*", import\.meta\.url\)|import\.meta\.url')
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def numbers(segment):
    """The numbers of a segment of a source map (ECMA-426, base64 VLQ)."""
    shift = value = 0
    for digit in map(DIGITS.index, segment):
        value, shift = value | (digit & 31) << shift, shift + 5
        if digit < 32:
            yield -(value >> 1) if value & 1 else value >> 1
            shift = value = 0


def lines_of(mappings):
    """The source and its line, by the line of the bundle."""
    source = line = 0
    for at, segment in enumerate(mappings.split(";")):
        if segment:
            _, in_sources, in_lines, _ = numbers(segment)
            source, line = source + in_sources, line + in_lines
            yield at, source, line


# Guard: the served program is the one of the folder (`web_bundle.py`)
def test_the_bundles_have_each_line_of_their_modules_and_styles_in_its_place(somebody):
    person = somebody("Nobody")
    person.go("/")

    def served(path):
        answer = person.context.request.get(f"/app/{person.version()}/{path}")
        assert answer.ok, path
        return answer.text()

    # A debugger follows the source map from each line of the bundle.
    joined, source_map = served("first.js").split("\n"), json.loads(served("first.js.map"))
    assert joined[-1] == "//# sourceMappingURL=first.js.map"
    found = {name: [] for name in source_map["sources"]}
    for at, source, line in lines_of(source_map["mappings"]):
        lines = found[source_map["sources"][source]]
        assert line == len(lines)
        lines.append(joined[at])
    for name, lines in found.items():
        in_statement = False
        for given, own in itertools.zip_longest(lines, served(name).split("\n")):
            if in_statement or own.startswith(("import ", "export {")):
                in_statement = ";" not in own
                assert re.fullmatch(r"(const \{.*\} = \$\d+;)?", given), (name, given, own)
            else:
                # In the bundle addresses begin at the top.
                here = [RELATIVE.sub("import", line) for line in (given, own.removeprefix("export "))]
                assert here[0] == here[1], (name, given, own)
    # The worker of pictures has no import map, and the joined modules are not kept for the time without a network.
    worker = (SOURCE / "worker/preparing.js").read_text()
    imported = re.findall(r'from "\.\./([^"]+)"', worker)
    assert imported and not set(imported) & set(source_map["sources"])
    rules = lambda text: "".join(re.sub(r"/\*.*?\*/", "", text, flags=re.S).split())  # noqa: E731
    assert len(JOINED_STYLES) > 3
    assert rules(served("first.css")) == "".join(rules((SOURCE / name).read_text()) for name in JOINED_STYLES)
