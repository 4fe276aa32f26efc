"""The photo at once: what the viewer asks for, in which order, and what it does when a picture does not come."""

import re

import pytest
from playwright.sync_api import expect

from member import Member
from person import STORES, t
from service import ROOT, until

SAMPLE = (ROOT / "docs/sample.jpg").read_bytes()
PICTURE = re.compile(r"/files/.*\.jpg")
FULL = re.compile(r"/files/(?!.*_thumbnail).*\.jpg")


class Pictures:
    """The full pictures that a browser asks for, as numbers of their photos. `hold` keeps the answers until `give`."""

    def __init__(self, context, photos):
        self.places = {photo["url"].split("?")[0]: number for number, photo in enumerate(photos)}
        self.asked, self.ended, self.held = [], [], {}
        context.on("request", lambda request: self._note(self.asked, request))
        context.on("requestfailed", lambda request: self._note(self.ended, request))
        self.context = context

    def _note(self, notes, request):
        if FULL.search(request.url):
            notes.append(self.number(request))

    def number(self, request):
        return self.places[request.url.split("?")[0]]

    def hold(self):
        self.is_holding = True
        self.context.route(FULL, self._answer)

    def _answer(self, route):
        if self.is_holding:
            self.held[self.number(route.request)] = route
        else:
            route.continue_()

    def give(self, number, and_all_later=False):
        self.is_holding = not and_all_later
        self.held.pop(number).continue_()


# The test decides when a picture that failed has waited long enough.
HELD_WAITS = """() => {
  const { setTimeout } = globalThis;
  globalThis.waits = [];
  globalThis.setTimeout = (run, delay) =>
    String(run).includes("this.show()") ? waits.push([delay, run]) : setTimeout(run, delay);
}"""


def settled(page, milliseconds=500):
    """What would be asked for too early has been asked for then."""
    page.wait_for_timeout(milliseconds)


@pytest.fixture
def shared(somebody, service):
    """Makes Grace, whose group has photos of others, oldest first, of which she has the thumbnails."""
    def make(*names, looked=True, **options):
        grace = somebody("Grace", **options).arrive()
        others = [Member(service, name).sign_in() for name in names]
        group, codes = others[0].make_group("Family", grace.number, *[one.number for one in others[1:]])
        for one, code in zip([grace.member, *others[1:]], codes):
            one.join(code)
        for one in others:
            one.send_photo(group, SAMPLE)
        photos = grace.member.photos(group)
        # Nothing is fetched ahead: the first attempt finds no network, and afterwards every photo was looked at.
        grace.context.route(FULL, lambda route: route.abort())
        grace.go("/")
        grace.page.wait_for_selector("html[data-complete]")
        until(lambda: len(grace.kept_pictures()) == len(photos), 60, "the thumbnails")
        if looked:
            grace.page.evaluate(f"async (ids) => await ({STORES}).seen.mark(ids)", [one["id"] for one in photos])
        grace.page.goto("about:blank")
        grace.context.unroute(FULL)
        return grace, group, photos
    return make


def open_tile(grace, group, photo):
    grace.go(f"/g/{group}")
    grace.page.wait_for_selector("html[data-complete]")
    settled(grace.page)
    grace.page.locator(f"a.tile[href$='{photo['id']}']").click()
    grace.page.locator(".strip").wait_for()


def place(grace, number, photos):
    """Waits until the viewer is at a photo."""
    grace.page.locator("footer .count", has_text=t("viewer.place", place=number + 1, count=len(photos))).wait_for()


def sharp(grace, number, photos):
    return grace.page.locator(f"li[data-photo='{photos[number]['id']}'] whole-photo .sharp")


# Guard: the photo that is looked at is fetched first and alone (`slides.js`)
def test_the_tapped_photo_comes_first_and_alone_then_its_neighbours_and_no_other(shared):
    grace, group, photos = shared("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")
    pictures = Pictures(grace.context, photos)
    pictures.hold()
    open_tile(grace, group, photos[3])
    place(grace, 3, photos)
    # Its thumbnail is shown meanwhile.
    expect(grace.page.locator(f"li[data-photo='{photos[3]['id']}'] day-photo .picture.sharp")).to_be_visible()
    until(lambda: grace.page.evaluate("0") or pictures.held, 60, "the tapped photo's request")
    settled(grace.page)
    assert pictures.asked == [3]
    pictures.give(3)
    expect(sharp(grace, 3, photos)).to_be_visible()
    settled(grace.page)
    assert pictures.asked == [3, 4]
    pictures.give(4)
    until(lambda: grace.page.evaluate("0") or len(pictures.asked) == 3, 60, "the request of the one before")
    pictures.give(2)
    expect(sharp(grace, 2, photos)).to_have_count(1)
    settled(grace.page)
    assert (pictures.asked, pictures.ended) == ([3, 4, 2], [])


# Guard: what is passed is cancelled, and what is two slides away gives its memory back (`slides.js`,
# `photo.js`)
def test_what_is_passed_quickly_is_cancelled_and_three_slides_at_most_hold_a_full_picture(shared):
    grace, group, photos = shared("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")
    pictures = Pictures(grace.context, photos)
    pictures.hold()
    grace.page.emulate_media(reduced_motion="reduce")
    open_tile(grace, group, photos[0])
    until(lambda: grace.page.evaluate("0") or pictures.held, 60, "the first request")
    for number in (1, 2):
        grace.page.keyboard.press("ArrowRight")
        place(grace, number, photos)
        until(lambda: grace.page.evaluate("0") or number in pictures.held, 60, "the next request")
    settled(grace.page)
    assert (pictures.asked, pictures.ended) == ([0, 1, 2], [0, 1])
    pictures.give(2, and_all_later=True)
    expect(sharp(grace, 2, photos)).to_be_visible()
    grace.page.evaluate("""() => {
      globalThis.most = 0;
      const look = () => {
        const count = document.querySelectorAll("whole-photo").length;
        globalThis.most = Math.max(globalThis.most, count);
      };
      new MutationObserver(look).observe(document.querySelector(".strip"), { childList: true, subtree: true });
    }""")
    grace.page.evaluate("globalThis.first = document.querySelector('whole-photo canvas')")
    for number in (3, 4, 5):
        grace.page.keyboard.press("ArrowRight")
        place(grace, number, photos)
        expect(sharp(grace, number, photos)).to_be_visible()
    assert grace.page.evaluate("globalThis.most") == 3
    expect(grace.page.locator(".strip whole-photo canvas")).to_have_count(2)
    # What is two slides away gives its memory back.
    assert grace.page.evaluate("[globalThis.first.isConnected, globalThis.first.width]") == [False, 0]


# Guard: what is fetched ahead gives way to a screen (`ahead.js`)
def test_what_is_fetched_ahead_gives_way_to_the_tapped_photo(shared):
    grace, group, photos = shared("Ada", "Ben", "Cleo", looked=False)
    pictures = Pictures(grace.context, photos)
    pictures.hold()
    open_tile(grace, group, photos[2])
    place(grace, 2, photos)
    until(lambda: grace.page.evaluate("0") or 2 in pictures.held, 60, "the tapped photo's request")
    settled(grace.page)
    # The first unseen one was on its way.
    assert (pictures.asked, pictures.ended) == ([0, 2], [0])
    pictures.give(2, and_all_later=True)
    until(lambda: len(grace.kept_pictures()) == 6, 60, "all pictures")


# Guard: a photo was seen when it was sharp (`viewer.js`)
# Guard: a tap on a group opens its first unseen photo (`card.js`)
def test_a_tap_on_a_group_opens_its_first_unseen_photo_and_one_counts_as_seen_when_it_was_sharp(shared):
    grace, group, photos = shared("Ada", "Ben", "Cleo", looked=False)
    pictures = Pictures(grace.context, photos)
    pictures.hold()
    grace.page.goto("/")
    grace.sees(t("groups.fresh", count=3))
    prints = grace.page.locator("button.prints")
    prints.click()
    place(grace, 0, photos)
    grace.button("action.close").click()
    grace.sees(t("groups.fresh", count=3))
    prints.click()
    until(lambda: grace.page.evaluate("0") or 0 in pictures.held, 60, "the request")
    pictures.give(0)
    expect(sharp(grace, 0, photos)).to_be_visible()
    grace.button("action.close").click()
    grace.sees(t("groups.fresh", count=2))
    prints.click()
    place(grace, 1, photos)


# Guard: a picture that failed is asked for again (`photo.js`)
# Guard: with a network it says that a photo could not be loaded (`slides.js`)
# Guard: a photo was seen when it was sharp (`viewer.js`)
def test_without_a_network_a_photo_that_is_not_here_stays_unseen_and_comes_with_the_network(shared):
    grace, group, photos = shared("Ada", "Ben", looked=False)
    grace.context.route(FULL, lambda route: route.abort())
    grace.page.goto("/")
    grace.page.wait_for_selector("html[data-complete]")
    grace.is_controlled()
    grace.page.evaluate(HELD_WAITS)
    grace.context.set_offline(True)
    grace.page.locator("button.prints").click()
    grace.sees(t("viewer.offline"))
    grace.button("action.close").click()
    grace.sees(t("groups.fresh", count=2))
    grace.page.locator("button.prints").click()
    grace.sees(t("viewer.offline"))
    grace.context.unroute(FULL)
    grace.context.set_offline(False)
    expect(sharp(grace, 0, photos)).to_be_visible()
    expect(grace.page.get_by_text(t("viewer.offline"))).to_have_count(0)


# Guard: a picture that failed is asked for again (`photo.js`)
# Guard: with a network it says that a photo could not be loaded (`slides.js`)
def test_a_picture_that_fails_is_asked_for_again_three_times_and_by_a_tap(shared):
    grace, group, photos = shared("Ada", "Ben")
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=503, body="<h1>Busy</h1>")
    grace.context.route(FULL, refuse)
    grace.go(f"/g/{group}")
    grace.page.wait_for_selector("html[data-complete]")
    grace.page.evaluate(HELD_WAITS)
    grace.page.locator(f"a.tile[href$='{photos[0]['id']}']").click()
    for count, delay in enumerate((1_000, 4_000, 15_000), 1):
        grace.sees(t("viewer.failed"))
        # The neighbour waits, too.
        until(lambda: grace.page.evaluate("waits.filter((one) => one[0] === %d).length" % delay) == 2, 60, "two waits")
        assert len(asked) == 2 * count
        grace.page.evaluate("(delay) => waits.filter((one) => one[0] === delay).forEach(([, run]) => run())", delay)
    until(lambda: grace.page.evaluate("0") or len(asked) == 8, 60, "the last attempts")
    settled(grace.page)
    assert grace.page.evaluate("waits.length") == 6
    grace.context.unroute(FULL)
    settled(grace.page)
    grace.sees(t("viewer.failed"))
    grace.button("action.again").first.click()
    expect(sharp(grace, 0, photos)).to_be_visible()
    expect(grace.page.locator(".strip li").first.get_by_text(t("viewer.failed"))).to_have_count(0)


# Guard: two tabs fetch a picture once (`downloads.js`)
def test_two_tabs_fetch_no_picture_twice(shared):
    grace, group, photos = shared("Ada", "Ben", "Cleo", "Dora", looked=False)
    grace.page.goto("/icons/icon.svg")
    grace.page.evaluate("async () => await caches.delete('dayly-photos')")
    asked, held = [], []
    grace.context.on("request", lambda request: PICTURE.search(request.url) and asked.append(request.url))
    grace.context.route(PICTURE, lambda route: held.append(route))
    pages = [grace.page, grace.new_page()]
    for page in pages:
        page.goto(f"/g/{group}", wait_until="commit")
    for page in pages:
        expect(page.locator("a.tile")).to_have_count(4)
        settled(page, 1_000)
    assert len(asked) == len(set(asked)) == 4
    grace.context.unroute(PICTURE)
    for page in pages:
        expect(page.locator("a.tile .picture.sharp")).to_have_count(4)
        settled(page)
    assert len(asked) == len(set(asked))


def touch(session, kind, *points):
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def drag(session, page, *points):
    """A finger that moves from one point to the next, and stays down."""
    touch(session, "touchStart", points[0])
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        for step in range(1, 9):
            touch(session, "touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
            page.wait_for_timeout(20)


def delete_own(person):
    person.button("viewer.menu").click()
    person.button("viewer.delete").click()
    person.page.get_by_role("dialog").get_by_role("button", name=t("viewer.delete"), exact=True).last.click()


# Guard: a photo that ends while somebody looks says once why, without a remaining time (`viewer.js`,
# `menu.js`)
def test_a_photo_that_goes_says_why_once(two):
    ada, grace, group = two
    sent = ada.member.send_photo(group, SAMPLE)
    for person in (ada, grace):
        person.go(f"/g/{group}/photo/{sent['id']}")
        person.page.locator(".strip").wait_for()
    delete_own(ada)
    for person, said in ((ada, "viewer.deleted"), (grace, "viewer.taken")):
        word = person.page.locator(".strip").get_by_text(t(said), exact=True)
        word.wait_for()
        # It has no time left, and no toast says it again.
        assert person.page.locator("header .life").inner_text() == ""
        expect(person.page.locator(".toast")).to_have_count(0)


# Guard: a photo that ends while somebody looks says once why, without a remaining time (`viewer.js`,
# `menu.js`)
def test_whoever_is_removed_reads_that_and_not_that_the_photo_was_taken_down(two):
    ada, grace, group = two
    sent = ada.member.send_photo(group, SAMPLE)
    grace.go(f"/g/{group}/photo/{sent['id']}")
    grace.page.locator(".strip").wait_for()
    grace.page.wait_for_selector("html[data-complete]")
    own = grace.page.evaluate(f"async () => ({STORES}).session.user.id")
    ada.member.call("DELETE", f"/v1/groups/{group}/members/{own}")
    grace.page.locator(".strip").get_by_text(t("group.away"), exact=True).wait_for()


# Guard: a photo follows the finger that pulls it down, and springs back (`swipe.js`)
def test_the_photo_follows_a_finger_that_pulls_it_down(shared):
    grace, group, photos = shared("Ada", "Ben", has_touch=True)
    open_tile(grace, group, photos[0])
    expect(sharp(grace, 0, photos)).to_be_visible()
    page, session = grace.page, grace.context.new_cdp_session(grace.page)
    top = "document.querySelector('.print').getBoundingClientRect().top"
    settled(page)
    before = page.evaluate(top)
    drag(session, page, (200, 300), (204, 370))
    until(lambda: page.evaluate(top) - before == pytest.approx(70, abs=2), 60, "the photo under the finger")
    page.wait_for_timeout(200)
    # It is let go too early, and slowly.
    touch(session, "touchEnd")
    until(lambda: page.evaluate(top) == before, 60, "springing back")
    # A finger that moves to the side turns to the next photo, also when it goes down a little.
    drag(session, page, (330, 300), (60, 330))
    touch(session, "touchEnd")
    place(grace, 1, photos)
    until(lambda: page.evaluate(top) == before, 60, "staying")
    drag(session, page, (200, 300), (204, 460))
    touch(session, "touchEnd")
    grace.heading("Family").wait_for()


# Guard: after the viewer the keyboard is on the tile that opened it (`group.js`)
def test_after_the_viewer_the_keyboard_is_on_the_tile_that_opened_it(shared):
    grace, group, photos = shared("Ada", "Ben", "Cleo")
    grace.go(f"/g/{group}")
    tile = grace.page.locator(f"a.tile[href$='{photos[1]['id']}']")
    tile.press("Enter")
    place(grace, 1, photos)
    grace.page.keyboard.press("ArrowRight")
    place(grace, 2, photos)
    grace.page.keyboard.press("Escape")
    expect(tile).to_be_focused()
    # Somebody who comes from elsewhere begins at the heading.
    grace.page.goto("/")
    grace.page.get_by_role("link", name="Family", exact=True).click()
    expect(grace.heading("Family")).to_be_focused()


@pytest.mark.parametrize("width", [390, 320])
# Guard: a name below a photo is whole (`group.css`)
def test_names_below_photos_are_whole_beside_any_time(shared, service, width):
    grace, group, photos = shared("Jean-Luc", "Wolfgang", viewport={"width": width, "height": 700})
    for hours, photo in zip((14, 0.52), photos):
        service.sql(f"UPDATE photos SET created_at = created_at - interval '{hours} hours' WHERE id = '{photo['id']}'")
    grace.go(f"/g/{group}")
    grace.sees(t("time.hours", count=14))
    grace.sees(t("time.minutes", count=31))
    names = grace.page.locator(".tile .round")
    expect(names).to_have_text(["Wolfgang", "Jean-Luc"])
    assert names.evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth)")
