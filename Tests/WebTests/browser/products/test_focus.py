"""Focus in the browser: joining and leaving, boards that move, sessions, plans, and a deployment that does not offer it."""

import pytest
from playwright.sync_api import expect

from person import Person, t
from service import WORK, Service, make_folder, until
from test_access import narrow, violations, visit, wide

PAGES = ["", "/week", "/weeks", "/day", "/league", "/feed", "/people", "/sessions", "/schedules", "/intentions", "/partners",
         "/temptations", "/settings", "/phones", "/data"]
# A hint of a board comes at most every 30 seconds.
LIVE = 45_000


@pytest.fixture
def joined(somebody):
    """Somebody who takes part, with a phone, and looks at the first screen of Focus."""
    ada = somebody("Ada").arrive()
    ada.member.join_focus(nickname=f"ada.{ada.number[-4:]}")
    ada.go("/focus")
    ada.heading(t("focus.title")).wait_for()
    return ada


def sees_points(person, name, points):
    """The row of a person on the board that is shown."""
    row = person.page.locator("ol.board > li").filter(has_text=name)
    expect(row.locator("> .strong")).to_have_text(points, timeout=LIVE)


def test_two_people_see_each_others_week_on_the_board_of_their_group(two):
    ada, grace, group = two
    for person in two[:2]:
        person.member.join_focus()
    ada.member.leave_phone(120, ago=3)
    ada.go("/focus")
    ada.page.locator("a[href^='/focus/board']").click()
    ada.heading("Family").wait_for()
    sees_points(ada, "Ada", "6.93")
    grace.go(f"/focus/board/{group}")
    sees_points(grace, "Ada", "6.93")
    sees_points(grace, "Grace", "0.00")
    # Nobody loads the page again.
    grace.member.leave_phone(180, ago=2)
    sees_points(ada, "Grace", "10.99")
    sees_points(grace, "Grace", "10.99")
    ranks = ada.page.locator("ol.board > li")
    expect(ranks.first).to_contain_text("Grace")
    expect(ranks.first.locator(".rank")).to_have_text("1")


def test_a_streak_that_runs_grows_and_ends_as_the_phone_says(joined):
    ada = joined
    ada.sees(t("focus.now.inUse"))
    ada.member.leave_phone(3600, ago=None)
    worth = ada.page.locator(".dial .worth")
    expect(worth).to_contain_text("40.9", timeout=LIVE)
    before = ada.page.locator(".dial .time").inner_text()
    until(lambda: ada.page.locator(".dial .time").inner_text() != before, 60, "the next second")
    ada.member.take_phone()
    expect(ada.page.locator(".dial .time")).to_have_count(0, timeout=LIVE)
    expect(ada.page.locator(".figure").first).to_contain_text("40.9")


# Guard: a person without a profile is led to joining (`place.js`)
def test_a_person_joins_after_the_consent_and_leaves_without_a_trace(somebody, service):
    ada = somebody("Ada").arrive()
    ada.go("/")
    ada.button("groups.new").wait_for()
    # A product that somebody has not joined stands in the settings only.
    expect(ada.button("focus.title")).to_have_count(0)
    ada.go("/settings")
    ada.page.get_by_role("link", name=t("focus.about")).click()
    ada.heading(t("focus.join.title")).wait_for()
    ada.sees(t("focus.join.consent"))
    for key in ("focus.collected.locks", "focus.never.apps"):
        ada.sees(t(key))
    stored = f"SELECT count(*) FROM focus_profiles p JOIN users u ON u.id = p.user_id WHERE u.phone_number = '{ada.number}'"
    assert service.sql(stored) == "0"
    ada.button("focus.join.agree").click()
    ada.page.wait_for_url("**/focus")
    ada.sees(t("focus.now.pending"))
    assert service.sql(stored) == "1"
    ada.go("/")
    ada.button("focus.title").wait_for()
    ada.go("/focus/data")
    ada.button("focus.leave.yes").click()
    ada.page.locator("dialog").get_by_role("button", name=t("focus.leave.yes")).click()
    ada.button("groups.new").wait_for()
    expect(ada.button("focus.title")).to_have_count(0)
    assert service.sql(stored) == "0"
    ada.go("/focus/week")
    ada.heading(t("focus.join.title")).wait_for()


# Guard: a running session comes first, and a heading stands over something (`focus/screens/now.js`,
# `focus/screens/limits/sessions.js`)
def test_a_session_runs_and_ends_early_only_after_a_question(joined):
    ada = joined
    ada.go("/focus/sessions")
    ada.page.get_by_label(t("focus.session.name"), exact=True).fill("Thesis")
    ada.page.get_by_text(t("time.minutes", count=45), exact=True).click()
    with ada.page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/focus/sessions")):
        ada.button("focus.session.start").click()
    expect(ada.page.get_by_role("timer")).to_contain_text("44:")
    # The list has the running session alone, so no heading stands over it.
    expect(ada.heading(t("focus.sessions.before"))).to_have_count(0)
    expect(ada.page.get_by_text(t("focus.sessions.none"))).to_have_count(0)
    ada.go("/focus")
    session = ada.page.get_by_role("link", name="Thesis")
    expect(session).to_contain_text("44:")
    expect(session.locator(".grow")).to_have_text("Thesis")
    assert session.bounding_box()["y"] < ada.page.locator(".dial").bounding_box()["y"]
    ada.go("/focus/sessions")
    ada.button("focus.session.end").click()
    ada.button("action.cancel").click()
    # A session that lasts up to ten seconds was a mistake, and stands in no list.
    ada.page.wait_for_timeout(11_000)
    ada.button("focus.session.end").click()
    ada.button("focus.session.giveUp").click()
    ada.button("focus.session.start").wait_for()
    ada.heading(t("focus.sessions.before")).wait_for()
    row = ada.page.locator("ul.rows > li").filter(has_text="Thesis")
    expect(row).to_contain_text(t("focus.session.gave_up"))


# Guard: what a person or a pet cannot have or does not need is not offered (`focus/screens/limits/intentions.js`,
# `companion/screens/recovery.js`)
def test_an_intention_is_made_changed_and_removed(joined):
    ada = joined
    ada.go("/focus/intentions")
    ada.button("focus.intentions.add").click()
    ada.page.get_by_label(t("focus.intentions.label"), exact=True).fill("Pictures")
    ada.button("action.save").click()
    ada.sees(t("focus.intentions.used", used=0, opens=5))
    # Somebody without Focus Pro is not offered what they cannot have.
    expect(ada.heading(t("focus.freeze.title"))).to_have_count(0)
    ada.page.get_by_role("button", name="Pictures").click()
    ada.page.get_by_label(t("focus.intentions.opens"), exact=True).fill("3")
    ada.button("action.save").click()
    ada.sees(t("focus.intentions.used", used=0, opens=3))
    # More is allowed from tomorrow on.
    ada.page.get_by_role("button", name="Pictures").click()
    ada.page.get_by_label(t("focus.intentions.opens"), exact=True).fill("9")
    ada.button("action.save").click()
    ada.sees(t("focus.intentions.tomorrow", opens=9))
    ada.page.get_by_role("button", name="Pictures").click()
    ada.button("focus.remove").click()
    ada.sees(t("focus.intentions.none"))


def test_a_schedule_that_overlaps_another_one_needs_another_time(joined, service):
    ada = joined
    service.sql("UPDATE focus_profiles SET pro_until = now() + interval '1 day'")
    ada.go("/focus/schedules")
    for name in ("Night", "Sleep"):
        ada.button("focus.schedules.add").click()
        ada.page.get_by_label(t("focus.schedules.name"), exact=True).fill(name)
        ada.button("action.save").click()
        if name == "Night":
            expect(ada.page.locator("dialog")).to_have_count(0)
    ada.sees(t("focus.problem.schedule_overlap"))
    ada.page.get_by_label(t("settings.from"), exact=True).fill("09:00")
    ada.page.get_by_label(t("settings.to"), exact=True).fill("11:00")
    ada.button("action.save").click()
    ada.sees("09:00 – 11:00")


def test_a_day_shows_its_streaks_and_takes_the_persons_word(joined):
    ada = joined
    ada.member.leave_phone(120, ago=3)
    ada.member.report_screen(95)
    ada.go("/focus")
    ada.page.locator("a.figure").first.click()
    ada.heading(t("focus.today")).wait_for()
    ada.sees("1h\u00a035m")
    ada.sees("90.5")
    expect(ada.page.locator("ul.rows > li .strong")).to_have_text("6.93")
    ada.button("focus.day.down").click()
    expect(ada.button("focus.day.down")).to_have_attribute("aria-pressed", "true")
    ada.button("focus.day.up").click()
    ada.page.reload()
    expect(ada.button("focus.day.up")).to_have_attribute("aria-pressed", "true")
    expect(ada.button("focus.day.down")).to_have_attribute("aria-pressed", "false")


def test_a_league_without_a_seat_says_what_it_takes(joined):
    ada = joined
    ada.go("/focus/league")
    ada.sees(t("focus.league.off"))
    ada.page.get_by_role("link", name=t("focus.settings.title")).click()
    with ada.page.expect_response(lambda response: response.request.method == "PUT"):
        ada.page.get_by_label(t("focus.profile.leagues")).click()
    expect(ada.page.get_by_label(t("focus.profile.leagues"))).to_be_checked()
    ada.sees(t("settings.saved"))
    ada.go("/focus/league")
    ada.sees(t("focus.league.soon"))


def test_switches_that_are_flipped_at_once_are_all_stored(joined, service):
    ada = joined
    ada.go("/focus/settings")
    ada.page.get_by_label(t("focus.profile.boards")).wait_for()
    ada.page.evaluate("""() => {
      for (const one of [...document.querySelectorAll("main input.switch")].slice(0, 3)) one.click();
    }""")
    stored = f"""SELECT p.boards, p.leagues, p.feed FROM focus_profiles p JOIN users u ON u.id = p.user_id
      WHERE u.phone_number = '{ada.number}'"""
    until(lambda: service.sql(stored) == "f|t|t", 60, "the three choices")


# Guard: a nickname with a dot has an address that can be loaded again (`place.js`)
def test_somebody_follows_a_stranger_by_nickname_and_sees_their_page(joined, somebody):
    ada, grace = joined, somebody("Grace").arrive()
    name = f"grace.{grace.number[-4:]}"
    grace.member.join_focus(nickname=name)
    ada.go("/focus/people")
    field = ada.page.get_by_label(t("focus.people.nickname"), exact=True)
    field.fill("nobody_at_all")
    ada.button("focus.people.follow").first.click()
    ada.sees(t("focus.people.unknown"))
    field.fill(name.upper())
    ada.button("focus.people.follow").first.click()
    ada.page.get_by_role("link", name=name).click()
    ada.heading(name).wait_for()
    ada.page.reload()
    ada.button("focus.people.unfollow").click()
    ada.button("focus.people.follow").wait_for()


def test_without_a_network_the_week_is_what_the_browser_remembers(joined, service):
    ada = joined
    ada.member.leave_phone(120, ago=3)
    ada.go("/focus/week")
    expect(ada.page.locator(".sum .points")).to_have_text("6.93", timeout=LIVE)
    ada.is_controlled()
    service.line.cut()
    ada.page.reload()
    expect(ada.page.locator(".sum .points")).to_have_text("6.93")


def test_every_screen_of_focus_keeps_the_rules_for_access_and_fits_320_pixels_from_right_to_left(two):
    ada, grace, group = two
    ada.go("/focus/join")
    ada.heading(t("focus.join.title")).wait_for()
    assert violations(ada) == []
    for person in two[:2]:
        person.member.join_focus()
        person.member.leave_phone(120, ago=3)
    ada.member.call("POST", "/v1/focus/intentions", {"label": "Pictures", "opens": 5, "minutes": 10})
    ada.member.call("POST", "/v1/focus/schedules", {"name": "Night", "from": "22:00", "to": "06:00", "weekdays": [1, 7],
                                                    "mode": "allow_list"})
    ada.member.call("PUT", f"/v1/focus/following/{grace.member.call('GET', '/v1/users/me')['id']}")
    paths = [f"/focus{page}" for page in PAGES] + [f"/focus/board/{group}"]
    assert visit(ada, paths, violations) == {}
    narrow(grace)
    assert visit(grace, paths, wide) == {}


# Guard: a deployment without Focus shows no trace of it (`all.js`, `groups.js`, `settings.js`,
# `WebServing.swift`)
def test_a_deployment_without_focus_shows_no_trace_of_it_and_loads_no_byte(browser):
    service = Service(make_folder(WORK / "photos"), DAYLY_FEATURES="photos")
    try:
        service.start()
        ada = Person(browser, service, "Ada").arrive()
        asked = []
        ada.context.on("request", lambda request: asked.append(request.url))
        ada.go("/")
        ada.button("groups.new").wait_for()
        ada.page.wait_for_selector("html[data-complete]")
        expect(ada.button("focus.title")).to_have_count(0)
        ada.go("/settings")
        ada.heading(t("settings.title")).wait_for()
        expect(ada.page.get_by_text(t("focus.title"), exact=True)).to_have_count(0)
        assert [url for url in asked if "focus" in url] == []
        ada.go("/focus")
        ada.heading(t("about.lost")).wait_for()
        ada.close()
    finally:
        service.stop()
