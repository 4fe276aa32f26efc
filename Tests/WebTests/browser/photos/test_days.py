"""Days that turn while a page is open, and clocks that are wrong."""

import re
import shutil
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from person import STORES, Person, t, worker_of
from service import ROOT, WORK, Service, make_folder, until

WAKE = "document.dispatchEvent(new Event('visibilitychange'))"
AHEAD = "{ const { now } = Date; Date.now = () => now() + 25 * 3_600_000; }"
HIDE = """Object.defineProperty(Document.prototype, "hidden", { configurable: true, get: () => globalThis.isAway ?? false })"""


def shift(person, by):
    """From now on the service's answers are dated earlier or later, so that the device's clock is wrong by as much."""
    def answer(route):
        response = route.fetch()
        date = datetime.now(timezone.utc) + by
        route.fulfill(response=response, headers={**response.headers, "date": date.strftime("%a, %d %b %Y %H:%M:%S GMT")})
    # Every answer but the stream: one with the real time would set the clock right again.
    person.context.route(re.compile(r"/v1/(?!events)"), answer)
    person.page.evaluate(f"async () => await ({STORES}).groups.refresh()")


def time_of(person):
    return datetime.fromtimestamp(person.page.evaluate(f"async () => ({STORES}).clock.now()") / 1000, timezone.utc)


def seconds_of_day(person):
    return person.page.evaluate(f"async () => {{ const {{ clock }} = {STORES}; return (clock.today.end - clock.now()) / 1000; }}")


def go_to_midnight(person, seconds):
    """Some seconds before the person's midnight, without a network."""
    shift(person, timedelta(seconds=seconds_of_day(person) - seconds))
    person.context.set_offline(True)


@pytest.mark.parametrize("is_seen", [True, False], ids=["seen", "hidden"])
# Guard: what is due runs when the device wakes up (`service-clock.js`, `background.js`)
# Guard: a day that was used ends by the clock alone, and midnight is told (`group-list.js`)
def test_at_midnight_the_camera_is_there_the_heading_is_right_and_rings_open(two, is_seen):
    ada, grace, group = two
    ada.context.add_init_script(HIDE)
    grace.take_photo("Family")
    ada.go(f"/g/{group}")
    ada.page.wait_for_selector("html[data-complete]")
    ada.take_photo("Family")
    ada.sees(t("group.limit"))
    members = ada.page.locator("main ul.today li")
    expect(members.filter(has_text=t("group.hasSent"))).to_have_count(2)
    go_to_midnight(ada, 8 if is_seen else -1)
    if is_seen:
        assert ada.page.get_by_text(t("group.limit")).is_visible()
    else:
        # The timers of a tab that nobody looks at sleep.
        ada.page.evaluate(f"""async () => {{
          isAway = true;
          {WAKE};
          isAway = false;
          {WAKE};
        }}""")
    ada.link("groups.take", group="Family").wait_for()
    expect(members.filter(has_text=t("group.hasSent"))).to_have_count(0)
    expect(ada.page.get_by_text(t("group.limit"))).to_have_count(0)
    ada.context.set_offline(False)


def test_at_midnight_the_first_screen_has_another_day(two):
    ada, _, _ = two
    ada.page.evaluate(f"async () => ({STORES}).router.go('/')")
    ada.button("groups.new").wait_for()
    ada.page.wait_for_selector("html[data-complete]")
    today = ada.page.locator("main h1").inner_text()
    go_to_midnight(ada, 4)
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    expect(ada.heading(names[(names.index(today) + 1) % 7])).to_be_visible()
    ada.context.set_offline(False)


def test_a_zone_that_the_browser_does_not_know_leaves_no_page_blank(two):
    ada, _, group = two
    ada.context.add_init_script("""{
      const { DateTimeFormat } = Intl;
      Intl.DateTimeFormat = function (tags, options) {
        if (options?.timeZone === "Europe/Berlin") throw new RangeError("an unknown zone");
        return new DateTimeFormat(tags, options);
      };
      Object.assign(Intl.DateTimeFormat, { supportedLocalesOf: DateTimeFormat.supportedLocalesOf });
    }""")
    for path, heading in (("/", None), (f"/g/{group}", "Family")):
        ada.go(path)
        ada.page.locator("main h1").wait_for()
        assert not heading or ada.heading(heading).is_visible()


@pytest.mark.parametrize("hours", [25, -25])
def test_a_start_without_a_network_on_a_wrong_clock_shows_what_lives_and_when_it_was(two, hours):
    ada, grace, group = two
    grace.take_photo("Family")
    expect(ada.photos()).to_have_count(1, timeout=30_000)
    ada.is_controlled()
    ada.page.wait_for_selector("html[data-complete]")
    # As if the device were wrong by so much, and the service right.
    ada.context.add_init_script(f"{{ const {{ now }} = Date; Date.now = () => now() + {hours} * 3_600_000; }}")
    ada.page.reload()
    until(lambda: abs(time_of(ada) - datetime.now(timezone.utc)) < timedelta(minutes=1), 60, "the service's time")
    until(lambda: ada.page.evaluate(f"async () => await ({STORES}).kept.read('clock')"), 60, "keeping")
    ada.context.set_offline(True)
    ada.page.reload()
    expect(ada.photos()).to_have_count(1)
    assert abs(time_of(ada) - datetime.now(timezone.utc)) < timedelta(minutes=1)
    assert "minute" in ada.page.locator("main a.tile .tiny").inner_text() or ada.page.get_by_text("now").is_visible()
    ada.context.set_offline(False)


@pytest.fixture
def ahead():
    """A service whose worker runs on devices that are 25 hours ahead."""
    folder = make_folder(WORK / "ahead")
    web = folder / "web"
    shutil.copytree(ROOT / "Sources/Web", web)
    (web / "worker/ahead.js").write_text(AHEAD)
    worker = web / "sw.js"
    worker.write_text('import "/app/{{version}}/worker/ahead.js";\n' + worker.read_text())
    service = Service(folder, web=web)
    try:
        service.start()
        yield service
    finally:
        service.stop()


# Guard: a service worker has all that sends (`queue.js`)
# Guard: page and worker share the service's clock (`service-clock.js`, `queue.js`)
def test_the_worker_knows_that_the_clock_is_wrong(browser, ahead):
    ada, grace = Person(browser, ahead, "Ada").arrive(), Person(browser, ahead, "Grace").arrive()
    ada.context.add_init_script(AHEAD)
    group, [code] = ada.member.make_group("Family", grace.number)
    grace.member.join(code)
    for person in (ada, grace):
        person.go(f"/g/{group}")
        person.heading("Family").wait_for()
    session, worker = worker_of(ada)
    until(lambda: ada.page.evaluate(f"async () => await ({STORES}).kept.read('clock')"), 60, "keeping")
    ada.context.set_offline(True)
    ada.take_photo("Family")
    ada.sees(t("banner.saved", count=1))
    ada.page.goto("about:blank")
    ada.context.set_offline(False)

    def is_sent():
        session.send("ServiceWorker.dispatchSyncEvent", {**worker, "tag": "uploads", "lastChance": False})
        grace.page.wait_for_timeout(3_000)
        return ahead.photos_of(group) == 1

    # By the device's clock alone the photo would be one of yesterday, which is not sent without asking.
    until(is_sent, 40, "the photo")
