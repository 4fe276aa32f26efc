"""Networks that answer nothing, forget connections or are slow: no screen waits for ever, and no photo is lost."""

from playwright.sync_api import expect

from person import STORES, t
from service import ROOT, until

# A clock of the page that a test can set, as after a sleep of the device.
CLOCK = "{ const { now } = Date; globalThis.slept = 0; Date.now = () => now() + slept; }"
# A browser takes up its idle connections again, and those are as dead as the stream's. Each call that gives up closes one.
GIVE_UP = """() => Promise.all(Array.from({ length: 5 }, () =>
  fetch("/readyz", { signal: AbortSignal.timeout(3_000) }).catch(() => {})))"""
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"


def test_a_button_comes_back_from_a_network_that_answers_nothing(somebody, service):
    ada = somebody("Ada")
    ada.go("/sign-in")
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.get_by_label(t("phone.number"), exact=True).fill(ada.number)
    service.line.stall()
    ada.button("phone.send").click()
    expect(ada.button("phone.send")).to_have_attribute("aria-busy", "true")
    ada.page.get_by_role("alert").get_by_text(t("error.offline")).wait_for(timeout=25_000)
    expect(ada.button("phone.send")).not_to_have_attribute("aria-busy", "true")
    service.line.restore()
    ada.button("phone.send").click()
    ada.page.get_by_label(t("code.label")).wait_for()


def test_a_screen_that_waits_for_a_dead_answer_offers_another_attempt_and_a_banner_tells(two, service):
    ada, _, group = two
    ada.page.wait_for_selector("html[data-complete]")
    banner = ada.page.locator("dayly-banners").get_by_text(t("banner.offline"))
    service.line.stall()
    ada.page.evaluate(f"async () => ({STORES}).router.go('/g/{group}/settings')")
    failed = ada.page.get_by_role("alert").get_by_text(t("error.offline"))
    failed.wait_for(timeout=25_000)
    ada.page.get_by_role("button", name=t("action.again"), exact=True).click()
    banner.wait_for(timeout=25_000)
    service.line.restore()
    # The first answer takes the banner away.
    ada.page.get_by_role("button", name=t("action.again"), exact=True).click()
    expect(banner).to_have_count(0)
    expect(failed).to_have_count(0)


# Guard: a group whose answer never came is made once (`new-group.js`)
def test_a_group_whose_answer_never_came_is_made_once(somebody, service):
    ada = somebody("Ada").arrive()
    ada.go("/groups/new")
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.get_by_label(t("newGroup.name"), exact=True).fill("Book club")
    ada.page.get_by_label(t("contacts.number"), exact=True).fill("+1 415 555 9998")
    ada.button("contacts.add").click()
    ada.chips().last.wait_for()
    # The request goes out, and its answer is lost.
    made = []
    ada.page.route("**/v1/groups", lambda route: (made.append(route.fetch().status), route.abort())
                   if route.request.method == "POST" else route.continue_())
    ada.button("newGroup.make").click()
    ada.page.get_by_role("alert").get_by_text(t("error.offline")).wait_for()
    assert made == [201]
    ada.page.unroute("**/v1/groups")
    ada.button("newGroup.make").click()
    ada.heading("Book club").wait_for()
    assert len(ada.member.call("GET", "/v1/groups")["groups"]) == 1


# Guard: a call that is too old is not shared, and its answer is not taken (`sharing.js`, `group-list.js`,
# `feed.js`)
def test_a_dead_answer_holds_up_no_later_one(two):
    ada, _, group = two
    ada.context.add_init_script(CLOCK)
    ada.go(f"/g/{group}")
    ada.page.wait_for_selector("html[data-complete]")
    asked = ada.page.evaluate(f"""async () => {{
      const {{ groups, feeds }} = {STORES};
      const {{ fetch }} = globalThis, asked = [];
      globalThis.fetch = (url) => (asked.push([slept, String(url).split("?")[0]]), new Promise(() => {{}}));
      for (slept of [0, 14_000, 15_500]) {{
        void groups.refresh();
        void feeds.refresh("{group}");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }}
      Object.assign(globalThis, {{ fetch }});
      return asked;
    }}""")
    both = ["/v1/groups", f"/v1/groups/{group}/photos"]
    assert asked == [[slept, path] for slept in (0, 15_500) for path in both]


def test_a_silent_stream_is_replaced_by_itself(two, service):
    _, grace, _ = two
    grace.page.wait_for_selector("html[data-complete]")
    grace.page.wait_for_timeout(1_000)
    with grace.page.expect_request("**/v1/events", timeout=90_000):
        service.line.silence()


# Guard: a silent stream is replaced at once when somebody looks again (`connection.js`, `events.js`)
def test_whoever_returns_after_a_while_gets_a_new_stream_at_once(two, service):
    ada, grace, group = two
    grace.context.add_init_script(CLOCK)
    grace.go(f"/g/{group}")
    grace.page.wait_for_selector("html[data-complete]")
    grace.page.wait_for_timeout(1_000)
    streams = []
    grace.context.on("request", lambda request: request.url.endswith("/v1/events") and streams.append(request.url))
    grace.page.evaluate(WAKE)
    grace.page.wait_for_timeout(500)
    assert streams == []
    service.line.silence()
    grace.page.evaluate(GIVE_UP)
    grace.page.evaluate("slept = 60_000")
    with grace.page.expect_request("**/v1/events", timeout=10_000):
        grace.page.evaluate(WAKE)
    ada.member.send_photo(group, (ROOT / "docs/sample.jpg").read_bytes())
    expect(grace.page.locator("main a.tile")).to_have_count(1, timeout=120_000)


# Guard: nothing is called sending while the network is away (`group.js`, `banners.js`)
def test_a_photo_taken_on_a_dead_line_waits_and_arrives_once(two, service):
    ada, grace, group = two
    ada.is_controlled()
    ada.page.wait_for_selector("html[data-complete]")
    service.line.stall()
    ada.take_photo("Family")
    ada.sees(t("uploads.sending"))
    # Whatever finds out first that the network is away: then nothing is being sent, and no ring is closed.
    ada.page.evaluate(f"""async () => {{
      const {{ network }} = {STORES};
      network.missed();
      network.missed();
    }}""")
    ada.sees(t("banner.saved", count=1))
    ada.sees(t("uploads.waiting"))
    service.line.cut()
    service.line.restore()
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    expect(ada.photos()).to_have_count(1, timeout=60_000)
    expect(grace.photos()).to_have_count(1, timeout=60_000)
    assert service.photos_of(group) == 1


def test_a_slow_line_is_not_taken_for_a_dead_one(two, service):
    ada, _, _ = two
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.wait_for_timeout(1_000)
    service.line.slow(8_000, wait=0.3)
    ada.take_photo("Family")
    ada.sees(t("group.limit"))
    expect(ada.page.locator("dayly-banners .notice")).to_have_count(0)
    assert ada.page.evaluate(f"async () => ({STORES}).network.state") == "there"


# Guard: an accepted photo uses the day and leaves the queue in the same moment (`upload-queue.js`,
# `background.js`, `group.js`)
def test_a_photo_has_its_place_and_the_day_is_used_at_the_same_moment(two):
    ada, _, group = two
    ada.page.wait_for_selector("html[data-complete]")
    ada.page.evaluate("""() => {
      globalThis.wrong = [];
      new MutationObserver(() => {
        const sent = document.querySelectorAll("main a.tile day-photo:not(.sending)").length;
        const waiting = document.querySelectorAll("main a.tile day-photo.sending").length;
        const camera = document.querySelectorAll("main a.shutter").length;
        if (sent + waiting > 1 || sent && camera) wrong.push([sent, waiting, camera]);
      }).observe(document.querySelector("#screen"), { childList: true, subtree: true });
    }""")
    held = []
    ada.context.route("**/v1/groups", lambda route: held.append(route))
    ada.take_photo("Family")
    ada.sees(t("group.limit"))
    # The service has not said so yet.
    until(lambda: ada.page.evaluate("0") or held, 60, "a question for the groups")
    assert ada.page.evaluate("wrong") == []
    for route in held:
        route.continue_()
    expect(ada.photos()).to_have_count(1)
    assert ada.page.evaluate("wrong") == []
