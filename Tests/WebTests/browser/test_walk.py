"""The main story as a screen reader tells it, from the link of an invitation to the own photo. docs/accessibility.md has it."""

from playwright.sync_api import expect

from person import t
from service import ROOT
from walk import LISTEN, Walk

PAGE = ROOT / "docs/accessibility.md"


# Guard: each step of the main story says what is written down, and no more (`today.js`, `preview.js`,
# `phone-field.js`, `profile.js`)
def test_a_screen_reader_tells_the_main_story_as_it_is_written_down(somebody, service):
    ada, grace = somebody("Ada").arrive(), somebody("Grace")
    grace.context.add_init_script(LISTEN)
    group, [code] = ada.member.make_group("Family", grace.number)
    ada.go(f"/g/{group}")
    ada.take_photo("Family")
    expect(ada.photos()).to_have_count(1, timeout=15_000)
    page = grace.page
    page.emulate_media(reduced_motion="reduce")
    walk = Walk(grace)

    def press(*names):
        page.get_by_role("button", name=t(names[0]), exact=True).focus()
        page.keyboard.press("Enter")

    grace.go(f"/i/{code}")
    walk.note("opens the link of the invitation")
    press("invites.join")
    page.get_by_label(t("phone.number"), exact=True).wait_for()
    walk.note("goes on to the number")
    page.keyboard.type(grace.number)
    page.keyboard.press("Enter")
    sms = service.code_for(grace.number)
    walk.note("types the number")
    page.keyboard.type(sms)
    grace.heading(t("name.title")).wait_for()
    walk.note("types the code")
    page.keyboard.type("Grace")
    page.keyboard.press("Enter")
    grace.heading("Family").wait_for()
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    walk.note("types the name, and joins")
    page.locator("main a.tile").first.focus()
    page.keyboard.press("Enter")
    page.locator("day-photo .sharp").first.wait_for()
    walk.note("opens the photo")
    page.keyboard.press("Escape")
    grace.heading("Family").wait_for()
    walk.note("closes it")
    page.get_by_role("link", name=t("groups.take", group="Family"), exact=True).focus()
    page.keyboard.press("Enter")
    grace.button("camera.take").wait_for()
    walk.note("opens the camera")
    press("camera.take")
    grace.button("preview.send", groups="Family").wait_for()
    walk.note("takes a photo")
    grace.button("preview.send", groups="Family").focus()
    page.keyboard.press("Enter")
    expect(grace.photos()).to_have_count(2, timeout=15_000)
    walk.note("sends it")
    assert walk.lines == walk.written_in(PAGE)
