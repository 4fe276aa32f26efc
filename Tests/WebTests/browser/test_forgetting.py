"""What a browser still has of a photo that has ended: nothing, on the screen and on the disk."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import ARGUMENTS, CHROMIUM
from person import Person, t
from service import WORK, Service, make_folder, until

LIFETIME = 45


@pytest.fixture(scope="module")
def short_lived():
    """A service whose photos end soon."""
    service = Service(make_folder(WORK / "short-lived"), DAYLY_PHOTOS_LIFETIME=f"{LIFETIME}s")
    try:
        service.start()
        yield service
    finally:
        service.stop()


def test_a_photo_that_expires_while_somebody_looks_goes_with_a_sentence(browser, short_lived):
    ada, grace = (Person(browser, short_lived, name).sign_in() for name in ("Ada", "Grace"))
    ada.make_group("Family", grace)
    grace.join("Family")
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=20_000)
    grace.page.locator("main a.tile").first.click()
    grace.page.get_by_role("img", name=t("viewer.by", name="Ada")).wait_for()
    expect(grace.page.get_by_text(t("viewer.over")).first).to_be_visible(timeout=(LIFETIME + 10) * 1000)
    expect(grace.page.locator("main img")).to_have_count(0, timeout=10_000)
    until(lambda: not any(path.startswith("/photos/") for path in grace.kept()["caches"]), 5, "forgetting")


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


def test_the_profile_of_a_browser_holds_no_byte_of_an_expired_photo(playwright, browser, short_lived):
    ada = Person(browser, short_lived, "Ada").sign_in()
    profile = make_folder(WORK / "profile")
    options = {"executable_path": CHROMIUM, "args": ARGUMENTS}
    grace = Person(playwright.chromium, short_lived, "Grace", profile=profile, **options).sign_in()
    ada.make_group("Family", grace)
    grace.join("Family")
    ada.take_photo("Family")
    expect(grace.photos()).to_have_count(1, timeout=20_000)
    grace.page.locator("main a.tile").first.click()
    grace.page.locator("main img.sharp").first.wait_for()
    pictures = [path.read_bytes() for path in (short_lived.folder / "objects").rglob("*.jpg")]
    marks = [mark for picture in pictures for mark in marks_of(picture)]
    assert marks, "the store has no picture"
    until(lambda: len([path for path in grace.kept()["caches"] if path.startswith("/photos/")]) == 2, 10, "keeping")
    # While the photo lives its bytes are on the disk, so the search would find them.
    until(lambda: bytes_on_disk(profile, marks), 20, "writing")
    until(lambda: not any(path.startswith("/photos/") for path in grace.kept()["caches"]), LIFETIME + 15, "forgetting")
    grace.page.wait_for_timeout(6_000)
    grace.close()
    assert bytes_on_disk(profile, marks) == []
