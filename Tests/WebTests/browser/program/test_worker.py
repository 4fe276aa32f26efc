"""The service worker: it sends the queue in the background, shows notifications and answers without a network."""

import base64

from playwright.sync_api import expect

from member import Member
from person import t, worker_of
from service import until


# Guard: a queued upload is sent once, by one driver (`upload-queue.js`)
def test_the_worker_sends_a_queued_photo_without_a_page_of_the_app(two, service):
    ada, grace, group = two
    session, worker = worker_of(ada)
    ada.context.set_offline(True)
    ada.take_photo("Family")
    ada.sees(t("banner.saved", count=1))
    # No page of the app is open any more, and the session's cookie is all that the worker has.
    ada.page.goto("about:blank")
    ada.context.set_offline(False)

    def is_sent():
        # A browser sends the event again after a failure: the network may be only just back.
        session.send("ServiceWorker.dispatchSyncEvent", {**worker, "tag": "uploads", "lastChance": False})
        grace.page.wait_for_timeout(3_000)
        return grace.photos().count() == 1

    until(is_sent, 40, "the photo")
    assert service.photos_of(group) == 1
    ada.go("/")
    ada.page.wait_for_timeout(2_000)
    assert service.photos_of(group) == 1


SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration.getNotifications()).map(({ title, body, data }) => [title, body, data.path]).sort();
}"""


# Guard: every push message shows a notification (`notifications.js`)
def test_every_push_message_shows_a_notification_also_one_that_cannot_be_read(two):
    ada, _, group = two
    ada.context.grant_permissions(["notifications"], origin=ada.service.url)
    session, worker = worker_of(ada)
    # The app would close the message about a group that is looked at.
    ada.page.goto("/healthz")
    payload = f"""{{"web_push": 8030, "notification": {{"title": "Family", "body": "The first photo of the day",
      "lang": "en", "dir": "auto", "navigate": "{ada.service.url}/g/{group}", "tag": "photo.{group}",
      "data": {{"kind": "photo", "group_id": "{group}"}}}}}}"""
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": payload})
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": base64.b64encode(b"\x00\xff").decode()})
    expected = [["Dayly", "", "/"], ["Family", "The first photo of the day", f"/g/{group}"]]
    until(lambda: ada.page.evaluate(SHOWN) == expected, 60, "two notifications")


SIGNED_OUT = """{"notification": {"title": "Dayly", "body": "Signed out.", "lang": "en", "navigate": "/", "tag": "signed_out",
  "data": {"kind": "signed_out"}}}"""


# Guard: the end of a session takes its notifications along (`forgetting.js`)
# Guard: a message that a session is over is checked with the service (`notifications.js`, `queue.js`
# (`isOver`))
def test_a_sign_out_from_elsewhere_takes_notifications_and_what_is_kept_from_a_browser_without_a_page(two, service):
    ada, _, group = two
    ada.context.grant_permissions(["notifications"], origin=ada.service.url)
    until(lambda: "/kept/user" in ada.kept()["caches"], 60, "what is kept")
    session, worker = worker_of(ada)
    # No page of the app is open any more.
    ada.page.goto("/healthz")
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": f"""{{"notification": {{"title": "Family",
      "body": "A photo", "tag": "photo", "data": {{"kind": "photo", "group_id": "{group}"}}}}}}"""})
    until(lambda: ada.page.evaluate(SHOWN) == [["Family", "A photo", "/"]], 60, "the notification")
    # Such a message may be late: the session lives.
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": SIGNED_OUT})
    ada.page.wait_for_timeout(2_000)
    assert ada.page.evaluate(SHOWN) == [["Family", "A photo", "/"]]
    assert "/kept/user" in ada.kept()["caches"]
    Member(service, "Ada", ada.number).sign_in().call("DELETE", "/v1/auth/sessions")
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": SIGNED_OUT})
    until(lambda: ada.page.evaluate(SHOWN) == [["Dayly", "Signed out.", "/"]], 60, "the last notification")
    # Nothing stays but the service's time.
    assert set(ada.kept()["caches"]) <= {"/kept/clock"}


# Guard: a push message wakes the worker, which forgets what has ended (`start.js` (`forget`))
def test_a_push_message_to_a_closed_browser_forgets_the_photos_that_have_ended(two):
    ada, _, _ = two
    ada.context.grant_permissions(["notifications"], origin=ada.service.url)
    session, worker = worker_of(ada)
    ada.page.goto("/healthz")
    # The browser ends a worker that has nothing to do.
    session.send("ServiceWorker.stopAllWorkers")
    now = ada.page.evaluate("Date.now()")
    ada.page.evaluate("""async (ends) => {
      const pictures = await caches.open("dayly-photos");
      for (const end of ends) await pictures.put(`/photos/${end}/full?expires=${end}`, new Response("picture"));
    }""", [now - 60_000, now + 3_600_000])
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": "{}"})
    until(lambda: ada.kept_pictures() == [f"/photos/{now + 3_600_000}/full"], 60, "forgetting")


# Guard: an address of our own opens without a network (`worker/start.js`)
def test_the_app_opens_without_a_network_on_every_address_of_its_own(two):
    ada, _, group = two
    ada.is_controlled()
    ada.context.set_offline(True)
    for path in ("/", f"/g/{group}", f"/g/{group}/settings", "/settings", "/uploads", "/about", "/invites"):
        ada.go(path)
        expect(ada.page.get_by_role("heading", level=1).first).to_be_attached()
    ada.context.set_offline(False)
