"""Starts the service once, Chromium once, and gives each test people of its own."""

import os
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))

from person import Person  # noqa: E402
from service import ROOT, WORK, Service, make_folder  # noqa: E402

CHROMIUM = os.environ.get("DAYLY_TEST_CHROMIUM", "/usr/bin/chromium")
# A busy machine is slow, which is not what these tests are about.
expect.set_options(timeout=30_000)
# A camera that shows a moving picture, without a question. More than five pictures a second would only take the CPU time of
# other tests. Root has no sandbox.
ARGUMENTS = [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream=fps=5",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]


@pytest.fixture(scope="session")
def service():
    service = Service(make_folder(WORK / "service"))
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


@pytest.fixture(autouse=True)
def people(request):
    """Closes everybody's browser after a test. The pages must have made no error and no forbidden request."""
    Person.all.clear()
    yield
    if getattr(request.node, "failed", False):
        folder = make_folder(ROOT / ".dayly/test/web/failures" / request.node.name)
        for person in Person.all:
            person.report(folder)
    for person in Person.all:
        person.close()


@pytest.fixture
def somebody(browser, service):
    """Makes people at the common service."""
    service.line.restore()
    return lambda name, **options: Person(browser, service, name, **options)


@pytest.fixture
def two(somebody):
    """Two people who look at their group, which is named Family, and its id."""
    ada, grace = somebody("Ada").arrive(), somebody("Grace").arrive()
    group, [code] = ada.member.make_group("Family", grace.number)
    grace.member.join(code)
    for person in (ada, grace):
        person.go(f"/g/{group}")
        person.heading("Family").wait_for()
    return ada, grace, group
