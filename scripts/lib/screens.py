#!/usr/bin/env python3
"""Takes pictures of the web client's screens: four people, three groups, drawn photos, the real service.
Started by scripts/screens."""

import itertools
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/WebTests/browser"))

from member import Member  # noqa: E402
from person import Person, t  # noqa: E402
from service import Service, make_folder  # noqa: E402

SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desktop": (1280, 800)}
THEMES = ("light", "dark")
# Screen, size and theme of each picture of the README.
README = [("groups", "phone", "light"), ("group", "phone", "light"), ("viewer", "phone", "light"),
          ("preview", "phone", "dark"), ("limit", "phone", "dark"), ("welcome", "phone", "light"),
          ("focus", "phone", "light"), ("focus-week", "phone", "dark"), ("focus-board", "phone", "light"),
          ("companion", "phone", "light"), ("companion-pet", "phone", "light"), ("companion-shop", "phone", "dark")]
# The hours for which a phone was left alone, and how many hours ago that ended; the last one goes on.
STREAKS = [(7.6, 111), (2.2, 103), (1.1, 98), (8.1, 87), (0.7, 80), (3.4, 73), (6.9, 63), (1.6, 55), (0.4, 52), (7.8, 39),
           (1.2, 33), (2.7, 26), (7.2, 15), (0.9, 9), (1.7, 4), (0.6, 1.6)]
FOCUS = ("weeks", "day", "league", "feed", "people", "sessions", "schedules", "intentions", "partners", "temptations",
         "settings", "phones", "data")
COMPANION = ("survey", "diary", "pet", "shop", "wardrobe", "wallet", "recovery", "memorial", "settings", "phones", "data")
SCENES = (ROOT / "scripts/lib/scenes.js").read_text()
STORES = "await import(document.querySelector('script[type=module]').src.replace('first.js', 'app/stores.js'))"


class Cast:
    """People who have shared photos for a day, and a visitor who has never been here."""

    def __init__(self, browser, service):
        self.service = service
        names = ("Ada", "Grace", "Karim", "Lena")
        self.ada, *others = [Person(browser, service, name, device_scale_factor=2).sign_in() for name in names]
        self.others = others
        self.visitor = Person(browser, service, "Nobody", device_scale_factor=2)
        self.family = self._group("Family", others)
        self.flat = self._group("Flat 4", others[:2])
        self.climbing = self._group("Climbing", others[2:])
        for other, scene, group in zip(others, ("sea", "window", "hills"), [self.family] * 3):
            self.send(other, scene, group)
        self.send(others[0], "night", self.flat)
        self.send(self.ada, "snow", self.flat)
        # A day that has already gone on for a while.
        for scene_hours, other in zip((26, 9, 2), others):
            service.sql(f"UPDATE photos SET created_at = photos.created_at - interval '{scene_hours} hours', "
                        f"expires_at = photos.expires_at - interval '{scene_hours} hours' FROM users "
                        f"WHERE users.id = sender_id AND phone_number = '{other.number}'")
        for number, person in enumerate([self.ada, *others]):
            self._leave_phones(person, [*STREAKS[number:-1:1 + number], (STREAKS[-1][0] + number / 9, STREAKS[-1][1])])
        self._keep_pet(self.ada)
        self.ada.go("/")
        self.ada.page.locator(".picture.sharp").nth(3).wait_for()

    def _member(self, person):
        member = Member(self.service, person.name, person.number)
        member.token = person.page.evaluate(f"async () => await ({STORES}).session.token()")
        return member

    def _keep_pet(self, person):
        """A cat that had a good morning, and a pet that has been fed for two weeks."""
        member, owner = self._member(person), f"(SELECT id FROM users WHERE phone_number = '{person.number}')"
        member.join_companion()
        member.open_companion()
        member.bypass(5)
        member.adopt("cat", "Mimi")
        self.service.sql(f"INSERT INTO companion_wallets VALUES ({owner}, 460, 500, 0, now()) "
                         f"ON CONFLICT (user_id) DO UPDATE SET energy = 460, gems = 500")
        self.service.sql(f"UPDATE companion_pets SET growth = 1500, mood = 7, born_on = born_on - 15 WHERE user_id = {owner}")
        key = itertools.count()
        for path, body in (("pet/feed", {"item_id": "dinner"}), ("cosmetics/red_scarf", {"currency": "energy"}),
                           ("cosmetics/straw_hat", {"currency": "gems"})):
            member.call("POST", f"/v1/companion/{path}", body, key=f"{next(key):032}")
        member.call("PUT", "/v1/companion/pet/outfit", {"items": ["red_scarf"]})

    def _leave_phones(self, person, streaks):
        member = self._member(person)
        member.join_focus(nickname=f"{person.name.lower()}.focus", goal_minutes=180)
        for hours, ago in streaks:
            member.leave_phone(hours * 3600, ago * 3600)
        member.leave_phone(5_000, ago=None)
        if person is not self.ada:
            return
        member.call("POST", "/v1/focus/intentions", {"label": "News", "opens": 5, "minutes": 10})
        member.call("POST", "/v1/focus/schedules", {
            "name": "Night", "from": "22:00", "to": "06:30", "weekdays": [1, 2, 3, 4, 7], "mode": "allow_list"})
        member.call("POST", "/v1/focus/sessions", {"goal_minutes": 45, "mode": "allow_list", "name": "Thesis"})

    def _group(self, name, others):
        self.ada.go("/")
        group = self.ada.make_group(name, *others)
        for other in others:
            other.join(name)
            other.page.wait_for_url("**/g/*")
        return group

    def send(self, person, scene, group):
        person.page.evaluate(
            f"""async ([scene, group]) => {{
              {SCENES}
              const {{ uploads }} = {STORES};
              const sent = new Promise((resolve) => uploads.onSent(resolve));
              await uploads.enqueue(await draw(scene), [group]);
              await sent;
            }}""", [scene, group])


def open_preview(person, group):
    person.go(f"/g/{group}/camera")
    person.button("camera.take").click(timeout=15_000)
    person.button("preview.pause").click()


def open_viewer(person, group):
    person.go(f"/g/{group}")
    person.photos().last.wait_for()
    person.page.locator("main a.tile").last.click()
    person.page.locator(".strip .picture.sharp").first.wait_for()


def fill_new_group(person):
    person.go("/groups/new")
    person.page.get_by_label(t("newGroup.name"), exact=True).fill("Sunday walk")
    for number in ("+14155550180", "+14155550181"):
        person.page.get_by_label(t("contacts.number"), exact=True).fill(number)
        person.button("contacts.add").click()
        person.page.wait_for_timeout(300)


def monday():
    """The newest week with days in it. On a Monday that is the week before, whose board is open until 17:00 UTC."""
    now = datetime.now(UTC)
    day = now - timedelta(days=1) if now.weekday() == 0 and now.hour < 17 else now
    return (day - timedelta(days=day.weekday())).date()


def screens(cast):
    """Each screen's name and how somebody comes to it."""
    ada, visitor = cast.ada, cast.visitor
    on = lambda person, path: (person, lambda: person.go(path))  # noqa: E731
    return {
        "welcome": on(visitor, "/welcome"),
        "phone": on(visitor, "/sign-in"),
        "code": (visitor, visitor.ask_for_code),
        "join": on(visitor, "/i/ABC234"),
        "groups": on(ada, "/"),
        "group": on(ada, f"/g/{cast.family}"),
        "limit": on(ada, f"/g/{cast.flat}"),
        "group-empty": on(ada, f"/g/{cast.climbing}"),
        "viewer": (ada, lambda: open_viewer(ada, cast.family)),
        "camera": on(ada, f"/g/{cast.family}/camera"),
        "preview": (ada, lambda: open_preview(ada, cast.family)),
        "new-group": (ada, lambda: fill_new_group(ada)),
        "group-settings": on(ada, f"/g/{cast.family}/settings"),
        "invitations": on(ada, "/invites"),
        "settings": on(ada, "/settings"),
        "devices": on(ada, "/settings/devices"),
        "blocked": on(ada, "/settings/blocked"),
        "data": on(ada, "/settings/data"),
        "uploads": on(ada, "/uploads"),
        "about": on(ada, "/about"),
        "focus": on(ada, "/focus"),
        **{f"focus-{page}": on(ada, f"/focus/{page}") for page in FOCUS},
        "focus-week": on(ada, f"/focus/week/{monday()}"),
        "companion": on(ada, "/companion"),
        "companion-join": on(cast.others[0], "/companion/join"),
        **{f"companion-{page}": on(ada, f"/companion/{page}") for page in COMPANION},
        "focus-board": on(ada, f"/focus/board/{cast.family}?week={monday()}"),
    }


def take(cast, name, size, theme, file):
    person, come = screens(cast)[name]
    width, height = SIZES[size]
    person.page.set_viewport_size({"width": width, "height": height})
    person.page.emulate_media(color_scheme=theme)
    come()
    # Pictures sharpen and screens cross-fade for a moment.
    person.page.wait_for_timeout(900)
    person.page.locator("main h1").first.wait_for(state="attached")
    file.parent.mkdir(parents=True, exist_ok=True)
    person.page.screenshot(path=file)
    print(file.relative_to(ROOT))


def launch(playwright, folder):
    """Chromium with a camera that looks at a drawn table."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    artist = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=root)
    drawn = artist.new_page().evaluate(f"""async () => {{
      {SCENES}
      return [...new Uint8Array(await (await draw("table", [1080, 1440])).arrayBuffer())];
    }}""")
    artist.close()
    # Chromium takes a row of JPEGs for a video.
    film = folder / "table.mjpeg"
    film.write_bytes(bytes(drawn) * 3)
    camera = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
              f"--use-file-for-fake-video-capture={film}"]
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*camera, *root])


def take_all(cast, names):
    if names == ["--readme"]:
        for name, size, theme in README:
            take(cast, name, size, theme, ROOT / f"docs/screens/{name}.png")
        return
    for name in names or screens(cast):
        for size in SIZES:
            for theme in THEMES:
                take(cast, name, size, theme, ROOT / f".dayly/screens/{name}-{size}-{theme}.png")


def main(names):
    service = Service(make_folder(ROOT / ".dayly/test/screens"))
    try:
        service.start()
        with sync_playwright() as playwright:
            browser = launch(playwright, service.folder)
            take_all(Cast(browser, service), names)
            browser.close()
    finally:
        service.stop()


main(sys.argv[1:])
