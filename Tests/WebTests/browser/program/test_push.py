"""Messages of the real service to a push service, opened by programs that are not ours: http_ece and py_vapid."""

import base64
import http.server
import json
import os
import threading
import time

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from py_vapid import Vapid02

from member import Member
from service import ROOT, WORK, Service, make_folder, until

CONTACT = "mailto:operator@dayly.de"
DAY = 86_400


class PushService(http.server.ThreadingHTTPServer):
    """Takes messages on the loopback, as a relay of the service. `messages` are path, headers and body."""

    def __init__(self):
        self.messages = []
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.messages.append((self.path, self.headers, body))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Subscription:
    """What a browser makes when it subscribes."""

    endpoint = "https://web.push.apple.com/QAbc-1"

    def __init__(self):
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.json = {"endpoint": self.endpoint, "keys": {"p256dh": text(point(self.key)), "auth": text(self.secret)}}

    def open(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))


def point(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


@pytest.fixture
def pushing():
    """A service with web push, the relay that gets its messages, and the service's key."""
    folder = make_folder(WORK / "push")
    key = ec.generate_private_key(ec.SECP256R1())
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    relay = PushService()
    service = Service(folder, DAYLY_PUSH_KIND="web", DAYLY_PUSH_WEB_KEY=str(folder / "key.pem"),
                      DAYLY_PUSH_WEB_CONTACT=CONTACT, DAYLY_PUSH_WEB_URL=relay.url)
    try:
        service.start()
        yield service, relay, text(point(key))
    finally:
        service.stop()
        relay.shutdown()
        relay.server_close()


# Guard: web push is encrypted for one browser and signed for its push service (`Sources/Platform/Push`)
def test_messages_are_readable_for_their_browser_alone_and_signed_by_the_service(pushing):
    service, relay, key = pushing
    ada, grace = Member(service, "Ada").sign_in(), Member(service, "Grace").sign_in()
    assert grace.call("GET", "/v1/push/web-key") == {"key": key}
    browser = Subscription()
    grace.call("POST", "/v1/devices/register", {"platform": "web", "language": "de", "subscription": browser.json})
    group, [code] = ada.make_group("Breakfast club", grace.number)
    until(lambda: len(relay.messages) == 1, 30, "the invitation's message")
    grace.join(code)
    ada.send_photo(group, (ROOT / "docs/sample.jpg").read_bytes())
    until(lambda: len(relay.messages) == 2, 30, "the photo's message")
    for path, headers, body in relay.messages:
        assert (path, headers["Content-Encoding"], len(body) <= 4096) == ("/QAbc-1", "aes128gcm", True)
        assert (0 < int(headers["TTL"]) <= 28 * DAY, len(headers["Topic"]) <= 32) == (True, True)
        check_signature(headers["Authorization"], key)
        message = browser.open(body)
        assert (message["web_push"], message["notification"]["lang"]) == (8030, "de")
        assert message["notification"]["navigate"].startswith(service.url)
        with pytest.raises(http_ece.ECEException):
            stranger = Subscription()
            stranger.secret = browser.secret
            stranger.open(body)
    invitation, photo = (browser.open(body)["notification"] for _, _, body in relay.messages)
    assert "Breakfast club" in photo["title"] + photo["body"]
    assert (photo["navigate"], invitation["tag"] != photo["tag"]) == (f"{service.url}/g/{group}", True)
    # RFC 8291 wants a key and a salt for each message: the first 86 bytes hold both.
    assert len({body[:16] for _, _, body in relay.messages}) == len({body[21:86] for _, _, body in relay.messages}) == 2


def check_signature(authorization, key):
    """RFC 8292, for the origin of the subscription's endpoint."""
    scheme, parameters = authorization.split(" ", 1)
    values = dict(part.strip().split("=", 1) for part in parameters.split(","))
    assert (scheme, values["k"]) == ("vapid", key)
    assert Vapid02.verify(f"vapid t={values['t']},k={values['k']}")
    head, body, signature = values["t"].split(".")
    forged = text(json.dumps({**claims(values["t"]), "aud": "https://evil.example"}).encode())
    assert not Vapid02.verify(f"vapid t={head}.{forged}.{signature},k={key}")
    said = claims(values["t"])
    assert (said["aud"], said["sub"]) == ("https://web.push.apple.com", CONTACT)
    assert 0 < said["exp"] - time.time() <= DAY
