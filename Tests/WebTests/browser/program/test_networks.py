"""Networks that answer instead of Dayly, and addresses without https."""

import pytest
from conftest import ARGUMENTS, CHROMIUM
from playwright.sync_api import expect

from person import STORES, Person, t
from portal import Portal
from service import ROOT, until

PORTALS = [(200, ()), (302, (("Location", "http://hotel.invalid/"),)), (403, ()), (511, ())]


@pytest.mark.parametrize("status, headers", PORTALS, ids=[str(status) for status, _ in PORTALS])
# Guard: an answer that is not the service's accepts, refuses and signs out nothing (`problems.js`,
# `sending.js`)
def test_a_photo_that_a_network_swallows_waits_and_arrives_once(two, service, status, headers):
    ada, grace, group = two
    for person in (ada, grace):
        # The policy refuses the hop to another host, which XMLHttpRequest and modules would follow.
        person.expected = ("hotel.invalid", "connect-src", "script-src", "style-src")
    ada.is_controlled()
    with Portal(service, status, headers) as portal:
        ada.take_photo("Family")
        until(lambda: portal.uploads, 30, "an upload")
        ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        ada.sees(t("error.foreign"))
        # Nobody is signed out, and what was kept is shown.
        ada.page.reload()
        ada.heading("Family").wait_for()
        assert ada.page.evaluate("async () => { const { uploads } = " + STORES + "; return uploads.all.length; }") == 1
        portal.let_through()
        ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(ada.photos()).to_have_count(1, timeout=60_000)
    ada.page.wait_for_timeout(1_000)
    assert service.photos_of(group) == 1


@pytest.fixture
def second_address(playwright, service):
    """Chromium that reaches the service by a name which browsers do not trust without https."""
    service.line.restore()
    name = "dayly.home"
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, args=[*ARGUMENTS, f"--host-resolver-rules=MAP {name} 127.0.0.1"])
    yield browser, f"http://{name}:{service.line.port}"
    browser.close()


# Guard: plain http works for the visit (`platform.js` (`completeCrypto`), `BrowserSessionRoutes.swift`)
def test_without_https_dayly_works_for_the_visit_and_says_what_it_cannot(second_address, service, somebody):
    browser, address = second_address
    grace = somebody("Grace").arrive()
    ada = Person(browser, service, "Ada", base_url=address)
    ada.sign_in()
    assert ada.page.evaluate("isSecureContext") is False
    ada.sees(t("limit.insecure"))
    group = ada.make_group("Family", grace)
    code = service.sql(f"SELECT count(*) FROM groups WHERE id = '{group}'")
    assert code == "1"
    ada.link("groups.take", group="Family").click()
    ada.sees(t("camera.none"))
    ada.page.locator("input[type=file]").set_input_files(ROOT / "docs/sample.jpg")
    ada.button("preview.send", groups="Family").click()
    # The picture comes from this address, not from the one that the service knows of itself.
    expect(ada.photos()).to_have_count(1, timeout=30_000)
    ada.page.reload()
    expect(ada.photos()).to_have_count(1, timeout=30_000)
