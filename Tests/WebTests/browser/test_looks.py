"""The camera and its picture, toasts, the theme, and switches, as a person sees them."""

import re

import pytest
from playwright.sync_api import expect

from member import Member
from person import STORES, t
from service import ROOT, until

SAMPLE = (ROOT / "docs/sample.jpg").read_bytes()

BOX = """selector => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}"""
FINDER, PRINT = ".finder > video", ".frame > day-photo:has(.sharp)"


def stay(person, **choices):
    """Has a picture wait for the person's hand."""
    person.context.add_init_script(
        """localStorage.setItem("dayly-preferences", JSON.stringify({ autoProceed: false, theme: "auto" }))""")


def frames(person, group):
    """Where the finder stood, and where its picture stands."""
    person.go(f"/g/{group}/camera")
    until(lambda: person.page.evaluate("document.querySelector('video')?.videoWidth"), 60, "a live picture")
    finder = person.page.evaluate(BOX, FINDER)
    person.button("camera.take").click()
    person.page.wait_for_selector(PRINT)
    return finder, person.page.evaluate(BOX, PRINT)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640), (844, 390), (1280, 800)])
# Guard: the picture stays in the finder's frame, whatever the groups are called (`camera.css`, `preview.js`)
def test_the_picture_stays_where_the_finder_was_and_has_the_height_of_a_wide_screen(two, width, height):
    ada, grace, group = two
    stay(ada)
    ada.page.set_viewport_size({"width": width, "height": height})
    finder, taken = frames(ada, group)
    assert taken == finder
    room = min(height / 9 * 16, width - 24) if width < height else min(height * 0.9 / 9 * 16, width * 0.7)
    assert finder[2] >= room, finder
    # Five groups with long names take nothing from it.
    for number in range(4):
        ada.member.make_group(f"Donaudampfschifffahrtsgesellschaft {number}", grace.number)
    assert frames(ada, group) == (finder, finder)
    chips = ada.page.locator(".chips > label")
    expect(chips).to_have_count(5)
    assert len({chip["y"] for chip in [one.bounding_box() for one in chips.all()]}) == 1
    for chip in chips.all()[1:]:
        chip.click()
    assert ada.page.evaluate(BOX, PRINT) == finder


# The order of what happens at a tap. The browser's camera answers when the test lets it.
ORDER = """
globalThis.order = [];
globalThis.answers = [];
Object.defineProperty(navigator, "vibrate", { value: (pulse) => order.push(`felt ${pulse}`) });
const { pause } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.pause = function () { order.push("frozen"); return pause.call(this); };
const { takePhoto } = ImageCapture.prototype;
ImageCapture.prototype.takePhoto = function (...settings) {
  order.push("taken");
  return new Promise((resolve) => answers.push(resolve)).then(() => takePhoto.apply(this, settings));
};
"""


# Guard: the shutter answers before the picture is made (`live.js`, `camera.js`)
# Guard: a double tap on the shutter takes one picture (`camera.js`)
def test_the_shutter_is_seen_felt_and_said_before_the_picture_is_made_and_a_double_tap_takes_one(two):
    ada, _, group = two
    stay(ada)
    ada.context.add_init_script(ORDER)
    ada.go(f"/g/{group}/camera")
    ada.button("camera.take").dblclick()
    assert ada.page.evaluate("order") == ["felt 10", "frozen", "taken"]
    expect(ada.page.locator(".finder.taken")).to_have_count(1)
    expect(ada.page.locator("#live-polite")).to_have_text(t("camera.taken"))
    assert ada.page.evaluate("document.querySelector('video').paused")
    ada.page.evaluate("answers[0]()")
    ada.page.wait_for_selector(PRINT)
    ada.button("preview.send", groups="Family").click()
    expect(ada.photos()).to_have_count(1)
    # A camera that fails at first is asked again.
    assert ada.page.evaluate("order.slice(3).filter((each) => each !== 'taken')") == ["felt 20", "felt 15,60,15"]


# Guard: the finder lives again after a picture that cannot be sent (`camera.js`)
def test_the_finder_lives_again_after_a_picture_that_cannot_be_sent(two):
    ada, _, group = two
    ada.context.add_init_script("ImageCapture.prototype.takePhoto = async () => new Blob([]);")
    ada.go(f"/g/{group}/camera")
    shutter = ada.button("camera.take")
    for _ in range(2):
        shutter.click()
        ada.sees(t("camera.empty"))
        until(lambda: not ada.page.evaluate("document.querySelector('video').paused"), 60, "a live picture")


# Guard: no flash for a person who wants less movement (`camera.css`)
def test_a_flash_is_not_for_a_person_who_wants_less_movement(two):
    ada, _, group = two
    stay(ada)
    ada.context.add_init_script(ORDER)
    names = {}
    for wish in ("no-preference", "reduce"):
        ada.page.emulate_media(reduced_motion=wish)
        ada.go(f"/g/{group}/camera")
        ada.button("camera.take").click()
        ada.page.wait_for_selector(".finder.taken")
        names[wish] = ada.page.evaluate("getComputedStyle(document.querySelector('.finder'), '::after').animationName")
    assert names == {"no-preference": "flash", "reduce": "none"}


# Guard: a page has no pixel below its end (`base.css`)
def test_no_screen_scrolls_by_a_pixel_that_nothing_needs(two, somebody):
    ada, _, group = two
    short = {"/welcome": somebody("Nobody"), f"/g/{group}": ada, f"/g/{group}/camera": ada, "/uploads": ada}
    for size in ({"width": 390, "height": 844}, {"width": 1280, "height": 800}):
        for path, person in short.items():
            person.page.set_viewport_size(size)
            person.go(path)
            expect(person.page.locator("main .skeleton")).to_have_count(0)
            assert person.page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0, (path, size)


# Guard: the word that a photo is sent is in view, the own ring comes first (`group.css`, `today.js`)
def test_after_the_shutter_the_word_that_the_photo_is_sent_and_the_own_ring_are_in_view(somebody, service):
    ada = somebody("Ada").arrive()
    others = [Member(service, f"Person {number}").sign_in() for number in range(6)]
    group, codes = others[0].make_group("Family", ada.number, *[one.number for one in others[1:]])
    for one, code in zip([ada.member, *others[1:]], codes):
        one.join(code)
    for one in others:
        one.send_photo(group, SAMPLE)
    ada.go(f"/g/{group}")
    expect(ada.photos()).to_have_count(6)
    ada.member.send_photo(group, SAMPLE)
    expect(ada.page.get_by_text(t("group.limit"), exact=True)).to_be_in_viewport(ratio=1)
    expect(ada.page.locator(".today > li").first).to_contain_text(t("people.you"))


@pytest.mark.parametrize("width", [320, 390])
# Guard: one long word stays on its card (`groups.css`)
def test_a_group_with_one_long_word_stays_on_its_card(two, width):
    ada, grace, _ = two
    ada.page.set_viewport_size({"width": width, "height": 844})
    ada.member.make_group("Donaudampfschifffahrtsgesellschaft", grace.number)
    ada.go("/")
    card = ada.page.locator(".group.card").filter(has_text="Donau")
    card.wait_for()
    assert ada.page.evaluate("document.documentElement.scrollWidth") == width
    menu, edge = card.locator("button").first.bounding_box(), card.bounding_box()
    assert menu["x"] + menu["width"] <= edge["x"] + edge["width"]


# Guard: a toast hides no button (`toast.js`)
def test_a_toast_hides_no_button_of_a_sheet(two):
    ada, _, group = two
    ada.context.grant_permissions(["clipboard-write", "camera"])
    ada.page.evaluate("delete Navigator.prototype.share")
    ada.page.evaluate(f"async () => ({STORES}).router.go('/g/{group}/settings')")
    ada.button("groupSettings.invite").click()
    ada.page.get_by_label(t("contacts.number"), exact=True).fill("+1 415 555 9997")
    ada.button("groupSettings.send").click()
    done = ada.button("action.done")
    done.wait_for()
    ada.page.get_by_role("dialog").get_by_role("button", name=re.compile(t("share.with", number=".*9997"))).click()
    toast = ada.page.locator(".toast")
    toast.wait_for()
    until(lambda: ada.page.evaluate("document.querySelector('.toast').getAnimations().length") == 0, 60, "a toast at its place")
    low, button = toast.bounding_box(), done.bounding_box()
    assert low["y"] + low["height"] <= button["y"] or button["y"] + button["height"] <= low["y"], (low, button)


def test_the_row_of_a_menu_begins_at_the_left(two):
    ada, grace, group = two
    sent = grace.member.send_photo(group, SAMPLE)
    ada.go(f"/g/{group}/photo/{sent['id']}")
    ada.button("viewer.menu").click()
    row = ada.page.get_by_role("dialog").locator(".rows > button")
    sign = row.locator("svg")
    assert sign.bounding_box()["x"] < row.bounding_box()["x"] + 24


# Guard: a toast is above the dock, not in the camera, and goes with its screen (`toast.js`, `parts.css`)
def test_a_toast_stands_above_the_camera_button_and_goes_with_its_screen(two):
    ada, _, group = two
    say = """async (text) => {
      const { toast } = await import(document.querySelector("script[type=module]").src.replace("first.js", "parts/toast.js"));
      toast(text);
    }"""
    toasts = ada.page.locator(".toast")
    # Long enough that it does not end by itself meanwhile.
    long = "Said here. " * 50
    ada.page.evaluate(say, long)
    until(lambda: ada.page.evaluate("document.querySelector('.toast').getAnimations().length") == 0, 60, "a toast at its place")
    toast, button = toasts.bounding_box(), ada.link("groups.take", group="Family").bounding_box()
    assert toast["y"] + toast["height"] <= button["y"], (toast, button)
    ada.link("groups.take", group="Family").click()
    ada.button("camera.take").wait_for()
    expect(toasts).to_have_count(0)
    # What is said while somebody takes a photo is not shown on it.
    ada.page.evaluate(say, long)
    expect(toasts).to_be_hidden()
    ada.page.locator("main").get_by_role("button", name=t("action.close"), exact=True).click()
    ada.heading("Family").wait_for()
    expect(toasts).to_have_count(0)
    # A word about what the app has left, such as a group, stays for its time.
    ada.page.evaluate(say, "You left")
    ada.page.evaluate("async () => (" + STORES + ").router.go('/')")
    ada.button("groups.new").wait_for()
    expect(toasts).to_have_text("You left")


# Guard: no toast where the screen says it (`banners.js`)
def test_no_toast_says_what_the_group_itself_says(two):
    ada, _, _ = two
    ada.page.evaluate("""new MutationObserver(() => document.querySelector(".toast") && (globalThis.toasted = true))
      .observe(document.body, { childList: true, subtree: true }); globalThis.said = [];
      new MutationObserver(() => said.push(document.getElementById("live-polite").textContent))
      .observe(document.getElementById("live-polite"), { childList: true, subtree: true })""")
    ada.take_photo("Family")
    ada.sees(t("group.limit"))
    until(lambda: t("banner.sent", group="Family") in ada.page.evaluate("said"), 60, "the word for a screen reader")
    assert ada.page.evaluate("globalThis.toasted") is None


def bars(person):
    """The colours that a browser may draw around the page, for a light and for a dark phone."""
    return person.page.evaluate("[...document.querySelectorAll('meta[name=theme-color]')].map(({ content }) => content)")


# Guard: the theme and the browser's bars follow the choice without the program (`early.js`)
def test_a_chosen_theme_is_there_from_the_first_frame_and_the_browsers_bars_follow(two):
    ada, _, _ = two
    light, dark = bars(ada)
    assert light != dark
    ada.go("/settings")
    choice = ada.page.locator("label", has_text=t("settings.theme")).locator("select")
    choice.select_option("dark")
    expect(ada.page.locator("html[data-theme=dark]")).to_have_count(1)
    assert bars(ada) == [dark, dark]
    # The program does not start: what is painted is the page's own.
    ada.page.route("**/first.js", lambda route: route.abort())
    ada.page.goto("/settings", wait_until="load")
    assert ada.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert bars(ada) == [dark, dark]
    ada.page.unroute("**/first.js")
    ada.go("/settings")
    choice.select_option("light")
    assert bars(ada) == [light, light]
    choice.select_option("auto")
    assert bars(ada) == [light, dark]


# Guard: a switch that cannot be used is dim (`parts.css`)
def test_a_switch_that_cannot_be_used_is_dimmed_and_a_system_with_its_own_colours_shows_its_own(somebody):
    ada = somebody("Ada").arrive()
    ada.go("/settings")
    found = ada.page.get_by_label(t("settings.found"))
    opacity = "(one, off) => (one.disabled = off, Number(getComputedStyle(one).opacity))"
    assert [found.evaluate(opacity, off) for off in (True, False)] == [0.4, 1]
    ada.page.emulate_media(forced_colors="active")
    assert found.evaluate("(one) => getComputedStyle(one).appearance") == "auto"
    assert ada.page.locator(".button").first.evaluate("(one) => getComputedStyle(one).borderTopStyle") == "solid"


# Guard: eight members of a group have eight tones (`tone.js`)
def test_members_of_a_group_differ_in_their_tones_on_each_of_its_screens(two):
    ada, _, group = two
    tones = """(selector) => [...document.querySelectorAll(selector)].map((one) => one.className.match(/tone-\\d/)[0])"""
    found = []
    for path, selector in ((f"/g/{group}", ".today .person"), (f"/g/{group}/settings", ".rows .person"), ("/", ".people .person")):
        ada.go(path)
        ada.page.locator(selector).first.wait_for()
        found.append(ada.page.evaluate(tones, selector))
    assert found[0] == found[1] == found[2] and len(set(found[0])) == 2


# Guard: initials need no segmenter (`avatar.js`)
def test_a_browser_without_a_segmenter_shows_initials(two):
    ada, _, group = two
    ada.context.add_init_script("delete Intl.Segmenter;")
    ada.go(f"/g/{group}")
    expect(ada.page.locator(".today .person").first).to_have_text("A")


# Guard: a page that opens with the camera has the styles of its shutter (`all.js`)
def test_the_shutter_has_its_look_on_a_page_that_opens_with_the_camera(two):
    ada, _, group = two
    # As it is drawn first.
    ada.page.add_init_script("""const look = () => {
      const shutter = document.querySelector(".shutter");
      if (shutter) globalThis.shutterWidth = getComputedStyle(shutter).width;
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);""")
    ada.page.goto(f"{ada.service.url}/g/{group}/camera")
    assert until(lambda: ada.page.evaluate("globalThis.shutterWidth"), 60, "the shutter") == "76px"
