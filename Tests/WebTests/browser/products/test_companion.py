"""Companion in the browser: joining and leaving, a cat that follows its phone, a pet that is fed, dressed and brought back."""

import time

import pytest
from playwright.sync_api import expect

from member import instant
from person import Person, t
from service import WORK, Service, make_folder, until
from test_access import narrow, violations, visit, wide

PAGES = ["", "/survey", "/diary", "/pet", "/shop", "/wardrobe", "/wallet", "/recovery", "/memorial", "/settings", "/phones",
         "/data"]
LIVE = 30_000


@pytest.fixture
def joined(somebody):
    """Somebody who takes part, with a phone, and looks at the first screen of Companion."""
    ada = somebody("Ada").arrive()
    ada.member.join_companion()
    ada.go("/companion")
    ada.heading(t("companion.title")).wait_for()
    return ada


def owner_of(person):
    return f"(SELECT id FROM users WHERE phone_number = '{person.number}')"


def give(person, energy=0, gems=0):
    """Puts energy and gems into a wallet, as days and the App Store do."""
    person.service.sql(
        f"INSERT INTO companion_wallets VALUES ({owner_of(person)}, {energy}, {gems}, 0, now()) "
        f"ON CONFLICT (user_id) DO UPDATE SET energy = {energy}, gems = {gems}")


def change_pet(person, **values):
    changes = ", ".join(f"{column} = {value}" for column, value in values.items())
    person.service.sql(f"UPDATE companion_pets SET {changes} WHERE user_id = {owner_of(person)}")


DEAD = {"health": "'dead'", "died_on": "current_date", "died_at": "now()", "unfed_days": "7"}


def has(person, energy):
    """The energy that the screen shows in the purse."""
    expect(person.page.locator("a.purse .count").first).to_have_text(str(energy), timeout=LIVE)


def has_hp(person, hp):
    expect(person.page.get_by_text(t("companion.hpOf", hp=hp))).to_be_visible(timeout=LIVE)


ANSWERS = {"use": "hours.2", "dependence": "degree.2", "sleep": "degree.2", "without_phone": "degree.2", "idle": "degree.2",
           "age": "age.25_34"}


def question_of(person, name):
    return person.page.get_by_role("group", name=t(f"companion.survey.{name}"), exact=True)


def answer_survey(person, *questions):
    for name in questions or ANSWERS:
        question_of(person, name).get_by_text(t(f"companion.survey.{ANSWERS[name]}"), exact=True).click()
    person.button("companion.survey.done").click()


# Guard: a person who has not joined is led to joining (`companion/parts/place.js`)
def test_a_person_joins_by_survey_and_consent_and_leaves_without_a_trace(somebody, service):
    ada = somebody("Ada").arrive()
    ada.go("/settings")
    ada.page.get_by_role("link", name=t("companion.about")).click()
    ada.sees(t("companion.join.hello"))
    ada.button("companion.join.survey").click()
    ada.button("companion.survey.done").click()
    ada.sees(t("companion.survey.missing", count=6))
    answer_survey(ada)
    ada.sees(t("companion.score.high"))
    ada.sees(t("companion.score.years", count=10.4))
    for key in ("companion.join.consent", "companion.collected.days", "companion.never.apps"):
        ada.sees(t(key))
    stored = f"SELECT count(*) FROM companion_settings WHERE user_id = {owner_of(ada)}"
    assert service.sql(stored) == "0"
    ada.button("companion.join.agree").click()
    ada.page.wait_for_url("**/companion")
    has_hp(ada, 100)
    assert service.sql(stored) == "1"
    ada.go("/companion/data")
    ada.button("companion.leave.yes").click()
    ada.page.locator("dialog").get_by_role("button", name=t("companion.leave.yes")).click()
    ada.button("groups.new").wait_for()
    assert service.sql(stored) == "0"
    ada.go("/companion/diary")
    ada.sees(t("companion.join.hello"))


# Guard: a survey says how many answers are missing, and leads to the first (`survey-form.js`)
def test_a_survey_with_open_questions_counts_and_marks_them_and_leads_to_the_first(joined):
    ada = joined
    ada.go("/companion/survey")
    marks = ada.page.get_by_text(t("companion.survey.open"), exact=True)
    ada.button("companion.survey.done").click()
    expect(ada.page.get_by_role("alert").filter(has_text=t("companion.survey.missing", count=6))).to_be_visible()
    expect(question_of(ada, "use")).to_contain_text(t("companion.survey.missing", count=6))
    expect(marks).to_have_count(5)
    expect(question_of(ada, "use").get_by_role("radio").first).to_be_focused()
    expect(question_of(ada, "use")).to_be_in_viewport()
    answer_survey(ada, "use", "dependence", "sleep", "idle", "age")
    expect(question_of(ada, "without_phone")).to_contain_text(t("companion.survey.missing", count=1))
    expect(marks).to_have_count(0)
    expect(question_of(ada, "without_phone").get_by_role("radio").first).to_be_focused()
    answer_survey(ada, "without_phone")
    ada.sees(t("companion.score.high"))


# Guard: without a phone's report nothing is claimed about minutes (`day-figures.js`)
def test_a_day_claims_nothing_about_minutes_that_no_phone_has_reported(joined):
    ada = joined
    minutes = ada.page.get_by_role("meter", name=t("companion.used"), exact=True)
    ada.sees(t("companion.unmeasured"))
    expect(minutes).to_have_count(0)
    expect(ada.page.get_by_text(t("companion.within"))).to_have_count(0)
    # A phone that was only opened has reported no minutes. Nobody loads the page again.
    ada.member.open_companion()
    expect(ada.page.get_by_text(t("companion.unreported"))).to_be_visible(timeout=LIVE)
    expect(minutes).to_have_count(0)
    ada.member._send([{"kind": "usage", "at": instant(time.time()), "minutes": 95,
                       "day": ada.member.call("GET", "/v1/companion/day")["day"]}], "companion")
    expect(ada.page.get_by_text(t("companion.within"))).to_be_visible(timeout=LIVE)
    expect(minutes).to_have_count(1)


def test_the_cat_follows_the_phone_from_bright_to_asleep(joined):
    ada = joined
    cat = ada.page.locator("day-animal").first
    for bypasses, hp, state, colour in ((1, 95, "healthy", "green"), (4, 75, "playful", "green"),
                                        (4, 55, "concerned", "orange"), (4, 35, "tired", "orange"), (4, 15, "weak", "red"),
                                        (3, 0, "dead", "red")):
        ada.member.bypass(bypasses)
        # Nobody loads the page again.
        has_hp(ada, hp)
        ada.heading(t(f"companion.state.{state}")).wait_for()
        expect(cat).to_have_attribute("data-colour", colour)
        expect(ada.page.get_by_role("meter", name=t("companion.hp"))).to_have_attribute("aria-valuenow", str(hp))
    expect(ada.page.locator(".hp > .full")).to_have_count(0)
    expect(ada.page.locator(".notice").first).to_contain_text("100")


def test_the_cats_words_stand_below_it_and_in_the_diary(joined):
    ada = joined
    ada.sees(t("companion.silent"))
    ada.member.open_companion()
    bubble = ada.page.locator("a.bubble")
    bubble.wait_for(timeout=LIVE)
    words = bubble.locator("[dir=auto]").inner_text()
    ada.member.bypass(4)
    has_hp(ada, 80)
    ada.go("/companion/diary")
    expect(ada.page.locator(".entry").filter(has_text=words)).to_have_count(1)
    # In the evening the cat writes one more.
    until(lambda: ada.page.locator(".entry").count() >= 2, 60, "the words about the band")
    ada.page.locator("section.sheet h2 a").first.click()
    has_hp(ada, 80)


def test_a_cat_that_is_stroked_is_glad_for_a_moment(joined):
    ada = joined
    cat = ada.page.locator("day-animal").first
    cat.get_by_role("button").click()
    expect(cat.locator(".eyes.happy")).to_have_count(1)
    expect(cat.locator(".love")).to_have_count(3)
    expect(cat.locator(".love")).to_have_count(0, timeout=LIVE)
    expect(cat.locator(".eyes.bright")).to_have_count(1)


# Guard: the drawings rest for a person who wants less movement (`movement.css`)
def test_nothing_moves_for_a_person_who_wants_less_movement(joined):
    ada = joined
    running = "document.getAnimations().filter((one) => one.effect.target?.closest('day-animal')).length"
    ada.page.locator("day-animal").first.wait_for()
    assert ada.page.evaluate(running) > 0
    ada.page.emulate_media(reduced_motion="reduce")
    ada.page.locator("day-animal").first.get_by_role("button").click()
    ada.page.locator(".love").first.wait_for()
    assert ada.page.evaluate(running) == 0


def test_a_pet_is_adopted_fed_and_dressed(joined):
    ada = joined
    ada.page.get_by_role("link", name=t("companion.adopt.title")).click()
    ada.button("companion.adopt.yes").click()
    ada.sees(t("companion.adopt.nameless"))
    ada.page.get_by_text(t("companion.species.dog"), exact=True).click()
    ada.page.get_by_label(t("companion.adopt.name"), exact=True).fill("Bruno")
    ada.button("companion.adopt.yes").click()
    ada.heading("Bruno").wait_for()
    ada.sees(t("companion.feed.earn"))
    give(ada, energy=300, gems=100)
    ada.page.reload()
    has(ada, 300)
    # A dog has no tuna.
    expect(ada.page.get_by_role("button", name=t("companion.item.tuna"))).to_have_count(0)
    ada.page.get_by_role("button", name=t("companion.item.feast")).click()
    ada.page.locator("day-animal.glad").wait_for()
    ada.sees(t("companion.pet.fedWith", energy=100))
    has(ada, 200)
    ada.page.get_by_role("link", name=t("companion.shop.title")).click()
    for thing, price in (("red_scarf", t("companion.energy", count=80)), ("straw_hat", t("companion.gems", count=80))):
        ada.page.get_by_role("button", name=t(f"companion.item.{thing}")).click()
        ada.page.locator("dialog").get_by_role("button", name=t("companion.buy.for", price=price)).click()
        expect(ada.page.locator("dialog")).to_have_count(0)
    has(ada, 120)
    # Twenty gems are left, so a thing for more cannot be bought.
    ada.page.get_by_role("button", name=t("companion.item.blue_bandana")).click()
    ada.sees(t("companion.buy.lacking"))
    ada.button("action.cancel").click()
    ada.page.get_by_role("link", name=t("companion.wardrobe.title")).click()
    for thing in ("red_scarf", "straw_hat"):
        # A reload would cut off what is still under way.
        with ada.page.expect_response(lambda response: response.request.method == "PUT"):
            ada.page.get_by_role("button", name=t(f"companion.item.{thing}")).click()
    expect(ada.page.locator("day-animal .scarf").first).to_be_visible()
    ada.page.reload()
    expect(ada.page.get_by_role("button", name=t("companion.item.straw_hat"))).to_have_attribute("aria-pressed", "true")
    expect(ada.page.locator("day-animal.room .straw").first).to_be_visible()
    ada.go("/companion/wallet")
    for kind, thing in (("food", "feast"), ("cosmetic", "red_scarf"), ("cosmetic", "straw_hat")):
        ada.sees(t(f"companion.ledger.{kind}", thing=t(f"companion.item.{thing}")))


def test_a_feeding_whose_answer_is_lost_is_repeated_without_a_second_effect(joined, service):
    ada = joined
    ada.member.adopt("cat", "Mimi")
    give(ada, energy=100)
    ada.go("/companion/pet")
    has(ada, 100)

    def lose(route):
        # The service has the call, and its answer gets lost.
        route.fetch()
        route.abort()

    ada.page.route("**/v1/companion/pet/feed", lose, times=1)
    kibble = ada.page.get_by_role("button", name=t("companion.item.kibble"))
    kibble.click()
    ada.sees(t("error.offline"))
    kibble.click()
    ada.page.locator("day-animal.glad").wait_for()
    has(ada, 75)
    assert service.sql(f"SELECT count(*) FROM companion_ledger WHERE user_id = {owner_of(ada)} AND kind = 'food'") == "1"
    # The next one is another feeding.
    kibble.click()
    has(ada, 50)


# Guard: what a person or a pet cannot have or does not need is not offered (`focus/screens/limits/intentions.js`,
# `companion/screens/recovery.js`)
def test_a_sick_pet_is_cured_and_a_dead_one_comes_back(joined):
    ada = joined
    ada.member.adopt("cat", "Mimi")
    change_pet(ada, health="'sick'", unfed_days=3)
    ada.go("/companion/pet")
    ada.page.locator("a.notice").click()
    ada.sees(t("companion.recovery.gems"))
    give(ada, gems=600)
    ada.page.reload()
    ada.button("companion.recovery.cureFor", price=t("companion.gems", count=120)).click()
    ada.sees(t("companion.recovery.cureDone", name="Mimi"))
    ada.heading("Mimi").wait_for()
    change_pet(ada, **DEAD)
    ada.go("/companion/recovery")
    ada.button("companion.recovery.reviveFor", price=t("companion.gems", count=400)).click()
    ada.sees(t("companion.recovery.reviveDone", name="Mimi"))
    ada.heading(t("companion.pet.fragile", name="Mimi")).wait_for()
    # A pet that is well needs nothing.
    ada.go("/companion/recovery")
    ada.sees(t("companion.recovery.well", name="Mimi"))
    for offer in ("cure", "revive", "restart"):
        expect(ada.heading(t(f"companion.recovery.{offer}"))).to_have_count(0)
    # A second cure waits for its pause.
    change_pet(ada, health="'sick'")
    give(ada, gems=600)
    ada.go("/companion/recovery")
    ada.sees(t("companion.recovery.pause", when=t("companion.in", time=t("time.hours", count=23))))


def test_a_new_pet_begins_and_the_old_one_is_remembered_until_it_is_removed(joined):
    ada = joined
    ada.member.adopt("cat", "Mimi")
    give(ada, gems=200)
    change_pet(ada, **DEAD)
    ada.go("/companion/recovery")
    ada.button("companion.recovery.restartFor", price=t("companion.gems", count=200)).click()
    dialog = ada.page.locator("dialog")
    dialog.get_by_text(t("companion.species.dog"), exact=True).click()
    dialog.get_by_label(t("companion.adopt.name"), exact=True).fill("Bruno")
    dialog.get_by_role("button", name=t("companion.adopt.yes")).click()
    ada.heading("Bruno").wait_for()
    ada.go("/companion/memorial")
    ada.heading("Mimi").wait_for()
    ada.button("companion.memorial.forget", name="Mimi").click()
    ada.button("companion.memorial.forgetYes").click()
    ada.sees(t("companion.memorial.none"))


def test_a_pet_gets_another_name(joined):
    ada = joined
    ada.member.adopt("cat", "Mimi")
    ada.go("/companion/pet")
    ada.button("companion.rename.title").click()
    ada.page.locator("dialog").get_by_label(t("companion.adopt.name"), exact=True).fill("Mina")
    ada.button("action.save").click()
    ada.heading("Mina").wait_for()


def test_a_higher_limit_waits_for_tomorrow_and_a_schedule_stays(joined):
    ada = joined
    ada.go("/companion/settings")
    limit = ada.page.get_by_role("slider")
    expect(limit).to_have_value("240")
    limit.fill("300")
    ada.sees(t("companion.limit.tomorrow", today="4 h", tomorrow="5 h").replace(" h", "\u00a0h"))
    ada.page.get_by_label(t("companion.schedule.title")).check()
    ada.page.get_by_label(t("settings.from"), exact=True).fill("08:30")
    ada.page.get_by_text(t("time.minutes", count=45), exact=True).click()
    ada.sees(t("settings.saved"))
    ada.page.wait_for_timeout(1_500)
    ada.page.reload()
    expect(ada.page.get_by_label(t("settings.from"), exact=True)).to_have_value("08:30")
    stored = ada.member.call("GET", "/v1/companion/settings")
    assert (stored["limit_minutes"], stored["limit_minutes_today"], stored["cooldown_minutes"]) == (300, 240, 45)
    assert stored["schedule"] == {"from": "08:30", "to": "17:00", "weekdays": [1, 2, 3, 4, 5]}


def test_a_phone_appears_when_it_reports_and_can_be_removed(joined):
    ada = joined
    ada.go("/companion/phones")
    ada.sees(t("companion.phones.none"))
    ada.member.bypass()
    ada.page.reload()
    ada.button("companion.phones.remove").click()
    ada.page.locator("dialog").get_by_role("button", name=t("companion.phones.remove")).click()
    ada.sees(t("companion.phones.none"))
    ada.go("/companion")
    has_hp(ada, 95)


def test_without_a_network_the_day_is_what_the_browser_remembers(joined, service):
    ada = joined
    ada.member.bypass(2)
    has_hp(ada, 90)
    ada.is_controlled()
    service.line.cut()
    ada.page.reload()
    has_hp(ada, 90)


def test_every_screen_of_companion_keeps_the_rules_for_access_and_fits_320_pixels_from_right_to_left(somebody):
    ada, grace = somebody("Ada").arrive(), somebody("Grace").arrive()
    ada.go("/companion/join")
    ada.sees(t("companion.join.hello"))
    assert violations(ada) == []
    ada.button("companion.join.noSurvey").click()
    ada.sees(t("companion.join.consent"))
    assert violations(ada) == []
    for person in (ada, grace):
        person.member.join_companion()
        person.member.open_companion()
        person.member.bypass(9)
        person.member.adopt("dog", "Bruno")
        give(person, energy=300, gems=300)
        person.member.call("POST", "/v1/companion/pet/feed", {"item_id": "kibble"}, key="0" * 32)
        person.member.call("POST", "/v1/companion/cosmetics/red_scarf", {"currency": "energy"}, key="1" * 32)
        person.member.call("PUT", "/v1/companion/pet/outfit", {"items": ["red_scarf"]})
    change_pet(ada, health="'sick'", unfed_days=3)
    paths = [f"/companion{page}" for page in PAGES]
    assert visit(ada, paths, violations) == {}
    narrow(grace)
    assert visit(grace, paths, wide) == {}


def test_a_deployment_without_companion_shows_no_trace_of_it_and_loads_no_byte(browser):
    service = Service(make_folder(WORK / "no-companion"), DAYLY_FEATURES="photos,focus")
    try:
        service.start()
        ada = Person(browser, service, "Ada").arrive()
        asked = []
        ada.context.on("request", lambda request: asked.append(request.url))
        ada.go("/")
        ada.button("groups.new").wait_for()
        ada.page.wait_for_selector("html[data-complete]")
        expect(ada.button("companion.title")).to_have_count(0)
        ada.go("/settings")
        ada.heading(t("settings.title")).wait_for()
        expect(ada.page.get_by_text(t("companion.title"), exact=True)).to_have_count(0)
        ada.page.get_by_role("link", name=t("focus.about")).click()
        ada.heading(t("focus.join.title")).wait_for()
        ada.go("/companion")
        ada.heading(t("about.lost")).wait_for()
        assert [url for url in asked if "companion/" in url] == []
        ada.close()
    finally:
        service.stop()
