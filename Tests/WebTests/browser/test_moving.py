"""Moving between screens: the entries of the history, and where the keyboard is on the way back."""

from playwright.sync_api import expect

from person import t
from service import until

INDEX = "history.state?.index ?? 0"


# Guard: a second tap on a card makes no second entry (`router.js`)
def test_a_second_tap_on_a_card_makes_no_second_entry(two):
    _, grace, group = two
    grace.go("/")
    card = grace.page.locator("main h2 a")
    card.wait_for()
    card.evaluate("(link) => { link.click(); link.click(); }")
    grace.heading("Family").wait_for()
    assert grace.page.evaluate(INDEX) == 1
    grace.page.go_back()
    grace.button("groups.new").wait_for()


def leave_family(person):
    person.button("groupSettings.title").click()
    person.button("groupSettings.leave").click()
    person.page.locator("dialog").get_by_role("button", name=t("groupSettings.leave"), exact=True).click()
    person.button("groups.new").wait_for()


# Guard: the settings of a group show what stands below the invitations only when these are there
# (`group-settings.js`)
def test_no_button_of_the_settings_moves_from_under_a_finger_when_the_invitations_come(two):
    ada, _, group = two
    held = []
    ada.page.route("**/v1/groups/*/invites", lambda route: held.append(route))
    ada.button("groupSettings.title").click()
    ada.button("groupSettings.invite").wait_for()
    until(lambda: ada.page.evaluate("0") or held, 30, "the call")
    assert not ada.button("groupSettings.leave").is_visible()
    held[0].continue_()
    ada.button("groupSettings.leave").wait_for()
    # The keyboard stays where it was.
    expect(ada.heading(t("groupSettings.title"))).to_be_focused()


# Guard: home is the first entry of the history, also where the browser has dropped that (`router.js`)
def test_behind_home_lies_no_screen_of_a_group_that_was_left(somebody):
    ada = somebody("Ada").arrive()
    ada.member.make_group("Family", "+14155559999")
    ada.go("/")
    ada.page.locator("main h2 a").click()
    ada.heading("Family").wait_for()
    leave_family(ada)
    assert ada.page.evaluate(INDEX) == 0
    ada.page.go_back()
    assert ada.page.url == "about:blank"


# Guard: home is the first entry of the history, also where the browser has dropped that (`router.js`)
def test_home_is_reached_also_where_the_browser_has_dropped_the_first_entry(two):
    _, grace, _ = two
    grace.page.evaluate("history.replaceState({ index: 60, state: null }, '')")
    grace.page.reload()
    grace.heading("Family").wait_for()
    leave_family(grace)
    assert grace.page.evaluate(INDEX) == 0


# Guard: the way back puts the keyboard on what was followed, else on the heading (`announce.js`, `router.js`)
def test_the_way_back_puts_the_keyboard_on_what_was_followed(two):
    ada, grace, group = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    tile = grace.page.locator("main a.tile")
    tile.focus()
    grace.page.keyboard.press("Enter")
    grace.page.wait_for_url("**/photo/*")
    grace.page.get_by_role("img", name=t("viewer.by", name="Ada")).wait_for()
    grace.page.keyboard.press("Escape")
    expect(tile).to_be_focused()
    settings = grace.button("groupSettings.title")
    settings.focus()
    grace.page.keyboard.press("Enter")
    expect(grace.heading(t("groupSettings.title"))).to_be_focused()
    grace.button("action.back").click()
    expect(settings).to_be_focused()


# Guard: the way back puts the keyboard on what was followed, else on the heading (`announce.js`, `router.js`)
def test_the_keyboard_is_on_the_heading_where_what_was_followed_is_gone(two):
    ada, grace, group = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    grace.page.locator("main a.tile").focus()
    grace.page.keyboard.press("Enter")
    grace.page.wait_for_url("**/photo/*")
    [photo] = ada.member.call("GET", f"/v1/groups/{group}/photos")["photos"]
    ada.member.call("DELETE", f"/v1/photos/{photo['id']}")
    grace.sees(t("viewer.none"))
    grace.button("action.close").click()
    expect(grace.heading("Family")).to_be_focused()
