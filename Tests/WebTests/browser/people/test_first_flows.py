"""The first minutes with Dayly, in Chromium against the real service."""

import re

from playwright.sync_api import expect

from member import Member
from person import STORES, Person, t
from service import ROOT, WORK, Service, make_folder, until

# The test makes the pictures ready one by one, and counts the previews, each of which has a timer.
HELD = """
localStorage.setItem("dayly-preferences", JSON.stringify({ autoProceed: false }));
globalThis.held = [];
globalThis.made = globalThis.previews = 0;
{
  const { postMessage, terminate } = Worker.prototype;
  const { setInterval } = globalThis;
  Worker.prototype.postMessage = function (...message) { held.push(() => postMessage.apply(this, message)); };
  Worker.prototype.terminate = function () { made += 1; terminate.call(this); };
  globalThis.setInterval = (run, delay) => {
    if (delay === 100) previews += 1;
    return setInterval(run, delay);
  };
}
"""


def test_a_newcomer_signs_in_by_sms(somebody, service):
    ada = somebody("Ada")
    ada.go("/")
    assert ada.page.url == f"{service.url}/welcome"
    code = ada.ask_for_code()
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    ada.type_code(wrong)
    ada.sees(t("code.wrong", count=4))
    ada.type_code(code)
    ada.heading(t("name.title")).wait_for()
    ada.page.get_by_label(t("name.label"), exact=True).fill("Ada")
    ada.page.locator("main button[type=submit]").click()
    ada.button("groups.new").wait_for()
    assert service.sql(f"SELECT first_name FROM users WHERE phone_number = '{ada.number}'") == "Ada"


# Guard: the work that a refusal asks for is done, up to a bound, three times at most (`proof.js`)
def test_a_newcomer_signs_in_while_a_code_costs_work(browser):
    # Four codes for strangers, of which two cost nothing.
    service = Service(make_folder(WORK / "work"), DAYLY_LIMITS_ENFORCE_RATES="true", DAYLY_SMS_COUNTRIES="1",
                      DAYLY_SMS_LIMITS_PER_DAY="8")
    try:
        service.start()
        for index in range(2):
            Member(service, "Somebody", f"+1415557{index:04d}").call(
                "POST", "/v1/auth/request-verification", {"phone_number": f"+1415557{index:04d}"})
        ada = Person(browser, service, "Ada")
        answers = []
        ada.page.on("response", lambda response: answers.append((response.status, response.request.post_data_json))
                    if response.url.endswith("/request-verification") else None)
        ada.sign_in()
        [(refused, first), (accepted, second)] = answers
        assert (refused, accepted) == (429, 202) and "proof" not in first and second["proof"]["nonces"]
        ada.close()
    finally:
        service.stop()


# Guard: a newcomer's name screen is made once (`code.js`)
def test_what_a_newcomer_types_stays_while_the_browser_is_still_busy_keeping_the_profile(somebody):
    ada = somebody("Ada")
    ada.context.add_init_script("""{
      const { put } = Cache.prototype;
      Cache.prototype.put = async function (...entry) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return await put.apply(this, entry);
      };
    }""")
    ada.type_code(ada.ask_for_code())
    name = ada.page.get_by_label(t("name.label"), exact=True)
    name.fill("Ada")
    ada.page.wait_for_timeout(2_000)
    expect(name).to_have_value("Ada")
    name.press("Enter")
    ada.button("groups.new").wait_for()


def test_a_reload_and_a_second_tab_stay_signed_in_without_a_token_in_any_storage(somebody):
    ada = somebody("Ada").sign_in()
    ada.page.reload()
    ada.button("groups.new").wait_for()
    second = ada.new_page()
    second.goto("/settings")
    expect(second.get_by_role("heading", name=t("settings.title"))).to_be_visible()
    stored = ada.page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")
    assert "eyJ" not in stored and "dayly=" not in stored
    cookie = next(one for one in ada.context.cookies(ada.service.url + "/v1/auth/refresh") if "dayly" in one["name"])
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/v1/auth")


# Guard: an open invitation stands on the first screen of who has no group (`groups.js`)
def test_an_invited_newcomer_finds_the_invitation_on_the_first_screen(somebody):
    ada, grace = somebody("Ada").sign_in(), somebody("Grace")
    ada.make_group("Book club", grace)
    grace.sign_in().sees(t("invites.by", name="Ada"))
    grace.button("invites.join").click()
    grace.heading("Book club").wait_for()


# Guard: a chosen person can be taken out, and the keyboard stays near (`contact-list.js`)
def test_a_chosen_person_is_a_chip_that_takes_them_out_again_also_by_the_keyboard(somebody):
    ada = somebody("Ada").sign_in()
    ada.page.evaluate("""navigator.contacts ??= {
      select: async () => [{ name: ["Grace"], tel: ["+14155559177"] }]
    }""")
    ada.button("groups.new").click()
    ada.page.get_by_label(t("newGroup.name"), exact=True).fill("Walks")
    ada.button("contacts.pick").click()
    expect(ada.chips()).to_have_text(["Grace"])
    number = ada.page.get_by_label(t("contacts.number"), exact=True)
    number.fill("+14155559178")
    number.press("Enter")
    expect(ada.chips()).to_have_count(2)
    ada.chips().last.press("Enter")
    # A number that was typed is gone, and the keyboard is on the neighbour.
    expect(ada.chips()).to_have_text(["Grace"])
    expect(ada.page.locator("main .rows")).to_have_count(0)
    expect(ada.chips()).to_be_focused()
    ada.chips().press("Enter")
    expect(ada.chips()).to_have_count(0)
    expect(ada.button("contacts.add")).to_be_focused()
    ada.page.get_by_role("button", name="Grace").click()
    expect(ada.chips()).to_have_text(["Grace"])
    ada.button("newGroup.make").click()
    expect(ada.heading("Walks")).to_be_focused()
    expect(ada.page.locator(".today .invited")).to_have_count(1)


# Guard: the Enter key in the search for contacts starts no group (`contact-list.js`)
def test_the_enter_key_in_the_search_for_contacts_does_not_start_the_group(somebody, service):
    ada = somebody("Ada").arrive()
    ada.go("/")
    ada.page.evaluate("""navigator.contacts ??= {
      select: async () => [..."ABCDEFG"].map((name, at) => ({ name: [name], tel: [`+1415555018${at}`] }))
    }""")
    ada.button("groups.new").click()
    ada.page.get_by_label(t("newGroup.name"), exact=True).fill("Hikes")
    ada.button("contacts.pick").click()
    expect(ada.chips()).to_have_count(7)
    ada.page.get_by_label(t("contacts.search"), exact=True).press("Enter")
    ada.page.wait_for_timeout(1_000)
    assert service.sql("SELECT count(*) FROM groups WHERE name = 'Hikes'") == "0"


def test_two_people_make_a_group_and_share_a_photo(somebody):
    ada, grace = somebody("Ada").sign_in(), somebody("Grace").sign_in()
    ada.make_group("Family", grace)
    grace.join("Family")
    expect(ada.page.get_by_text("Grace").first).to_be_visible()
    ada.take_photo("Family")
    # Grace's page is open: the photo comes by the stream, without a reload.
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    expect(ada.photos()).to_have_count(1, timeout=15_000)
    ada.sees(t("group.limit"))
    grace.page.locator("main a.tile").first.click()
    grace.page.get_by_role("img", name=t("viewer.by", name="Ada")).wait_for()
    expect(grace.page.get_by_text(re.compile("47 h"))).to_be_visible()
    grace.page.keyboard.press("Escape")
    grace.heading("Family").wait_for()


# Guard: only the picture that is shown is sent, and none after the camera is closed (`camera.js`)
def test_only_the_picture_that_is_shown_may_go_out_and_none_after_the_camera_is_closed(two):
    ada, _, group = two
    ada.context.add_init_script(HELD)
    ada.go(f"/g/{group}")
    ada.link("groups.take", group="Family").click()
    take = ada.button("camera.take")
    take.click()
    until(lambda: ada.page.evaluate("held.length") == 1, 60, "a picture")
    ada.page.evaluate("() => { for (const make of held.splice(0)) make(); }")
    expect(ada.heading(t("preview.title"))).to_be_focused()
    until(lambda: ada.page.evaluate("made") == 1, 60, "the picture")
    ada.button("preview.retake").click()
    take.click()
    until(lambda: ada.page.evaluate("held.length") == 1, 60, "another picture")
    ada.page.locator("main").get_by_role("button", name=t("action.close"), exact=True).click()
    ada.heading("Family").wait_for()
    ada.page.evaluate("() => held[0]()")
    until(lambda: ada.page.evaluate("made") == 2, 60, "a picture that nobody waits for")
    ada.page.wait_for_timeout(300)
    assert ada.page.evaluate("previews") == 1
    assert ada.page.url.endswith(f"/g/{group}")


def test_a_photo_that_its_sender_deletes_goes_from_every_screen_and_every_cache(two):
    ada, grace, _ = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    assert grace.kept_pictures()
    ada.photos().first.wait_for()
    ada.page.evaluate("""async () => {
      const { feeds } = """ + STORES + """;
      const id = location.pathname.split("/")[2];
      await feeds.deletePhoto(feeds.of(id).photos[0]);
    }""")
    expect(grace.photos()).to_have_count(0, timeout=15_000)
    until(lambda: grace.kept_pictures() == [], 60, "forgetting")


# Guard: an upload that lacked a network goes out at once when there is one (`upload-driver.js`)
def test_a_photo_taken_offline_goes_out_once_when_the_network_is_back(two, service):
    ada, grace, group = two
    ada.page.evaluate("navigator.serviceWorker.ready")
    ada.is_controlled()
    ada.context.set_offline(True)
    ada.page.reload()
    ada.heading("Family").wait_for()
    ada.take_photo("Family")
    ada.sees(t("banner.saved", count=1))
    assert service.photos_of(group) == 0
    ada.page.reload()
    ada.sees(t("banner.saved", count=1))
    ada.context.set_offline(False)
    expect(grace.photos()).to_have_count(1, timeout=30_000)
    expect(ada.photos()).to_have_count(1, timeout=15_000)
    assert service.photos_of(group) == 1
    assert ada.page.evaluate("""async () => {
      const { uploads } = """ + STORES + """;
      await uploads.load();
      return uploads.all.length;
    }""") == 0


# Guard: a photo that goes another day waits for no network, and only a stopped one needs attention
# (`banners.js`)
def test_a_photo_that_goes_tomorrow_says_so_and_waits_for_no_network(two):
    ada, _, group = two
    ada.is_controlled()
    ada.page.wait_for_selector("html[data-complete]")
    ada.context.set_offline(True)
    ada.take_photo("Family")
    # Another device is quicker.
    ada.member.send_photo(group, (ROOT / "docs/sample.jpg").read_bytes())
    ada.context.set_offline(False)
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    ada.page.get_by_role("link", name=t("banner.stopped", count=1)).click()
    ada.sees(t("problem.already_sent_today"))
    ada.button("uploads.keep").click()
    expect(ada.page.get_by_text(t("banner.stopped", count=1))).to_have_count(0)
    ada.context.set_offline(True)
    ada.page.evaluate(f"""async () => {{
      const {{ network, router }} = {STORES};
      router.go("/");
      network.missed();
      network.missed();
    }}""")
    ada.sees(t("banner.offline"))
    ada.context.set_offline(False)


# Guard: a sign-out empties every tab, and only the tab that signs out saves its choices (`stores.js`,
# `main.js`)
# Guard: a look into the queue makes no database (`upload-queue.js`)
def test_a_sign_out_leaves_nothing_behind_and_ends_the_other_tab(two):
    ada, grace, _ = two
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=15_000)
    grace.page.evaluate("""async () => {
      const { preferences } = """ + STORES + """;
      preferences.set("theme", "dark");
      preferences.set("pushWanted", true);
    }""")
    second = grace.new_page()
    second.goto("/")
    second.wait_for_selector("html[data-ready]")
    grace.go("/settings")
    grace.button("settings.signOut").click()
    grace.page.get_by_role("dialog").get_by_role("button", name=t("settings.signOut"), exact=True).click()
    grace.page.wait_for_url("**/welcome")
    second.wait_for_url("**/welcome")
    until(lambda: grace.kept() == {"caches": [], "databases": []}, 60, "forgetting")
    assert second.evaluate("""async () => {
      const { groups } = """ + STORES + """;
      return groups.all;
    }""") is None
    # The choices stay, but nobody wants the messages of the next person.
    until(lambda: second.evaluate("""() => {
      const { theme, pushWanted } = JSON.parse(localStorage["dayly-preferences"] ?? "{}");
      return theme === "dark" && pushWanted === false;
    }"""), 60, "the choices")
    grace.page.reload()
    assert grace.page.url.endswith("/welcome")
    assert grace.context.cookies(grace.service.url + "/v1/auth/refresh") == []
