"""A session that ends while photos wait."""

import re

import pytest
from playwright.sync_api import expect

from person import STORES, t
from service import until


UPLOADS = re.compile(r"/v1/groups/[^/]+/photos$")


@pytest.fixture
def waiting(somebody, service):
    """Ada, whose photo waits for a network that lets no upload through, Grace, and their group."""
    ada, grace = somebody("Ada", service_workers="block").arrive(), somebody("Grace").arrive()
    group, [code] = ada.member.make_group("Family", grace.number)
    grace.member.join(code)
    for person in (ada, grace):
        person.go(f"/g/{group}")
        person.page.wait_for_selector("html[data-complete]")
    ada.context.route(UPLOADS, lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    ada.take_photo("Family")
    ada.page.get_by_text(t("uploads.waiting"), exact=True).wait_for()
    return ada, grace, group


def end_session(person, service):
    """The session of this browser ends elsewhere, and the page learns it."""
    service.sql(f"""UPDATE sessions SET ended_at = now()
      WHERE user_id = (SELECT id FROM users WHERE phone_number = '{person.number}') AND ended_at IS NULL""")
    person.page.evaluate(f"""async () => {{
      const {{ session }} = {STORES};
      await session.token(await session.token()).catch(() => {{}});
    }}""")
    person.page.wait_for_url("**/welcome")
    person.context.unroute(UPLOADS)


def sign_in_again(person, service, number):
    person.number, before = number, service.log.read_text().count(f"SMS to {number}")
    person.type_code(person.ask_for_code(after=before))


# Guard: a photo that waits outlives the end of a session by the service (`forgetting.js`)
def test_a_photo_that_waits_outlives_the_session_and_goes_out_after_a_sign_in(waiting, service):
    ada, grace, group = waiting
    second = ada.new_page()
    second.goto("/")
    second.wait_for_selector("html[data-complete]")
    end_session(ada, service)
    for page in (ada.page, second):
        page.wait_for_url("**/welcome")
        page.get_by_text(t("welcome.kept", count=1)).wait_for()
    # Nothing else is kept, and a page that is loaded later knows it, too.
    until(lambda: ada.kept() == {"caches": [], "databases": ["dayly"]}, 60, "forgetting")
    ada.page.reload()
    ada.sees(t("welcome.kept", count=1))
    assert service.photos_of(group) == 0
    sign_in_again(ada, service, ada.number)
    expect(grace.photos()).to_have_count(1, timeout=60_000)
    until(lambda: ada.page.evaluate(f"async () => ({STORES}).uploads.waiting") == 0, 60, "an empty queue")
    assert service.photos_of(group) == 1


def test_another_person_on_the_same_device_neither_sees_nor_sends_the_photo(waiting, somebody, service):
    ada, grace, group = waiting
    number = ada.number
    bob = somebody("Bob").arrive()
    end_session(ada, service)
    ada.page.get_by_text(t("welcome.kept", count=1)).wait_for()
    sign_in_again(ada, service, bob.number)
    ada.button("groups.new").wait_for()
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    ada.page.evaluate(f"async () => ({STORES}).router.go('/uploads')")
    ada.sees(t("uploads.none"))
    ada.page.wait_for_timeout(1_000)
    assert service.photos_of(group) == 0
    end_session(ada, service)
    ada.page.get_by_text(t("welcome.kept", count=1)).wait_for()
    sign_in_again(ada, service, number)
    expect(grace.photos()).to_have_count(1, timeout=60_000)


# Guard: a photo that waits for somebody is deleted after 24 hours (`upload-records.js`, `forgetting.js`,
# `background.js`)
def test_a_photo_that_waited_for_24_hours_is_gone_when_a_page_wakes_up(waiting, service):
    ada, _, _ = waiting
    end_session(ada, service)
    ada.page.get_by_text(t("welcome.kept", count=1)).wait_for()
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate(f"""async () => {{
      const {{ clock }} = {STORES};
      clock.observe(new Response(null, {{ headers: {{ Date: new Date(Date.now() + 24.1 * 3_600_000).toUTCString() }} }}));
      document.dispatchEvent(new Event("visibilitychange"));
    }}""")
    until(lambda: ada.page.evaluate(f"async () => (await ({STORES}).database.all('captures')).length") == 0, 60, "forgetting")
    expect(ada.page.get_by_text(t("welcome.kept", count=1))).to_have_count(0)


# Guard: an own sign-out takes the person's photos along (`session.js`, `forgetting.js`)
# Guard: a look into the queue makes no database (`upload-queue.js`)
def test_an_own_sign_out_says_how_many_photos_wait_and_deletes_them(waiting):
    ada, _, _ = waiting
    ada.page.evaluate(f"async () => ({STORES}).router.go('/settings/data')")
    ada.sees(t("data.deleteWaiting", count=1))
    ada.page.evaluate(f"async () => ({STORES}).router.go('/settings')")
    ada.button("settings.signOut").click()
    ada.sees(t("settings.signOutWaiting", count=1))
    ada.page.get_by_role("dialog").get_by_role("button", name=t("settings.signOut"), exact=True).click()
    ada.page.wait_for_url("**/welcome")
    until(lambda: ada.kept() == {"caches": [], "databases": []}, 60, "forgetting")
    expect(ada.page.get_by_text(t("welcome.kept", count=1))).to_have_count(0)
