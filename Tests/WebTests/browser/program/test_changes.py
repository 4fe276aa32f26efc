"""What happens while a page is open: a new version, a removal, an end of the session, a cut line."""

import re
import shutil
import time

import pytest
from playwright.sync_api import expect

from person import STORES, Person, t
from service import ROOT, WORK, Service, make_folder, until


@pytest.fixture
def deployed():
    """A service with a copy of the web client, of which a test can make a new version."""
    folder = make_folder(WORK / "deployed")
    web = folder / "web"
    shutil.copytree(ROOT / "Sources/Web", web)
    service = Service(folder, web=web)
    try:
        service.start()
        yield service
    finally:
        service.stop()


# Guard: a new version switches by a tap or at the next start (`updates.js`)
def test_a_new_version_waits_for_a_tap_and_never_mixes_with_the_old_one(browser, deployed):
    ada = Person(browser, deployed, "Ada").sign_in()
    old = ada.version()
    ada.is_controlled()
    with open(deployed.web / "styles/base.css", "a") as styles:
        styles.write("\n/* a new version */\n")
    loaded = []
    ada.context.on("request", lambda request: loaded.append(request.url))
    ada.find_new_version()
    assert ada.version() == old
    ada.button("banner.update").click()
    until(lambda: ada.version() not in (None, old), 60, "the new version")
    ada.button("groups.new").wait_for()
    new = ada.version()
    loaded.clear()
    ada.page.reload()
    ada.button("groups.new").wait_for()
    assert all(f"/app/{new}/" in url for url in loaded if "/app/" in url)
    shells = ada.page.evaluate("caches.keys()")
    assert [name for name in shells if name.startswith("dayly-shell-")] == [f"dayly-shell-{new}"]
    missing = ada.context.request.get(f"/app/{old}/first.js", headers={"Accept": "text/html"})
    assert (missing.status, "problem+json" in missing.headers["content-type"]) == (404, True)


# Guard: a new version switches by a tap or at the next start (`updates.js`)
def test_a_version_that_waited_since_the_last_visit_takes_over_at_the_next_start(browser, deployed):
    ada = Person(browser, deployed, "Ada").sign_in()
    old = ada.version()
    ada.is_controlled()
    with open(deployed.web / "styles/base.css", "a") as styles:
        styles.write("\n/* a new version */\n")
    ada.find_new_version()

    def start_again():
        ada.page.close()
        # The browser lets the new worker take over a moment after the last page is gone.
        time.sleep(0.5)
        ada.page = ada.new_page()
        ada.go("/")
        return ada.version() != old
    until(start_again, 30, "the new version")


# Guard: a removed member's group goes at once (`group-list.js`)
def test_a_removed_member_loses_the_group_at_once_on_the_screen_and_on_the_disk(two):
    ada, grace, group = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    ada.go(f"/g/{group}/settings")
    ada.button("groupSettings.removeOf", name="Grace").click()
    ada.page.get_by_role("dialog").get_by_role("button", name=t("groupSettings.remove"), exact=True).click()
    grace.sees(t("group.away"))
    expect(grace.page.locator("main .picture")).to_have_count(0)
    until(lambda: not any("/photos/" in path or group in path for path in grace.kept()["caches"]), 60, "forgetting")


def test_a_session_that_is_ended_elsewhere_signs_this_page_out_with_a_sentence(somebody, service):
    phone = somebody("Ada").sign_in()
    tablet = somebody("Ada")
    tablet.number = phone.number
    tablet.type_code(tablet.ask_for_code(after=1))
    tablet.button("groups.new").wait_for()
    tablet.go("/settings/devices")
    tablet.button("devices.others").click()
    tablet.page.get_by_role("dialog").get_by_role("button", name=t("devices.others"), exact=True).click()
    phone.page.wait_for_url("**/welcome", timeout=30_000)
    phone.sees(t("welcome.ended"))
    until(lambda: phone.kept() == {"caches": [], "databases": []}, 60, "forgetting")


def test_a_tunnel_signs_nobody_out_and_the_stream_catches_up_behind_it(two, service):
    ada, grace, _ = two
    grace.is_controlled()
    service.line.cut()
    grace.page.reload()
    grace.heading("Family").wait_for()
    grace.page.wait_for_timeout(3_000)
    service.line.restore()
    ada.page.reload()
    ada.heading("Family").wait_for()
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=40_000)
    assert grace.page.url.endswith(ada.page.url.rsplit("/", 1)[1])


# Guard: a stream resumes by its last event, also in another tab (`events.js`)
def test_another_tab_sees_what_this_one_does_over_one_stream(two):
    ada, grace, group = two
    grace.page.wait_for_selector("html[data-complete]")
    # Her stream begins a moment after the first screen.
    grace.page.wait_for_timeout(1_000)
    streams = []
    grace.context.on("request", lambda request: request.url.endswith("/v1/events") and streams.append(request.url))
    second = grace.new_page()
    second.goto(f"/g/{group}")
    second.get_by_role("heading", name="Family", exact=True).wait_for()
    second.wait_for_timeout(1_000)
    ada.take_photo("Family")
    for page in (grace.page, second):
        expect(page.locator("main a.tile .picture.sharp")).to_have_count(1, timeout=15_000)
    assert streams == []


# Guard: a download and an upload that end after a sign-out keep nothing (`background.js`)
def test_what_is_under_way_at_a_sign_out_is_not_kept(somebody):
    ada, grace = somebody("Ada").arrive(), somebody("Grace", service_workers="block").arrive()
    group, [code] = ada.member.make_group("Family", grace.number)
    grace.member.join(code)
    photo = ada.member.send_photo(group, (ROOT / "docs/sample.jpg").read_bytes())
    small, sent = [], []
    grace.context.route(re.compile("_thumbnail"), lambda route: small.append(route))
    grace.context.route(
        f"**/v1/groups/{group}/photos",
        lambda route: sent.append(route) if route.request.method == "POST" else route.continue_())
    grace.go(f"/g/{group}")
    grace.page.wait_for_selector("html[data-complete]")
    grace.take_photo("Family")
    # Only a call to the page lets Playwright deliver the requests.
    until(lambda: grace.page.evaluate("0") or (small and sent), 60, "a picture and an upload")
    grace.page.evaluate(f"""async () => {{
      const {{ session }} = {STORES};
      await session.signOut();
    }}""")
    grace.page.wait_for_url("**/welcome")
    sent[0].fulfill(status=201, json=photo)
    for route in small:
        route.continue_()
    grace.page.wait_for_timeout(700)
    assert grace.kept()["caches"] == []


# Guard: the number on the icon goes with its photo (`background.js`)
def test_a_number_on_the_icon_goes_when_no_photo_is_behind_it(two):
    ada, _, group = two
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate(f"""async (group) => {{
      const {{ kept }} = {STORES};
      await kept.write("unseen groups", [group]);
      navigator.clearAppBadge = async () => globalThis.isClear = true;
      document.dispatchEvent(new Event("visibilitychange"));
    }}""", group)
    until(lambda: ada.page.evaluate("globalThis.isClear"), 60, "an icon without a number")
    until(lambda: ada.page.evaluate(f"async () => (({STORES}).kept).read('unseen groups')") == [], 60, "forgetting")


# Guard: a sheet closes only for a tap outside, and with its screen (`sheet.js`, `router.js`)
def test_a_sheet_stays_when_a_tap_misses_its_buttons_and_goes_with_its_screen(two):
    ada, _, group = two
    ada.page.emulate_media(reduced_motion="reduce")
    ada.go(f"/g/{group}/settings")
    ada.button("groupSettings.invite").click()
    sheet, mouse = ada.page.get_by_role("dialog"), ada.page.mouse
    # It stands still then.
    sheet.hover()
    box, title = sheet.bounding_box(), sheet.get_by_role("heading").first.bounding_box()
    mouse.click(box["x"] + 5, box["y"] + box["height"] / 2)
    expect(sheet).to_be_visible()
    # A selection of text ends beside the sheet.
    mouse.move(title["x"] + 5, title["y"] + 5)
    mouse.down()
    mouse.move(5, 5)
    mouse.up()
    expect(sheet).to_be_visible()
    mouse.click(5, 5)
    expect(sheet).to_have_count(0)
    ada.button("groupSettings.invite").click()
    expect(sheet).to_be_visible()
    ada.page.evaluate(f"async () => ({STORES}).router.go('/')")
    ada.button("groups.new").wait_for()
    expect(sheet).to_have_count(0)


# Guard: a hidden page opens no stream (`background.js`)
def test_a_page_that_nobody_looks_at_opens_no_stream(somebody):
    ada, streams = somebody("Ada", service_workers="block").arrive(), []
    ada.context.add_init_script("""Object.defineProperty(Document.prototype, "hidden", {
      configurable: true, get: () => !globalThis.isSeen
    })""")
    ada.context.on("request", lambda request: request.url.endswith("/v1/events") and streams.append(request.url))
    ada.go("/")
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    ada.page.wait_for_timeout(300)
    assert streams == []
    with ada.page.expect_request("**/v1/events"):
        ada.page.evaluate("""() => {
          globalThis.isSeen = true;
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
