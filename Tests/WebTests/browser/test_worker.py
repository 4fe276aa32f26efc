"""The service worker: it sends the queue in the background, shows notifications and answers without a network."""

import base64

from playwright.sync_api import expect

from person import t
from service import until


def worker_of(person):
    """A CDP session, the origin and the registration of a person's worker."""
    person.is_controlled()
    session = person.context.new_cdp_session(person.page)
    registrations = []
    session.on("ServiceWorker.workerRegistrationUpdated",
               lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]))
    session.send("ServiceWorker.enable")
    # Only a call to the page lets Playwright deliver the event.
    until(lambda: person.page.evaluate("0") or registrations, 5, "a registration")
    return session, {"origin": person.service.url, "registrationId": registrations[-1]}


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


def test_every_push_message_shows_a_notification_also_one_that_cannot_be_read(two):
    ada, _, group = two
    ada.context.grant_permissions(["notifications"], origin=ada.service.url)
    session, worker = worker_of(ada)
    payload = f"""{{"web_push": 8030, "notification": {{"title": "Family", "body": "The first photo of the day",
      "lang": "en", "dir": "auto", "navigate": "{ada.service.url}/g/{group}", "tag": "photo.{group}",
      "data": {{"kind": "photo", "group_id": "{group}"}}}}}}"""
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": payload})
    session.send("ServiceWorker.deliverPushMessage", {**worker, "data": base64.b64encode(b"\x00\xff").decode()})
    shown = until(lambda: ada.page.evaluate("""async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.length < 2 ? null : all.map(({ title, data }) => [title, data.path]).sort();
    }"""), 60, "two notifications")
    assert shown == [["Dayly", "/"], ["Family", f"/g/{group}"]]


def test_the_app_opens_without_a_network_on_every_address_of_its_own(two):
    ada, _, group = two
    ada.is_controlled()
    ada.context.set_offline(True)
    for path in ("/", f"/g/{group}", f"/g/{group}/settings", "/settings", "/uploads", "/about", "/invites"):
        ada.go(path)
        expect(ada.page.get_by_role("heading", level=1).first).to_be_attached()
    ada.context.set_offline(False)
