"""People with a phone-sized browser each. Texts come from the catalogue, so that a better word breaks no test."""

import itertools
import json
import re
from contextlib import suppress

from playwright.sync_api import Error, expect

from member import Member
from service import ROOT, until

TEXTS = {key: text for folder in ("", "focus/", "companion/")
         for key, text in json.loads((ROOT / f"Sources/Web/{folder}locales/en.json").read_text()).items()}
# In a script of the page: the stores of the app, which the page has already.
STORES = '''await import(document.querySelector("script[type=module]").src.replace("first.js", "app/stores.js"))'''
PHONE = {"width": 390, "height": 844}
_numbers = itertools.count(100)

# Runs before every page: tells of each violation of the policy at once, since a page forgets it when it is left.
VIOLATION = "violation of the policy: "
WATCH = f"""
addEventListener("securitypolicyviolation", ({{ effectiveDirective, blockedURI, sample }}) =>
  console.error(`{VIOLATION}${{effectiveDirective}} ${{blockedURI}} ${{sample}}`));
"""


def t(key, **values):
    """The English text of a key. As in the client, names stand apart from the direction of the text around them."""
    entry = TEXTS[key]
    if not isinstance(entry, str):
        count = values.get("count")
        entry = entry.get(f"={count}") or entry["one" if count == 1 else "other"]
    for name in values.keys() & {"name", "group", "groups"}:
        values[name] = f"\u2068{values[name]}\u2069"
    if "{life}" in entry:
        values.setdefault("life", t("life.days", count=2))
    return re.sub(r"\{(\w+)\}", lambda match: str(values.get(match[1], match[0])), entry)


class Person:
    """A person with a browser of their own. `faults` are errors and requests that a page must not make."""

    # The people of the running test.
    all = []

    def __init__(self, browser, service, name, profile=None, **options):
        self.service, self.name = service, name
        self.number = f"+1415555{next(_numbers):04d}"
        self.member = None
        # The address by which this person reaches the service.
        self.own = options.get("base_url", service.url)
        # Words of the faults that a test itself brings about.
        self.expected = ()
        self.faults, self.trace, self.is_open = [], [], True
        Person.all.append(self)
        options = {"viewport": PHONE, "locale": "en-US", "timezone_id": "Europe/Berlin", "permissions": ["camera"],
                   "base_url": service.url, **options}
        # With a profile the browser keeps on the disk what a person's browser keeps.
        self.context = (browser.launch_persistent_context(str(profile), **options) if profile
                        else browser.new_context(**options))
        self.context.add_init_script(WATCH)
        self.context.on("request", self._on_request)
        self.page = self.new_page()

    def new_page(self):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("console", self._on_console)
        page.on("response", self._on_response)
        page.on("requestfailed", lambda request: self.trace.append(f"{request.method} {request.url}: {request.failure}"))
        return page

    def _on_console(self, message):
        (self.faults if message.text.startswith(VIOLATION) else self.trace).append(f"{message.type}: {message.text}")

    def _on_response(self, response):
        if "/v1/" in response.url:
            self.trace.append(f"{response.request.method} {response.url}: {response.status}")

    def _on_request(self, request):
        if not request.url.startswith((self.own, "blob:", "data:")):
            self.faults.append(f"request to another host: {request.url}")

    def report(self, folder):
        """Leaves pictures of the pages, and what they did last, for whoever looks at a failure."""
        for number, page in enumerate(self.context.pages if self.is_open else []):
            page.screenshot(path=folder / f"{self.name}-{number}.png")
            self.trace.append(f"page {number} is at {page.url}")
        (folder / f"{self.name}.log").write_text("\n".join([*self.trace[-200:], *self.faults, ""]))

    def close(self):
        if not self.is_open:
            return
        self.is_open = False
        # An answer that a test holds or changes may still be under way.
        with suppress(Error):  # A test may have closed the browser itself.
            for one in (*self.context.pages, self.context):
                one.unroute_all(behavior="ignoreErrors")
        self.context.close()
        faults = [fault for fault in self.faults if not any(word in fault for word in self.expected)]
        assert not faults, f"{self.name}'s pages: {faults}"

    # Finding things as a person does

    def button(self, key, **values):
        return self.page.get_by_role("button", name=t(key, **values), exact=True)

    def link(self, key, **values):
        return self.page.get_by_role("link", name=t(key, **values), exact=True)

    def heading(self, text):
        return self.page.get_by_role("heading", name=text, exact=True)

    def sees(self, text):
        expect(self.page.get_by_text(text).first).to_be_visible()

    def go(self, path):
        self.page.goto(path)
        self.page.wait_for_selector("html[data-ready]")

    def is_controlled(self):
        """Waits until the worker answers the page's requests. It comes after the first screen."""
        until(lambda: self.page.evaluate("Boolean(navigator.serviceWorker.controller)"), 60, "control by the worker")

    # What people do

    def find_new_version(self):
        """Returns to the foreground until the page has found a new version. A look that is under way sees the old one."""
        def look():
            self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            self.page.wait_for_timeout(1_000)
            return self.button("banner.update").is_visible()
        until(look, 30, "a new version")

    def ask_for_code(self, after=0):
        self.go("/sign-in")
        self.page.get_by_label(t("phone.number"), exact=True).fill(self.number)
        self.button("phone.send").click()
        return self.service.code_for(self.number, after)

    def type_code(self, code):
        self.page.get_by_label(t("code.label")).fill(code)

    def sign_in(self):
        self.type_code(self.ask_for_code())
        self.heading(t("name.title")).wait_for()
        self.page.get_by_label(t("name.label"), exact=True).fill(self.name)
        self.page.locator("main button[type=submit]").click()
        self.button("groups.new").wait_for()
        return self

    def arrive(self):
        """Signs in without a screen, which is quicker. The page stays empty."""
        self.member = Member(self.service, self.name, self.number).sign_in()
        name, value = self.member.cookie.split(";")[0].split("=", 1)
        self.context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/v1/auth",
                                   "httpOnly": True, "sameSite": "Strict"}])
        return self

    def make_group(self, name, *others):
        self.button("groups.new").click()
        self.page.get_by_label(t("newGroup.name"), exact=True).fill(name)
        for other in others:
            self.page.get_by_label(t("contacts.number"), exact=True).fill(other.number)
            self.button("contacts.add").click()
            self.chips().last.wait_for()
        self.button("newGroup.make").click()
        self.heading(name).wait_for()
        return self.page.url.rsplit("/", 1)[1]

    def chips(self):
        """The people that are chosen for a group."""
        return self.page.locator(".chip")

    def join(self, group):
        self.go("/invites")
        self.sees(group)
        self.button("invites.join").first.click()
        self.page.wait_for_url("**/g/*")
        self.heading(group).wait_for()

    def take_photo(self, group):
        self.link("groups.take", group=group).click()
        self.button("camera.take").click(timeout=15_000)
        self.button("preview.send", groups=group).click()

    def photos(self):
        """The pictures of the open group that are shown sharp."""
        return self.page.locator("main a.tile day-photo:not(.sending) .picture.sharp")

    def version(self):
        """The version of the page; None while it is being loaded."""
        try:
            return self.page.evaluate("JSON.parse(document.querySelector('meta[name=dayly-config]').content).version")
        except Error:
            return None

    def kept_pictures(self):
        return [path for path in self.kept()["caches"] if path.startswith("/photos/")]

    def kept(self):
        """What the browser keeps: the addresses of Cache Storage, and the databases."""
        return self.page.evaluate("""async () => {
          const all = [];
          for (const name of await caches.keys()) {
            if (name.startsWith("dayly-shell-")) continue;
            for (const request of await (await caches.open(name)).keys()) all.push(new URL(request.url).pathname);
          }
          return { caches: all, databases: (await indexedDB.databases()).map(({ name }) => name) };
        }""")


def worker_of(person):
    """A CDP session, the origin and the registration of a person's worker."""
    person.is_controlled()
    session = person.context.new_cdp_session(person.page)
    registrations = []
    session.on("ServiceWorker.workerRegistrationUpdated",
               lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]))
    session.send("ServiceWorker.enable")
    # Only a call to the page lets Playwright deliver the event.
    until(lambda: person.page.evaluate("0") or registrations, 60, "a registration")
    return session, {"origin": person.service.url, "registrationId": registrations[-1]}
