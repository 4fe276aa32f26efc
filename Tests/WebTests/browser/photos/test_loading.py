"""What a page loads when it starts, and screens that come late or not at all. Without a service worker all comes from the network."""

import pytest
from playwright.sync_api import expect

from person import t
from service import until


@pytest.fixture
def ada(somebody):
    """Ada, whose browser has not got the settings yet, and the requests for them."""
    ada, held = somebody("Ada", service_workers="block"), []
    ada.context.route("**/settings/settings.js", lambda route: held.append(route))
    return ada.sign_in(), held


# Guard: a screen waits for its module, unless the person goes elsewhere (`router.js`)
def test_a_screen_that_is_not_there_yet_leaves_the_one_before_in_its_place(ada):
    ada, held = ada
    ada.button("settings.title").click()
    ada.page.wait_for_url("**/settings")
    ada.page.wait_for_timeout(500)
    expect(ada.button("groups.new")).to_be_visible()
    held[0].continue_()
    expect(ada.heading(t("settings.title"))).to_be_focused()
    expect(ada.button("groups.new")).to_have_count(0)


# Guard: a screen waits for its module, unless the person goes elsewhere (`router.js`)
def test_a_screen_that_comes_after_the_person_went_elsewhere_stays_away(ada):
    ada, held = ada
    ada.button("settings.title").click()
    ada.page.wait_for_url("**/settings")
    ada.button("invites.title").click()
    ada.heading(t("invites.title")).wait_for()
    held[0].continue_()
    ada.page.wait_for_timeout(1_000)
    expect(ada.heading(t("invites.title"))).to_be_visible()
    assert ada.page.url.endswith("/invites")


# Guard: a screen that does not load offers another attempt (`router.js`, `unloaded.js`)
def test_a_screen_that_does_not_load_says_so_and_opens_at_the_next_attempt(somebody):
    ada = somebody("Ada", service_workers="block")
    ada.context.route("**/settings/settings.js", lambda route: route.abort())
    ada.sign_in().button("settings.title").click()
    ada.sees(t("unloaded.text"))
    expect(ada.heading(t("unloaded.title"))).to_be_focused()
    ada.context.set_offline(True)
    ada.button("action.again").click()
    ada.sees(t("error.offline"))
    ada.context.set_offline(False)
    ada.context.unroute("**/settings/settings.js")
    ada.button("action.again").click()
    ada.heading(t("settings.title")).wait_for()


# Guard: a page whose texts are not there asks again (`i18n.js`, `main.js`)
def test_a_page_whose_texts_are_not_there_yet_waits_for_them(somebody):
    ada, asked = somebody("Ada", service_workers="block"), []

    def answer(route):
        asked.append(route.request.url)
        # So answers a process of an older version.
        if len(asked) == 1:
            route.fulfill(status=404, content_type="application/problem+json", body='{"title": "Not found"}')
        else:
            route.continue_()

    ada.context.route("**/locales/en.json", answer)
    ada.go("/")
    ada.button("welcome.start").wait_for()
    assert len(asked) == 2


@pytest.mark.parametrize("locale", ["en-US", "de-AT"])
# Guard: a start asks once for the session, the groups and the texts (`fetch.js`, `early.js`)
def test_a_start_asks_once_for_the_session_the_groups_and_the_texts(somebody, locale):
    ada, asked = somebody("Ada", service_workers="block", locale=locale).arrive(), []
    ada.context.on("request", lambda request: asked.append(request.url.removeprefix(ada.service.url)))
    ada.go("/")
    assert asked.count("/v1/auth/refresh") == 1
    ada.page.wait_for_selector("html[data-complete]")
    # What comes after the first screen asks again.
    background = next(at for at, url in enumerate(asked) if url.endswith("/app/background.js"))
    assert asked[:background].count("/v1/groups") == 1
    first, *products = ["/".join(url.split("/")[3:]) for url in asked if "/locales/" in url]
    language = locale[:2]
    assert first == f"locales/{language}.json"
    assert sorted(products) == [f"{product}/locales/{language}.json" for product in ("companion", "focus")]


@pytest.mark.parametrize("name", ["first.js", "first.css"])
# Guard: a page of a new version waits for files that an old process does not have (`early.js`)
# Guard: a page without its first styles loads again (`early.js`)
def test_a_page_whose_files_are_not_there_yet_loads_again(somebody, name):
    ada, visits = somebody("Ada", service_workers="block"), []
    ada.context.on("request", lambda request: request.is_navigation_request() and visits.append(request.url))
    ada.context.route(f"**/{name}", lambda route: route.continue_() if len(visits) > 1 else route.fulfill(status=404))
    ada.page.goto("/", wait_until="commit")
    # While the page loads again it has no version.
    until(lambda: (ada.version(), len(visits) == 2)[1], 20, "another attempt")
    ada.page.wait_for_selector("html[data-complete]")
    ada.button("welcome.start").wait_for()
    assert ada.page.evaluate("document.styleSheets[0].cssRules.length > 0") and len(visits) == 2
