"""What happens while a page is open: a new version, a removal, an end of the session, a cut line."""

import shutil

import pytest
from playwright.sync_api import expect

from person import Person, t
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
    until(lambda: ada.version() not in (None, old), 15, "the new version")
    ada.button("groups.new").wait_for()
    new = ada.version()
    loaded.clear()
    ada.page.reload()
    ada.button("groups.new").wait_for()
    assert all(f"/app/{new}/" in url for url in loaded if "/app/" in url)
    shells = ada.page.evaluate("caches.keys()")
    assert [name for name in shells if name.startswith("dayly-shell-")] == [f"dayly-shell-{new}"]
    missing = ada.context.request.get(f"/app/{old}/app/main.js", headers={"Accept": "text/html"})
    assert (missing.status, "problem+json" in missing.headers["content-type"]) == (404, True)


def test_a_version_that_waited_since_the_last_visit_takes_over_at_the_next_start(browser, deployed):
    ada = Person(browser, deployed, "Ada").sign_in()
    old = ada.version()
    ada.is_controlled()
    with open(deployed.web / "styles/base.css", "a") as styles:
        styles.write("\n/* a new version */\n")
    ada.find_new_version()
    ada.page.close()
    ada.page = ada.new_page()
    until(lambda: ada.go("/") or ada.version() != old, 20, "the new version")


def test_a_removed_member_loses_the_group_at_once_on_the_screen_and_on_the_disk(two):
    ada, grace, group = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    ada.go(f"/g/{group}/settings")
    ada.button("groupSettings.removeOf", name="Grace").click()
    ada.page.get_by_role("dialog").get_by_role("button", name=t("groupSettings.remove"), exact=True).click()
    grace.sees(t("group.away"))
    expect(grace.page.locator("main img")).to_have_count(0)
    until(lambda: not any("/photos/" in path or group in path for path in grace.kept()["caches"]), 5, "forgetting")


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
    until(lambda: phone.kept() == {"caches": [], "databases": []}, 5, "forgetting")


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
        expect(page.locator("main a.tile img.sharp")).to_have_count(1, timeout=15_000)
    assert streams == []
