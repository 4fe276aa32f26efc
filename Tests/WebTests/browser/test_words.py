"""Texts on the screen: names, dates and numbers in them, and what the settings say."""

import re

import pytest
from playwright.sync_api import expect

from person import t

TEXT_OF = """async (code) => (await import(
  document.querySelector("script[type=module]").src.replace("first.js", "app/errors.js"))).textOf(code)"""


# Guard: a name that could not be saved stays, with its button (`settings.js`)
def test_a_name_that_could_not_be_saved_stays_and_can_be_saved_again(somebody):
    ada = somebody("Ada").arrive()
    ada.go("/settings")
    name = ada.page.get_by_label(t("name.label"), exact=True)
    name.fill("Adela")
    ada.context.set_offline(True)
    ada.button("action.save").click()
    ada.sees(t("error.offline"))
    expect(name).to_have_value("Adela")
    ada.context.set_offline(False)
    ada.button("action.save").click()
    ada.sees(t("settings.saved"))
    expect(ada.button("action.save")).to_have_count(0)


@pytest.mark.parametrize(("locale", "form"), [("en-GB", r"\d+ \w+"), ("en-US", r"\w+ \d+")])
# Guard: dates follow the region (`groups.js`)
def test_the_date_of_the_day_follows_the_region(somebody, locale, form):
    ada = somebody("Ada", locale=locale).arrive()
    ada.go("/")
    expect(ada.page.locator(".top p")).to_have_text(re.compile(f"^{form}$"))


# Guard: a name runs its own way, in a sentence and alone, and is not translated (`translate.js`,
# `dir="auto"`)
def test_a_name_is_not_translated_and_is_cut_at_its_end_in_a_language_from_right_to_left(somebody):
    ada, grace = somebody("Maximiliane-Charlotte").arrive(), somebody("Grace").arrive()
    group, [code] = ada.member.make_group("Family", grace.number)
    grace.member.join(code)
    ada.go(f"/g/{group}")
    ada.take_photo("Family")
    grace.context.add_init_script("localStorage.setItem('dayly-preferences', JSON.stringify({ language: 'ar-XB' }))")
    grace.go(f"/g/{group}")
    grace.page.locator("main a.tile").wait_for()
    names = grace.page.get_by_text("Maximiliane-Charlotte", exact=True)
    assert names.count() >= 2
    for name in names.all():
        assert name.evaluate("(one) => [getComputedStyle(one).direction, Boolean(one.closest('[translate=no]'))]") == ["ltr", True]
        # It stands where the text around it begins.
        assert name.evaluate("(one) => getComputedStyle(one).textAlign") in ("right", "center")


# Guard: the settings lead to each product with a line about it (`settings.js`)
def test_the_settings_lead_to_each_product_with_a_line_about_it(somebody):
    ada = somebody("Ada").arrive()
    ada.go("/settings")
    for product in ("companion", "focus"):
        ada.page.get_by_role("link", name=t(f"{product}.about")).click()
        ada.page.wait_for_url(f"**/{product}*")
        ada.page.go_back()


# Guard: numbers in texts come from the configuration (`translate.js`, `errors.js`)
def test_the_text_of_a_limit_names_the_number_of_the_configuration(somebody):
    ada = somebody("Ada").arrive()
    ada.context.add_init_script("""new MutationObserver(() => {
      const config = document.querySelector("meta[name=dayly-config]");
      if (config) config.content = config.content.replace(/"groups_per_user":5/, '"groups_per_user":7');
    }).observe(document, { childList: true, subtree: true });""")
    ada.go("/")
    assert ada.page.evaluate(TEXT_OF, "group_limit_reached") == t("groups.full", count=7)
    assert ada.page.evaluate(TEXT_OF, "unreadable_image") == t("camera.unreadable")
    assert ada.page.evaluate(TEXT_OF, "internal_error") is None
