"""A person with a browser, in words that every engine understands."""

import base64

from person import t
from service import until

PHONE = {"width": 390, "height": 844}

# The first element that a screen reader calls so, or any for an empty name, in the middle of the window, once a click
# would hit it: while one screen turns into the next, nothing but the page itself is hit.
NAMED = """(selector, name) => {
  const called = (one) => one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText;
  const fits = (one) => !one.disabled && (!name || called(one)?.trim() === name);
  const found = [...document.querySelectorAll(selector)].find(fits);
  found?.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = found?.getBoundingClientRect() ?? {};
  return found?.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ? found : null;
}"""
CONTROLS = "button, a, label.button"


class Visitor:
    """A subclass drives a browser: start, close, go, reload, run, find, click, type, attach."""

    def __init__(self, service, number, folder):
        self.service, self.number = service, number
        self.faults = []
        self.start(folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def report(self, folder):
        """Leaves a picture of the page for whoever looks at a failure."""
        (folder / f"{self.name}.png").write_bytes(base64.b64decode(self.picture()))
        address = self.run("async () => location.href")
        (folder / f"{self.name}.log").write_text("\n".join([*self.faults, f"the page is at {address}", ""]))

    def wait_until_ready(self):
        """Waits for everything that the page loads: Firefox calls it an error when the next page cuts a load off."""
        until(lambda: self.run("async () => 'complete' in document.documentElement.dataset"), 30, "the client's start")

    def named(self, selector, name=""):
        return until(lambda: self.find(NAMED, selector, name), 30, f"{selector} “{name}”")

    def open(self, selector):
        self.click(self.named(selector))

    def press(self, name):
        self.click(self.named(CONTROLS, name))

    def fill(self, label, text):
        self.type(self.named("input", label), text)

    def sees(self, selector, count=1):
        """Waits until at least so many elements are there."""
        length = "async (selector) => document.querySelectorAll(selector).length"
        until(lambda: self.run(length, selector) >= count, 30, f"{count} × {selector}")

    def reads(self, text):
        until(lambda: text in self.run("async () => document.body.innerText"), 30, f"“{text}”")

    def sign_in(self, name):
        self.go("/")
        self.press(t("welcome.start"))
        self.fill(t("phone.number"), self.number)
        self.press(t("phone.send"))
        self.fill(t("code.label"), self.service.code_for(self.number))
        self.fill(t("name.label"), name)
        self.press(t("action.continue"))

    def take_photo(self, group, path, words="camera.choose"):
        """There is no camera, so the browser offers a choice of files."""
        self.press(t("groups.take", group=group))
        self.named(CONTROLS, t(words))
        self.attach(self.find("() => document.querySelector('input[type=file]')"), path)
        self.press(t("preview.send", groups=group))
