"""What a browser still has of a photo that has ended: nothing, on the screen and on the disk."""

import re

import pytest
from playwright.sync_api import expect

from conftest import ARGUMENTS, CHROMIUM
from person import Person, t
from service import WORK, Service, make_folder, until

LIFETIME = 40


@pytest.fixture(scope="module")
def short_lived():
    """A service whose photos end soon."""
    service = Service(make_folder(WORK / "short-lived"), DAYLY_PHOTOS_LIFETIME=f"{LIFETIME}s")
    try:
        service.start()
        yield service
    finally:
        service.stop()


def bytes_on_disk(profile, marks):
    """The files of a profile that hold one of the marks."""
    found = []
    for path in profile.rglob("*"):
        if path.is_file() and any(mark in path.read_bytes() for mark in marks):
            found.append(path.relative_to(profile).as_posix())
    return found


def marks_of(picture):
    """Pieces of a JPEG's own data, from places all over it."""
    middle = [picture[at:at + 24] for at in range(700, len(picture) - 24, max(1, len(picture) // 40))]
    return [mark for mark in middle if len(set(mark)) > 12]


# Guard: without the service's word, a photo that ends goes from the screen, its pictures and its kept answer
# from the disk (`feed.js`)
def test_a_photo_that_ends_while_somebody_looks_goes_with_a_sentence_and_no_byte_stays(playwright, browser, short_lived):
    ada = Person(browser, short_lived, "Ada").arrive()
    profile = make_folder(WORK / "profile")
    options = {"executable_path": CHROMIUM, "args": ARGUMENTS}
    grace = Person(playwright.chromium, short_lived, "Grace", profile=profile, **options).arrive()
    group, [code] = ada.member.make_group("Family", grace.number)
    grace.member.join(code)
    for person in (ada, grace):
        person.go(f"/g/{group}")
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1)
    grace.page.locator("main a.tile").first.click()
    grace.page.get_by_role("img", name=t("viewer.by", name="Ada")).wait_for()
    pictures = [path.read_bytes() for path in (short_lived.folder / "objects").rglob("*.jpg")]
    marks = [mark for picture in pictures for mark in marks_of(picture)]
    assert marks, "the store has no picture"
    until(lambda: len(grace.kept_pictures()) == 2, 60, "keeping")
    # The kept answers have the picture in its smallest form, and the name of its sender.
    blurred = ada.member.photos(group)[0]["thumbhash"].encode()
    # While the photo lives its bytes are on the disk, so the search would find them.
    until(lambda: bytes_on_disk(profile, marks) and bytes_on_disk(profile, [blurred]), 20, "writing")
    # From here on the service cannot tell that the photo has ended.
    short_lived.line.cut()
    expect(grace.page.get_by_text(re.compile(t("viewer.over", life=".*"))).first).to_be_visible(timeout=(LIFETIME + 10) * 1000)
    expect(grace.page.locator("main .picture")).to_have_count(0)
    until(lambda: grace.kept_pictures() == [], 60, "forgetting")
    grace.page.wait_for_timeout(6_000)
    grace.close()
    assert bytes_on_disk(profile, [*marks, blurred]) == []
