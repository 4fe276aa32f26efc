"""Numbers and codes as people paste and type them, in the fields of the web client."""

import json
import re

from playwright.sync_api import expect

from person import t
from service import until

PLAIN = re.compile("[\u2066\u2069]")
PASTE = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const isLeft = field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  if (isLeft) document.execCommand("insertText", false, text);
}"""


def paste(field, text):
    field.focus()
    field.evaluate(PASTE, text)


def shown(number):
    """A number as the page shows it, as a pattern: spaces and marks do not matter."""
    return re.compile("".join(f"{re.escape(one)}[\\s\u2066\u2069]*" for one in number))


def number_field(person):
    return person.page.get_by_label(t("phone.number"), exact=True)


def asked(person):
    """The numbers for which the page has asked a code."""
    numbers = []
    person.page.on("request", lambda request: numbers.append(json.loads(request.post_data)["phone_number"])
                   if request.url.endswith("/request-verification") else None)
    return numbers


def at_sign_in(somebody, locale="de-DE"):
    person = somebody("Ada", locale="en-US")
    person.context.add_init_script(f"Object.defineProperty(navigator, 'languages', {{ get: () => ['en', {json.dumps(locale)}] }})"
                                   if locale != "de-DE" else
                                   "Object.defineProperty(navigator, 'languages', { get: () => ['en-DE'] })")
    person.go("/sign-in")
    return person


# Guard: the number that was understood is shown before its code is sent (`phone-field.js`)
def test_a_number_with_marks_around_it_is_shown_before_its_code_is_sent(somebody):
    ada = at_sign_in(somebody)
    numbers, field = asked(ada), number_field(ada)
    expect(ada.page.get_by_role("button", name=t("phone.countryIs", country="Germany", code="49"))).to_be_visible()
    paste(field, "\u202a+44 7911 123456\u202c")
    expect(ada.page.locator(".understood")).to_have_text(shown("+447911123456"), use_inner_text=True)
    expect(ada.page.get_by_role("button", name=t("phone.countryIs", country="United Kingdom", code="44"))).to_be_visible()
    expect(ada.page.locator("#live-polite")).to_have_text(shown("+447911123456"))
    ada.button("phone.send").click()
    until(lambda: numbers, 60, "the request")
    assert numbers == ["+447911123456"]


# Guard: of two readings none is sent before the person has chosen (`reading.js`, `phone-field.js`)
def test_of_two_readings_the_person_taps_one(somebody):
    ada = at_sign_in(somebody)
    numbers, field = asked(ada), number_field(ada)
    field.fill("447911123456")
    ada.sees(t("phone.which"))
    ada.button("phone.send").click()
    choices = ada.page.get_by_role("group", name=t("phone.which")).get_by_role("button")
    expect(choices).to_have_count(2)
    expect(choices.first).to_be_focused()
    assert numbers == []
    choices.filter(has_text=shown("+447911123456")).click()
    expect(choices).to_have_count(0)
    expect(ada.page.locator(".understood")).to_have_text(shown("+447911123456"), use_inner_text=True)
    ada.button("phone.send").click()
    until(lambda: numbers, 60, "the request")
    assert numbers == ["+447911123456"]


def test_a_number_that_is_too_short_is_named_when_the_person_has_stopped(somebody):
    ada = at_sign_in(somebody)
    numbers, field = asked(ada), number_field(ada)
    short = ada.page.get_by_text(t("phone.fault.short", country="Germany"))
    field.press_sequentially("0171")
    expect(ada.page.locator(".understood")).to_have_text("")
    expect(short).to_have_count(0)
    field.press("Enter")
    expect(short).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    # Whoever goes on is not scolded.
    field.press_sequentially(" ١٢٣٤٥٦٧")
    expect(short).to_have_count(0)
    expect(ada.page.locator(".understood")).to_have_text(shown("+491711234567"), use_inner_text=True)
    field.press("Enter")
    until(lambda: numbers, 60, "the request")
    assert numbers == ["+491711234567"]


# Guard: a pasted code loses no digit (`code.js`)
def test_a_code_is_taken_from_what_is_pasted(somebody, service):
    ada = somebody("Ada")
    code = ada.ask_for_code()
    field = ada.page.get_by_label(t("code.label"))
    paste(field, f"{code[:3]} {code[3:]}0")
    ada.sees(t("code.six"))
    paste(field, f"Your Dayly verification code is: {code[:3]}\u200b{code[3:]}\n\n@dayly.example #{code}")
    ada.heading(t("name.title")).wait_for()


def test_a_code_is_typed_on_a_keyboard_with_arabic_digits(somebody):
    ada = somebody("Ada")
    code = ada.ask_for_code()
    field = ada.page.get_by_label(t("code.label"))
    for digit in code:
        field.press_sequentially(chr(0x0660 + int(digit)))
    ada.heading(t("name.title")).wait_for()


# Guard: a number that stands in the field is invited, or stops the start (`contact-list.js`)
# Guard: the lines of a pasted list stay apart (`phone-field.js`)
def test_a_pasted_list_becomes_chips_and_what_stands_in_the_field_is_taken_along(somebody, service):
    ada = somebody("Ada").sign_in()
    ada.button("groups.new").click()
    ada.page.get_by_label(t("newGroup.name"), exact=True).fill("Family")
    field = ada.page.get_by_label(t("contacts.number"), exact=True)
    paste(field, "Grace <+1 415 555 9001>\nBob +1 415-555-9002; (415) 555-9003")
    ada.button("contacts.add").click()
    chips = ada.page.locator(".chip")
    expect(chips).to_have_count(3)
    expect(field).to_have_value("")
    # A number that is too short stops the start, and the field says why.
    field.fill("415 555 90")
    ada.button("newGroup.make").click()
    ada.sees(t("phone.fault.short", country="United States"))
    expect(field).to_be_focused()
    expect(ada.button("newGroup.make")).to_be_visible()
    field.fill("415 555 9004")
    ada.button("newGroup.make").click()
    ada.heading("Family").wait_for()
    invited = service.sql("SELECT string_agg(phone_number, ' ' ORDER BY phone_number) FROM invites "
                          "WHERE phone_number LIKE '+1415555900_'")
    assert invited == "+14155559001 +14155559002 +14155559003 +14155559004"


def test_the_fault_of_an_empty_group_goes_with_the_first_person(somebody):
    ada = somebody("Ada").sign_in()
    ada.button("groups.new").click()
    ada.page.get_by_label(t("newGroup.name"), exact=True).fill("Family")
    ada.button("newGroup.make").click()
    ada.sees(t("newGroup.nobody"))
    ada.page.get_by_label(t("contacts.number"), exact=True).fill("415 555 9011")
    ada.button("contacts.add").click()
    expect(ada.page.locator(".chip")).to_have_count(1)
    expect(ada.page.get_by_text(t("newGroup.nobody"))).to_have_count(0)


def test_an_invitation_code_is_taken_from_the_message(somebody, service):
    ada, grace = somebody("Ada").sign_in(), somebody("Grace").sign_in()
    ada.make_group("Family", grace)
    code = service.sql(f"SELECT code FROM invites WHERE phone_number = '{grace.number}'")
    grace.go("/invites")
    field = grace.page.get_by_label(t("invites.code"), exact=True)
    form = grace.page.locator("form").get_by_role("button", name=t("invites.join"), exact=True)
    field.fill("ABC1O4")
    form.click()
    grace.sees(t("invites.misread"))
    field.fill("")
    paste(field, f"Ada invited you to share daily photos with \"Family\" on Dayly.\nDownload: https://dayly.example/i/{code}\n"
                 f"Join with code: {code.lower()}.")
    form.click()
    grace.heading("Family").wait_for()


# Guard: a link shows no text of its own on the page of an invitation (`join.js`)
def test_a_link_whose_code_nobody_can_read_asks_for_it_again(somebody):
    ada = somebody("Ada")
    ada.go("/join/CALL-0900-123456")
    ada.sees(t("invites.misread"))
    expect(ada.page.get_by_text("0900")).to_have_count(0)
    ada.page.get_by_label(t("invites.code"), exact=True).fill("https://dayly.example/i/abc-234")
    ada.button("join.open").click()
    ada.sees("ABC234")


def test_the_current_country_stands_first(somebody):
    ada = at_sign_in(somebody)
    ada.page.get_by_role("button", name=t("phone.countryIs", country="Germany", code="49")).click()
    expect(ada.page.locator(".countries button").first).to_have_attribute("aria-current", "true")
    expect(ada.page.locator(".countries button").first).to_contain_text("Germany")
