"""Inviting, joining and blocking, in Chromium against the real service."""

import json
import re

import pytest
from playwright.sync_api import expect

from member import Member
from person import STORES, Person, t
from service import ROOT, WORK, Service, make_folder, until

PICTURE = ROOT / "docs/sample.jpg"
GERMAN = json.loads((ROOT / "Sources/Web/locales/de.json").read_text())
# Counts what a hand does, over all pages of a visit.
TAPS = """addEventListener("click", ({ isTrusted }) => {
  if (isTrusted) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true)"""
# A question that is asked every 15 s is asked each second.
HASTE = """{
  const { setInterval } = globalThis;
  globalThis.setInterval = (run, delay) => setInterval(run, delay === 15_000 ? 1_000 : delay);
}"""
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def family(service):
    """A member without a browser, who can make groups."""
    return Member(service, "Bob").sign_in()


def type_name(person):
    person.page.get_by_label(t("name.label"), exact=True).fill(person.name)


# Guard: a name and the consent to an invitation are one tap (`name.js`)
# Guard: a newcomer reads who invites before joining (`name.js`)
def test_six_taps_lead_from_the_link_of_an_invitation_to_the_shared_photo(somebody, family, service):
    grace = somebody("Grace")
    grace.context.add_init_script(TAPS)
    group, [code] = family.make_group("Family", grace.number)
    grace.go(f"/i/{code}")
    grace.heading(t("join.title")).wait_for()
    grace.button("invites.join").click()
    # The keyboard is in each field at once.
    number = grace.page.get_by_label(t("phone.number"), exact=True)
    expect(number).to_be_focused()
    number.fill(grace.number)
    grace.button("phone.send").click()
    expect(grace.page.get_by_label(t("code.label"))).to_be_focused()
    grace.type_code(service.code_for(grace.number))
    expect(grace.page.get_by_label(t("name.label"), exact=True)).to_be_focused()
    grace.sees(t("join.to", name="Bob", group="Family"))
    grace.sees(t("join.consent"))
    expect(grace.page.locator("main select")).to_have_count(0)
    type_name(grace)
    grace.button("invites.join").click()
    grace.heading("Family").wait_for()
    assert grace.page.url.endswith(f"/g/{group}")
    # The first tap is that on the link.
    taps = 1 + int(grace.page.evaluate("sessionStorage.taps"))
    assert taps <= 6
    grace.link("groups.take", group="Family").click()
    grace.button("camera.take").click()
    until(lambda: len(family.photos(group)) == 1, 30, "the photo")
    assert int(grace.page.evaluate("sessionStorage.taps")) == taps + 1 == 5


@pytest.mark.parametrize("link", ["/I/{code}", "/i//{code}/", "/i/{spaced}%29.", "/i?code={code}"])
def test_a_link_of_any_spelling_opens_the_letter(somebody, link):
    grace = somebody("Grace")
    grace.go(link.format(code="ABC234", spaced="abc-234"))
    grace.heading(t("join.title")).wait_for()
    assert grace.page.url.endswith("/i/ABC234")
    grace.sees("ABC234")


def test_a_reader_without_javascript_gets_the_code_and_the_way_in_their_language(somebody):
    grace = somebody("Grace", java_script_enabled=False, locale="de-DE")
    grace.page.goto("/i/ABC234")
    expect(grace.page.get_by_role("heading", name=GERMAN["join.title"], exact=True)).to_be_visible()
    expect(grace.page.locator(".code")).to_have_text(re.compile("ABC234"))
    expect(grace.page.locator(".code")).to_be_visible()
    expect(grace.page.locator(".scripted:visible")).to_have_count(0)


def test_the_letter_is_there_before_the_program_and_stays_what_it_is(somebody):
    grace = somebody("Grace", locale="de-DE")
    held = []
    grace.page.route("**/first.js", lambda route: held.append(route))
    grace.page.goto("/i/ABC234", wait_until="commit")
    heading = grace.page.get_by_role("heading", name=GERMAN["join.title"], exact=True)
    expect(heading).to_be_visible()
    expect(grace.page.get_by_role("link", name=GERMAN["invites.join"], exact=True)).to_be_visible()
    before = heading.bounding_box()
    until(lambda: grace.page.wait_for_timeout(50) or held, 60, "the question for the program")
    held[0].continue_()
    grace.page.wait_for_selector("html[data-ready]")
    expect(grace.page.get_by_role("button", name=GERMAN["invites.join"], exact=True)).to_be_visible()
    assert heading.bounding_box() == before


def test_without_a_network_the_letter_opens_for_somebody_who_has_the_client(somebody):
    grace = somebody("Grace")
    grace.go("/welcome")
    grace.is_controlled()
    grace.context.set_offline(True)
    grace.go("/i/ABC234")
    grace.heading(t("join.title")).wait_for()


# Guard: a code that is refused is told with a way on (`joining.js`)
def test_a_code_that_is_refused_after_the_sign_in_is_told_with_a_way_on(somebody, family):
    eve, other = somebody("Eve"), Member(family.service, "Mallory")
    _, [code] = family.make_group("Family", other.number)
    _, [own] = family.make_group("Walks", eve.number)
    eve.go(f"/i/{code}")
    eve.button("invites.join").click()
    eve.page.get_by_label(t("phone.number"), exact=True).fill(eve.number)
    eve.button("phone.send").click()
    eve.type_code(eve.service.code_for(eve.number))
    type_name(eve)
    eve.button("invites.join").click()
    eve.sees(t("problem.invite_not_found"))
    # The name is kept, and another code can be typed at once.
    eve.page.get_by_label(t("invites.code"), exact=True).fill(own)
    eve.button("join.open").click()
    eve.heading(t("join.to", name="Bob", group="Walks")).wait_for()
    eve.sees(t("join.consent"))
    eve.button("invites.join").click()
    eve.heading("Walks").wait_for()
    eve.go("/")
    eve.page.get_by_role("link", name="Walks", exact=True).wait_for()
    assert "Eve" in eve.page.evaluate(f"async () => ({STORES}).session.user.first_name")


# Guard: a newcomer without a group asks every 15 s for invitations (`groups.js`)
def test_a_newcomer_who_waits_sees_the_invitation_come(somebody, family):
    grace = somebody("Grace").arrive()
    grace.context.add_init_script(HASTE)
    asked = []
    grace.page.on("response", lambda response: asked.append(1) if response.url.endswith("/v1/invites") else None)
    grace.go("/")
    grace.sees(t("groups.none"))
    # The screen asks, the waking asks, and then nothing but patience does.
    until(lambda: grace.page.wait_for_timeout(50) or len(asked) > 4, 60, "more questions")
    family.make_group("Book club", grace.number)
    grace.sees(t("invites.by", name="Bob"))
    grace.button("invites.join").click()
    grace.page.wait_for_url("**/g/*")
    grace.heading("Book club").wait_for()


# Guard: an invitation that was accepted goes at once, and leaves nothing in its place (`joining.js`,
# `groups.js`)
def test_an_invitation_stands_above_the_groups_and_its_sign_has_a_dot(two, family):
    ada, _, _ = two
    ada.go("/")
    ada.button("invites.title").wait_for()
    family.make_group("Book club", ada.number)
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate(WAKE)
    ada.sees("Book club")
    sign = ada.button("invites.count", count=1)
    # The signs stay together, within the margin of the cards.
    rows = ada.page.evaluate("[...document.querySelectorAll('.top button')].map((one) => one.getBoundingClientRect().y)")
    assert len(rows) == 2 and len(set(rows)) == 1
    # The card goes with the tap, not with the next answer.
    ada.page.route("**/v1/invites", lambda route: None)
    ada.button("invites.join").click()
    ada.page.wait_for_url("**/g/*")
    ada.heading("Book club").wait_for()
    ada.page.evaluate(f"async () => ({STORES}).router.go('/')")
    ada.button("invites.title").wait_for()
    expect(sign).to_have_count(0)
    # Nothing is left in the letter's place.
    assert ada.page.locator("main").inner_text().splitlines().count("0") == 0


# Guard: the dashed face of an invited person goes when that person has joined (`pending.js`)
# Guard: a refused clipboard leaves the link to copy by hand (`share.js`)
# Guard: invited faces come back after a network that answered nothing (`pending.js`)
def test_invited_people_are_faces_that_are_not_here_yet(somebody):
    ada, grace = somebody("Ada").sign_in(), somebody("Grace").arrive()
    ada.make_group("Family", grace)
    shared = ada.page.get_by_role("button", name=re.compile(t("share.with", number=".*415.*")))
    expect(shared).to_be_visible()
    ada.sees(t("group.invited"))
    # After a network that answered nothing they come back.
    path = ada.page.url.split("/", 3)[3]
    ada.page.route("**/invites", lambda route: route.abort())
    ada.page.evaluate(f"async () => ({STORES}).router.go('/')")
    ada.button("groups.new").wait_for()
    ada.page.evaluate(f"async () => ({STORES}).router.go('/{path}')")
    ada.heading("Family").wait_for()
    expect(shared).to_have_count(0)
    ada.page.unroute("**/invites")
    ada.page.wait_for_timeout(3_100)
    ada.page.evaluate(WAKE)
    expect(shared).to_be_visible()
    ada.page.evaluate("navigator.share = async (what) => globalThis.shared = what")
    shared.click()
    code = ada.page.evaluate("shared.url").rsplit("/", 1)[1]
    assert code in ada.page.evaluate("shared.text")
    # Where there is no sheet and the clipboard is refused, the link can be copied by hand.
    ada.page.evaluate("""delete navigator.share;
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError")); 0""")
    ada.page.once("dialog", lambda dialog: (asked.append(dialog.default_value), dialog.dismiss()))
    asked = []
    shared.click()
    until(lambda: ada.page.wait_for_timeout(50) or asked, 60, "the link")
    assert code in asked[0]
    grace.member.join(code)
    # The face becomes a person's as soon as the stream tells of them.
    expect(shared).to_have_count(0)
    expect(ada.page.locator(".today > li")).to_have_count(2)


# Guard: an invitation of somebody else shows no number (`share.js` (`invitee`))
def test_only_its_inviter_sees_whom_an_invitation_is_for(two, family):
    ada, _, group = two
    [invitation] = ada.member.call("POST", "/v1/invites/send", {"group_id": group, "phone_numbers": [family.number]})["sent"]
    family.join(invitation["code"])
    family.call("POST", "/v1/invites/send", {"group_id": group, "phone_numbers": ["+14155559997"]})
    ada.go(f"/g/{group}")
    somebody = t("share.hidden")
    ada.button("share.with", number=somebody).wait_for()
    ada.go(f"/g/{group}/settings")
    ada.button("share.with", number=somebody).wait_for()
    expect(ada.page.get_by_text(somebody, exact=True)).to_be_visible()
    ada.sees("Bob")
    assert "9997" not in ada.page.content()
    ada.button("groupSettings.revoke", number=somebody).click()
    ada.sees(t("groupSettings.revoked"))
    expect(ada.page.get_by_text(t("groupSettings.open"))).to_have_count(0)


def block(person, name, scope=None):
    (scope or person.page).get_by_role("button", name=t("viewer.block", name=name), exact=True).click()
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_text(t("viewer.blockText", name=name)).first.wait_for()
    dialog.get_by_role("button", name=t("viewer.block", name=name), exact=True).last.click()


# Guard: a blocked person's photos go before the service answers, and come back where it refuses (`blocks.js`,
# `feed.js`)
def test_a_blocked_member_and_their_photos_leave_every_screen_and_tab_at_once(two, family):
    ada, _, group = two
    _, [code] = ada.member.make_group("Others", family.number)
    family.join(code)
    invited = ada.member.call("POST", "/v1/invites/send", {"group_id": group, "phone_numbers": [family.number]})
    family.join(invited["sent"][0]["code"])
    family.send_photo(group, PICTURE.read_bytes())
    expect(ada.photos()).to_have_count(1)
    second = ada.new_page()
    second.goto("/")
    second.get_by_text(t("groups.fresh", count=1)).wait_for()
    ada.go(f"/g/{group}/settings")
    # The photo goes before the service has answered.
    held = []
    ada.page.route("**/block", lambda route: held.append(route))
    block(ada, "Bob")
    until(lambda: ada.page.wait_for_timeout(50) or held, 60, "the call")
    assert ada.page.evaluate(f"async () => ({STORES}).feeds.of('{group}').photos.length") == 0
    held[0].continue_()
    ada.page.unroute("**/block")
    expect(second.locator("day-photo")).to_have_count(0)
    expect(second.get_by_text(t("groups.fresh", count=1))).to_have_count(0)
    expect(ada.page.get_by_text("Bob", exact=True)).to_have_count(0)
    ada.go(f"/g/{group}")
    ada.heading("Family").wait_for()
    expect(ada.photos()).to_have_count(0)
    ada.go("/settings/blocked")
    ada.button("blocked.end").click()
    ada.sees(t("blocked.none"))
    # Without the block the photo is here again; its sender is not.
    expect(second.locator("day-photo").first).to_be_visible()


def press(person, locator, milliseconds=700):
    """A finger that stays and trembles a little."""
    box = locator.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    cdp = person.context.new_cdp_session(person.page)
    touch = lambda kind, points: cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch("touchStart", [{"x": x, "y": y}])
    touch("touchMove", [{"x": x + 3, "y": y - 2}])
    person.page.wait_for_timeout(milliseconds)
    touch("touchEnd", [])


# Guard: a block from the viewer closes it first, and its word stays (`blocking.js`, `router.js`)
def test_a_long_press_on_a_photo_offers_to_block_its_sender(somebody, family):
    ada = somebody("Ada", has_touch=True).arrive()
    group, [code] = family.make_group("Family", ada.number)
    ada.member.join(code)
    family.send_photo(group, PICTURE.read_bytes())
    ada.go(f"/g/{group}")
    expect(ada.photos()).to_have_count(1)
    press(ada, ada.page.locator("a.tile"))
    menu = ada.page.get_by_role("dialog", name=t("viewer.menu"))
    menu.wait_for()
    assert ada.page.url.endswith(f"/g/{group}")
    ada.button("action.close").click()
    expect(menu).to_have_count(0)
    # A tap still opens the photo, and there the finger finds the same menu.
    ada.page.locator("a.tile").tap()
    ada.page.wait_for_url("**/photo/*")
    photo = ada.page.get_by_role("img", name=t("viewer.by", name="Bob"))
    photo.wait_for()
    ada.page.wait_for_timeout(500)
    press(ada, photo)
    menu.wait_for()
    # Without a network nobody is blocked: the photo is where it was.
    ada.context.set_offline(True)
    block(ada, "Bob", menu)
    ada.page.wait_for_url(f"**/g/{group}")
    toast = ada.page.locator(".toast")
    expect(toast).to_have_text(t("error.offline"))
    expect(ada.page.locator("a.tile")).to_have_count(1)
    ada.context.set_offline(False)
    ada.page.locator("a.tile").tap()
    ada.page.wait_for_url("**/photo/*")
    ada.button("viewer.menu").click()
    block(ada, "Bob", menu)
    ada.page.wait_for_url(f"**/g/{group}")
    expect(ada.page.locator("a.tile")).to_have_count(0)
    # The word stays when the viewer is gone.
    ada.page.wait_for_timeout(600)
    expect(toast).to_contain_text("Bob")


# Guard: a service without a push key offers no notifications (`push.js`)
def test_a_service_without_messages_to_browsers_offers_none(somebody):
    ada = somebody("Ada").arrive()
    ada.go("/settings")
    ada.sees(t("settings.quiet"))
    expect(ada.page.get_by_text(t("settings.push"), exact=True)).to_have_count(0)


SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({ tag }) => tag).sort();
}"""
SHOW = """async ([one, other]) => {
  const registration = await navigator.serviceWorker.ready;
  for (const id of [one, other]) await registration.showNotification("Photo", { tag: id, data: { kind: "photo", group_id: id } });
}"""


# Guard: a notification goes with its group's opening, or once its photos were looked at (`notices.js`)
def test_opening_a_group_takes_its_notification_out_of_the_tray(two, family):
    ada, grace, group = two
    quiet, _ = ada.member.make_group("Quiet", "+14155559999")
    other, [code] = family.make_group("Walks", ada.number)
    ada.member.join(code)
    family.send_photo(other, PICTURE.read_bytes())
    grace.member.send_photo(group, PICTURE.read_bytes())
    ada.context.grant_permissions(["notifications", "camera"])
    ada.go("/settings")
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate(SHOW, [group, other])
    assert ada.page.evaluate(SHOWN) == sorted([group, other])
    ada.page.evaluate(f"async (path) => ({STORES}).router.go(path)", f"/g/{group}")
    ada.heading("Family").wait_for()
    until(lambda: ada.page.evaluate(SHOWN) == [other], 60, "an empty tray")
    # A start of the app takes out those whose photos were looked at elsewhere.
    ada.page.evaluate(SHOW, [quiet, other])
    ada.go("/")
    until(lambda: ada.page.evaluate(SHOWN) == [other], 60, "an empty tray")
