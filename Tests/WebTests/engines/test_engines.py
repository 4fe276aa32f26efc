"""The first minutes with Dayly in engines other than Chromium, against the real service."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "browser")]

from firefox import Firefox  # noqa: E402
from member import Member  # noqa: E402
from person import t  # noqa: E402
from service import ROOT, WORK, Service, make_folder, until  # noqa: E402
from webkit import WebKit  # noqa: E402

PICTURE = ROOT / "docs/sample.jpg"
SHARP = "main a.tile day-photo:not(.sending) .picture.sharp"


@pytest.fixture(scope="module")
def service():
    service = Service(make_folder(WORK / "engines"))
    try:
        service.start()
        yield service
    finally:
        service.stop()


class WaryFirefox(Firefox):
    """Firefox that gives pages noise instead of what they drew, as its strict mode, LibreWolf and Tor do."""

    name = "WaryFirefox"
    preferences = {"privacy.resistFingerprinting": True}


class ForgetfulFirefox(Firefox):
    """Firefox whose storage no page may use."""

    name = "Firefox without storage"
    preferences = {"network.cookie.cookieBehavior": 2}


@pytest.fixture(params=[Firefox, WebKit], ids=lambda engine: engine.name)
def grace(request, service):
    """Grace, with a browser of the engine."""
    service.line.restore()
    with request.param(service, f"+14155557{len(request.param.name):03d}", service.folder) as grace:
        print(f"{grace.name} {grace.version}")
        failures = request.session.testsfailed
        yield grace
        if request.session.testsfailed > failures:
            grace.report(make_folder(ROOT / ".dayly/test/web/failures" / request.node.name))
        assert grace.faults == []


# Guard: a locale that is not a language stops nothing (`translate.js`)
# Guard: a private window that keeps no picture sends it (`database.js`)
# Guard: an address of our own opens without a network in every engine (`worker/start.js`)
def test_a_newcomer_joins_sees_sends_views_and_opens_the_app_without_a_network(service, grace):
    ada = Member(service, "Ada").sign_in()
    group, _ = ada.make_group("Family", grace.number)
    grace.sign_in("Grace")
    grace.press(t("invites.join"))
    grace.reads(t("group.nothing"))
    # The open page learns of the photo by the stream.
    ada.send_photo(group, PICTURE.read_bytes())
    grace.sees(SHARP)
    grace.take_photo("Family", PICTURE)
    grace.sees(SHARP, count=2)
    sent = until(lambda: [photo for photo in ada.photos(group) if photo["sender_name"] == "Grace"], 30, "the photo")
    assert len(sent) == 1
    grace.open("main a.tile")
    grace.sees(".strip .picture.sharp")
    grace.go(f"/g/{group}")
    until(lambda: grace.run("async () => Boolean(navigator.serviceWorker.controller)"), 30, "control by the worker")
    service.line.cut()
    grace.reload()
    grace.reads("Family")
    grace.sees(SHARP, count=2)


@pytest.mark.parametrize("engine, words", [(WaryFirefox, "camera.own"), (ForgetfulFirefox, "camera.choose")],
                         ids=["noise", "no storage"])
def test_a_wary_firefox_sends_the_picture_that_was_chosen(service, engine, words):
    service.line.restore()
    ada = Member(service, f"Ada {words}").sign_in()
    with engine(service, f"+14155558{len(engine.name):03d}", service.folder) as grace:
        group, _ = ada.make_group("Family", grace.number)
        ada.send_photo(group, PICTURE.read_bytes())
        grace.sign_in("Grace")
        grace.press(t("invites.join"))
        grace.sees(SHARP)
        grace.take_photo("Family", PICTURE, words)
        until(lambda: len(ada.photos(group)) == 2, 30, "the photo")
        grace.sees(SHARP, count=2)
        one, two = [photo["thumbhash"] for photo in ada.photos(group)]
        # Without noise the original goes; a picture that was encoded anew is nearly the same.
        assert two == one if engine is WaryFirefox else two[:4] == one[:4]
        assert [fault for fault in grace.faults if "ServiceWorker" not in fault and "service worker" not in fault] == []
