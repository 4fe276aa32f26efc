"""Opens the web client in Chromium, on a phone-sized page with a processor four times slower and 150 ms until each answer, and
prints the milliseconds until the first screen can be used:

  welcome   a stranger who has nothing of Dayly
  groups    a signed-in person whose browser has nothing of Dayly but the cookie
  again     the same person with the service worker

Each over HTTP/2 from HAProxy, as in production, and over HTTP/1.1 from `dayly serve`. The figures are medians of N runs.
"""

import json
import os
import statistics
import sys
from pathlib import Path

from bench import ROOT, Parser, bash, prepared

parser = Parser(__doc__)
parser.add("--runs", 5, "the medians of as many runs count")
options = parser.parse_args()
# Playwright is in an environment of its own.
PYTHON = ROOT / ".dayly/tools/browser/venv/bin/python"
if Path(sys.prefix) != PYTHON.parents[1]:
    bash("web_browser_install >&2")
    os.execv(PYTHON, [str(PYTHON), *sys.argv])

from playwright.sync_api import sync_playwright  # noqa: E402

TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "WebTests/browser"), str(TESTS / "ProxyTests")]

from conftest import ARGUMENTS, CHROMIUM  # noqa: E402
from person import PHONE, Person, t  # noqa: E402
from proxies import HAProxy  # noqa: E402
from service import Service, until  # noqa: E402

GOAL = 1_000  # milliseconds
LATENCY = 150  # milliseconds
SLOWDOWN = 4

# Runs before the page. A screen can be used at the first picture that has its button.
WATCH = """
globalThis.usable = null;
const look = () => {
  const found = [...document.querySelectorAll("main button")].some((one) => one.textContent.trim() === %s);
  if (found) setTimeout(() => globalThis.usable = performance.now());
  else requestAnimationFrame(look);
};
addEventListener("DOMContentLoaded", look);
"""


class Bench:
    def __init__(self, browser, service):
        self.browser = browser
        ada, grace = Person(browser, service, "Ada").sign_in(), Person(browser, service, "Grace")
        for name in ("Family", "Flat 4", "Climbing"):
            ada.make_group(name, grace)
            ada.go("/")
        self.cookies = ada.context.cookies(f"{service.url}/v1/auth/refresh")
        ada.close()
        grace.close()

    def context(self, url, cookies):
        context = self.browser.new_context(base_url=url, viewport=PHONE, locale="en-US", ignore_https_errors=True)
        context.add_cookies(cookies)
        return context

    def open(self, context, key):
        """Milliseconds from the navigation until the screen can be used, and the protocol."""
        page = context.new_page()
        page.add_init_script(WATCH % json.dumps(t(key)))
        slow = context.new_cdp_session(page)
        slow.send("Network.enable")
        slow.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1})
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        page.goto("/")
        time = until(lambda: page.evaluate("globalThis.usable"), 30, "the first screen")
        protocol = page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        return page, time, protocol

    def run(self, url):
        stranger = self.context(url, [])
        _, welcome, protocol = self.open(stranger, "welcome.start")
        stranger.close()
        ada = self.context(url, self.cookies)
        page, groups, _ = self.open(ada, "groups.new")
        until(lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"), 30, "control by the worker")
        page.close()
        page, again, _ = self.open(ada, "groups.new")
        # The service gives a new token with each start.
        self.cookies = ada.cookies(f"{url}/v1/auth/refresh")
        ada.close()
        return protocol, {"welcome": welcome, "groups": groups, "again": again}


def measure(options):
    folder = options.folder
    service = Service(folder)
    proxy = None
    try:
        service.start()
        proxy = HAProxy(folder, [service.line.target])
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=[*ARGUMENTS, "--ignore-certificate-errors"])
            bench = Bench(browser, service)
            found = {}
            for _ in range(options.runs):
                # They take turns, so that a slow moment of the machine falls on both.
                for url in (proxy.url, f"http://127.0.0.1:{service.line.target}"):
                    protocol, times = bench.run(url)
                    for name, time in times.items():
                        found.setdefault(protocol, {}).setdefault(name, []).append(time)
            browser.close()
        return {protocol: {name: round(statistics.median(all_)) for name, all_ in times.items()}
                for protocol, times in found.items()}
    finally:
        if proxy:
            proxy.stop()
        service.stop()


def main():
    with prepared(options, ["--no-fsync"], packages=["haproxy", "openssl"], on_core=False):
        os.environ["DAYLY_TEST_DATABASE_URL"] = options.database
        os.environ["DAYLY_TEST_BINARY"] = str(options.products / "dayly")
        found = measure(options)
    missed = [f"{name} over HTTP/2: {time} ms, wanted {GOAL}" for name, time in found["h2"].items() if time > GOAL]
    if options.json:
        print(json.dumps(found | {"missed": missed}))
    else:
        for protocol, times in found.items():
            print(f"{protocol:<9}", "   ".join(f"{name} {time} ms" for name, time in times.items()))
        for line in missed:
            print(f"missed: {line}")
    sys.exit(1 if options.check and missed else 0)


main()
