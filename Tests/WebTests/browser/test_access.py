"""Every screen by the rules of WCAG 2.2 AA, at 320 pixels, with large text, from right to left, and by the keyboard alone."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from member import Member
from person import STORES, t
from service import ROOT

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
OPEN = ["/welcome", "/sign-in", "/about", "/i/ABC234"]
SIGNED_IN = ["/", "/invites", "/groups/new", "/g/{id}", "/g/{id}/camera", "/g/{id}/settings", "/settings", "/settings/devices",
             "/settings/blocked", "/settings/data", "/uploads", "/nothing/here"]
# Goes to an address as a link of the app does.
MOVE = f"async (path) => ({STORES}).router.go(path)"
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
LAYOUT = (Path(__file__).parent / "layout.js").read_text().split("*/", 1)[1].strip()
# A screen has what it fetches, and nothing moves any more but what moves for ever.
SETTLED = """async () => {
  const moving = () => document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
  do {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(moving().map((one) => one.finished));
  } while (moving().length > 0 || !document.querySelector("main > *") || document.querySelector("main .skeleton"));
}"""


def violations(person):
    """What axe finds, light and dark."""
    found = []
    for theme in ("light", "dark"):
        person.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        person.page.evaluate(SETTLED)
        result = Axe().run(person.page, options=RULES).response
        found += [f"{theme}, {one['id']}: {one['nodes'][0]['html'][:120]}" for one in result["violations"]]
    return found


def wide(person):
    """Whether the page with longer texts from right to left is wider than the screen."""
    person.page.evaluate(SETTLED)
    return person.page.evaluate(TOO_WIDE) or person.page.evaluate("document.documentElement.dir") != "rtl"


def narrow(*people, language="ar-XB"):
    """Gives people the smallest phone, and a language, as a rule with longer texts from right to left."""
    for person in people:
        person.context.add_init_script(
            f"""localStorage.setItem("dayly-preferences", JSON.stringify({{ language: "{language}" }}))""")
        person.page.set_viewport_size({"width": 320, "height": 640})


def enlarge(*people):
    """Gives people a system whose texts are twice as large, as Android's settings do."""
    for person in people:
        person.context.new_cdp_session(person.page).send("Emulation.setEmulatedOSTextScale", {"scale": 2})


def crowd(ada):
    """Gives somebody groups with long names, people and photos, and has them send to the last one. Answers the first one's id."""
    sample = (ROOT / "docs/sample.jpg").read_bytes()
    others = [Member(ada.service, name).sign_in() for name in ("Maximiliane", "Jean-Luc", "Wolfgang", "Friederike")]
    groups = []
    for name in ("Die Wanderfreunde aus Niederbayern", "Donaudampfschiff", "Nachbarschaft Hinterhaus"):
        group, codes = ada.member.make_group(name, *[one.number for one in others])
        for one, code in zip(others, codes, strict=True):
            one.join(code)
            one.send_photo(group, sample)
        groups.append(group)
    ada.member.send_photo(group, sample)
    return groups[0]


def visit(person, paths, look):
    """What `look` finds on each screen, by its path. Where every screen is loaded, the next one is there at once."""
    person.page.emulate_media(reduced_motion="reduce")
    person.go(paths[0])
    person.page.wait_for_selector("html[data-complete]")
    found = {}
    for path in paths:
        person.page.evaluate(MOVE, path)
        if faults := look(person):
            found[path] = faults
    return found


# Guard: a field has its label, an icon's button its name, a text its contrast, light and dark
# (`phone-field.js`, `screen.js`, `tokens.css`)
def test_every_screen_keeps_the_rules_for_access_in_both_themes(two, somebody):
    ada, grace, group = two
    stranger = somebody("Nobody")
    assert visit(stranger, OPEN, violations) == {}
    assert visit(ada, [path.format(id=group) for path in SIGNED_IN], violations) == {}
    ada.go(f"/g/{group}")
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    grace.page.locator("main a.tile").first.click()
    grace.page.get_by_role("img", name=t("viewer.by", name="Ada")).wait_for()
    assert violations(grace) == []


# Guard: widths and focus of all screens (`styles/`, `router.js`)
def test_no_screen_is_too_wide_for_320_pixels_with_longer_texts_from_right_to_left(two, somebody):
    ada, _, group = two
    stranger = somebody("Nobody")
    narrow(ada, stranger)
    assert visit(stranger, OPEN, wide) == {}
    assert visit(ada, [path.format(id=group) for path in SIGNED_IN], wide) == {}


@pytest.mark.parametrize("language", ["en", "de", "en-XA", "ar-XB"])
# Guard: no text is cut, covered or broken at 320 pixels and twice the size (`styles/`, `groups.css`)
# Guard: the system's text scale applies (`index.html`)
# Guard: a tap on the middle of a control hits it, on every screen (`parts.css` (a photo's styles reach photos
# only))
def test_nothing_is_cut_broken_or_covered_with_text_of_twice_the_size_at_320_pixels(two, somebody, language):
    ada, _, _ = two
    stranger = somebody("Nobody")
    group = crowd(ada)
    ada.member.join_focus()
    ada.member.join_companion()
    narrow(ada, stranger, language=language)
    enlarge(ada, stranger)

    def faults(person):
        found = set()
        for theme in ("light", "dark"):
            person.page.emulate_media(color_scheme=theme)
            person.page.evaluate(SETTLED)
            found |= set(person.page.evaluate(LAYOUT))
        assert person.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        return found
    paths = [path.format(id=group) for path in [*SIGNED_IN, "/focus", "/companion"]]
    found = visit(stranger, OPEN, faults) | visit(ada, paths, faults)
    assert not found, "\n".join(f"{path}: {', '.join(each)}" for path, each in found.items())


# Guard: widths and focus of all screens (`styles/`, `router.js`)
def test_a_newcomer_signs_in_and_opens_the_settings_by_the_keyboard_alone(somebody, service):
    ada = somebody("Ada")
    keyboard = ada.page.keyboard

    def tab_to(name):
        for _ in range(30):
            keyboard.press("Tab")
            if ada.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText").strip() == name:
                return
        raise AssertionError(f"the Tab key does not reach {name}")

    ada.go("/")
    tab_to(t("welcome.start"))
    keyboard.press("Enter")
    ada.page.wait_for_url("**/sign-in")
    expect(ada.page.get_by_label(t("phone.number"), exact=True)).to_be_focused()
    keyboard.type(ada.number)
    keyboard.press("Enter")
    expect(ada.page.get_by_label(t("code.label"))).to_be_focused()
    keyboard.type(service.code_for(ada.number))
    expect(ada.page.get_by_label(t("name.label"), exact=True)).to_be_focused()
    keyboard.type("Ada")
    keyboard.press("Enter")
    ada.button("groups.new").wait_for()
    tab_to(t("settings.title"))
    keyboard.press("Enter")
    expect(ada.heading(t("settings.title"))).to_be_focused()
