"""Starts the service once, Chromium once, and gives each test people of its own."""

import os
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent))

from person import Person  # noqa: E402
from service import ROOT, Service, make_folder  # noqa: E402

CHROMIUM = os.environ.get("DAYLY_TEST_CHROMIUM", "/usr/bin/chromium")
# A camera that shows a moving picture, without a question. Root has no sandbox.
ARGUMENTS = [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]


@pytest.fixture(scope="session")
def service():
    service = Service(make_folder(ROOT / ".dayly/test/web/service"))
    try:
        service.start()
        yield service
    finally:
        service.stop()


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.failed = getattr(item, "failed", False) or report.failed
    return report


@pytest.fixture
def somebody(browser, service, request):
    """Makes people; at the end each one's pages must have made no error and no forbidden request."""
    people = []

    def make(name, **options):
        people.append(Person(browser, service, name, **options))
        return people[-1]

    yield make
    if request.node.failed:
        folder = make_folder(ROOT / ".dayly/test/web/failures" / request.node.name)
        for person in people:
            person.report(folder)
    for person in people:
        person.close()


@pytest.fixture
def two(somebody):
    """Two people in a group named Family, and its id."""
    ada, grace = somebody("Ada").sign_in(), somebody("Grace").sign_in()
    group = ada.make_group("Family", grace)
    grace.join("Family")
    return ada, grace, group
