"""Each proxy of deploy/proxies in front of a real service: events, uploads, refusals, addresses, TLS."""

import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from proxied_nodes import ROOT, call, large_picture, running_nodes  # noqa: E402
from proxies import ALL, MOST, HAProxy, Nginx  # noqa: E402
from streams import Stream  # noqa: E402

from member import Member  # noqa: E402
from service import until  # noqa: E402

WORK = ROOT / ".dayly/test/proxies"
CODES_AN_HOUR = 3
STREAMS = 8


@pytest.fixture(scope="module")
def service():
    with running_nodes(WORK, 1, DAYLY_LIMITS_ENFORCE_RATES="true", DAYLY_EVENTS_STREAMS=str(STREAMS),
                       DAYLY_AUTH_OTP_LIMITS_ADDRESS_PER_HOUR=str(CODES_AN_HOUR)) as service:
        yield service


@pytest.fixture(scope="module")
def proxies(service):
    proxies = []
    try:
        for kind in ALL:
            proxies.append(kind(WORK, service.ports))
        yield proxies
    finally:
        for proxy in proxies:
            proxy.stop()


@pytest.fixture(scope="module")
def ada(service):
    return Member(service, "Ada").sign_in()


def at_once(proxies, body):
    """Runs the body for all proxies at the same time, and gives the results by their names."""
    with ThreadPoolExecutor(len(proxies)) as pool:
        return dict(zip((type(one).__name__ for one in proxies), pool.map(body, proxies)))


# Guard: events are not kept back (`option http-no-delay` in `haproxy.cfg`)
def test_events_pass_without_delay(service, proxies, ada):
    group, _ = ada.make_group("Events", "+14155560001")
    port = service.ports[0]
    direct = Stream(lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=60), ada.token)
    streams = {type(one).__name__: Stream(one.connect, ada.token) for one in proxies}
    inner_port = next(one.inner_port for one in proxies if isinstance(one, HAProxy))
    streams["HAProxy without TLS"] = Stream(
        lambda: http.client.HTTPConnection("127.0.0.1", inner_port, timeout=60), ada.token)
    everybody = [direct, *streams.values()]
    until(lambda: all(one.cursor for one in everybody), 15, "the beginning of the streams")
    for number in range(12):
        ada.call("PUT", f"/v1/groups/{group}", {"name": f"Name {number}"})
        until(lambda: all(len(one.events) > number for one in everybody), 15, "an event")
    for name, stream in streams.items():
        # HAProxy without option http-no-delay takes 0.2 s for each event, and a proxy that buffers keeps them all.
        delays = [late[0] - early[0] for early, late in zip(direct.events, stream.events)]
        print(f"{name}: events {statistics.median(delays) * 1000:.1f} ms later than without a proxy")
        assert statistics.median(delays) < 0.1, f"{name}: {delays}"
    for stream in everybody:
        stream.close()


# Guard: large uploads pass (`client_max_body_size` in `nginx.conf`)
def test_large_uploads_pass(proxies, ada):
    picture = large_picture()
    assert len(picture) == 10 << 20

    def send(proxy):
        group, _ = ada.make_group(type(proxy).__name__, "+14155560002")
        return call(proxy.connect(), "POST", f"/v1/groups/{group}/photos", ada.token, picture, "image/jpeg")

    for name, (status, _, body) in at_once(proxies, send).items():
        assert status == 201, f"{name}: {status} {body[:300]}"


# Guard: uploads are not stored (`proxy_request_buffering` in `nginx.conf`)
def test_slow_uploads_pass_piece_by_piece(service, proxies):
    """Each piece reaches the service at once: the proxy keeps no photo, in memory or on a disk."""
    grace = Member(service, "Grace").sign_in()
    groups = {type(one).__name__: grace.make_group(type(one).__name__, "+14155560003")[0] for one in proxies}
    picture, halfway, finish = large_picture(400_000), threading.Semaphore(0), threading.Event()

    def send(proxy):
        connection = proxy.connect()
        connection.putrequest("POST", f"/v1/groups/{groups[type(proxy).__name__]}/photos")
        for name, value in {"Authorization": f"Bearer {grace.token}", "Content-Type": "image/jpeg",
                            "Content-Length": len(picture)}.items():
            connection.putheader(name, value)
        connection.endheaders()
        pieces = [picture[start:start + 50_000] for start in range(0, len(picture), 50_000)]
        for number, piece in enumerate(pieces):
            if number == len(pieces) - 1:
                halfway.release()
                finish.wait(30)
            connection.send(piece)
            time.sleep(0.5)
        answer = connection.getresponse()
        return answer.status, answer.read()

    with ThreadPoolExecutor(1) as pool:
        results = pool.submit(at_once, proxies, send)
        try:
            for _ in proxies:
                assert halfway.acquire(timeout=30)
            # The last piece of each is missing, and the service has them all under way.
            uploads = service.nodes[0].metric('dayly_http_admitted{lane="bulk"}')
            kept = [path for path in WORK.glob("nginx/*/**/*") if path.is_file()]
        finally:
            finish.set()
    assert uploads == len(proxies)
    assert kept == [], "nginx wrote an upload to the disk"
    for name, (status, body) in results.result().items():
        assert status == 201, f"{name}: {status} {body[:300]}"


def test_refusals_pass_with_their_retry_after(service, proxies, ada):
    port = service.ports[0]
    streams = [Stream(lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=60), ada.token)
               for _ in range(STREAMS)]
    until(lambda: all(one.cursor for one in streams), 15, "the beginning of the streams")
    for proxy in proxies:
        status, headers, body = call(proxy.connect(), "GET", "/v1/events", ada.token)
        assert (status, headers["Retry-After"], json.loads(body)["code"]) == (503, "5", "overloaded"), type(proxy).__name__
    for stream in streams:
        stream.close()


# Guard: a forged `X-Forwarded-For` is replaced (the line that sets it in `haproxy.cfg` and `nginx.conf`)
def test_addresses_of_clients_are_right(proxies):
    """A client cannot hide behind a forged X-Forwarded-For, and does not share the limits of others."""
    numbers = iter(range(1000, 10000, 7))

    def ask(proxy, source):
        number = next(numbers)
        return call(proxy.connect(source), "POST", "/v1/auth/request-verification", None,
                    {"phone_number": f"+1{212 + number % 7}555{number:04d}"},
                    X_Forwarded_For=f"198.51.{number % 250}.7", X_Real_IP="198.51.100.8",
                    Forwarded="for=198.51.100.9")[0]

    for index, proxy in enumerate(proxies):
        answers = [ask(proxy, f"127.{index + 1}.1.1") for _ in range(CODES_AN_HOUR + 1)]
        assert answers == [202] * CODES_AN_HOUR + [429], type(proxy).__name__
        assert ask(proxy, f"127.{index + 1}.2.1") == 202, type(proxy).__name__


# Guard: a client cannot take all connections (`sc0_conn_cur` in `haproxy.cfg`, `limit_conn` in `nginx.conf`)
def test_one_client_cannot_take_all_connections(proxies):
    """Behind Caddy it can: its configuration says so."""
    for proxy in proxies:
        if not isinstance(proxy, HAProxy | Nginx):
            continue
        held = []
        for _ in range(MOST):
            held.append(proxy.connect("127.9.1.1"))
            held[-1].putrequest("POST", "/v1/auth/request-verification")
            held[-1].putheader("Content-Length", "100")
            held[-1].endheaders(b"{")
        # Their heads may still be on their way.
        until(lambda: refused(proxy, "127.9.1.1"), 10, "the end of patience")
        assert call(proxy.connect("127.9.2.1"), "GET", "/healthz")[0] == 200, type(proxy).__name__
        for connection in held:
            connection.close()
        until(lambda: not refused(proxy, "127.9.1.1"), 20, "room")


def refused(proxy, source):
    """HAProxy ends the connection of a client that has too many, and nginx answers as Dayly does."""
    try:
        status, headers, body = call(proxy.connect(source), "GET", "/healthz")
    except (OSError, http.client.HTTPException):
        return True
    if status == 200:
        return False
    assert (status, headers["Retry-After"], json.loads(body)["code"]) == (503, "5", "unavailable")
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    return True


# Guard: clients get HTTP/2 (`alpn` in `haproxy.cfg`)
def test_tls_with_http2(proxies, ada):
    for proxy in proxies:
        found = subprocess.run(
            ["curl", "-sS", "--http2", "--cacert", proxy.certificate, "-o", os.devnull, "-D", "-", "-w",
             "%{http_version}", "-H", f"Authorization: Bearer {ada.token}", f"{proxy.url}/v1/groups"],
            check=True, capture_output=True, text=True).stdout.lower()
        assert found.startswith("http/2 200") and found.endswith("\n2"), f"{type(proxy).__name__}: {found}"
        assert "strict-transport-security: max-age=31536000" in found
        plain = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=10)
        if type(proxy).__name__ != "Caddy":  # a test's Caddy has no port 80
            status, headers, _ = call(plain, "GET", "/v1/groups")
            assert status == 308 and headers["Location"].startswith("https://127.0.0.1")


# Guard: a fault that all nodes share takes none of them out (the `backup` servers in `haproxy.cfg`)
def test_nodes_that_are_not_ready_answer_what_they_can(service, proxies, ada):
    """The bucket fails for every node. HAProxy leaves all of them out, and still sends them requests."""
    haproxy = next(one for one in proxies if isinstance(one, HAProxy))

    def log():
        return (haproxy.folder / "proxy.log").read_text()

    objects, away = service.folder / "objects", service.folder / "objects-away"
    objects.rename(away)
    # The service would make a missing folder anew.
    objects.touch()
    try:
        until(lambda: not service.nodes[0].is_ready(), 20, "the end of readiness")
        # A busy machine may have taken the node out before, too.
        until(lambda: log().rfind("Server dayly/node1 is DOWN") > log().rfind("Server dayly/node1 is UP"), 20, "no node")
        answers = at_once(proxies, lambda proxy: call(proxy.connect(), "GET", "/v1/groups", ada.token))
    finally:
        objects.unlink()
        away.rename(objects)
        until(service.nodes[0].is_ready, 20, "readiness")
    for name, (status, _, body) in answers.items():
        assert status == 200, f"{name}: {status} {body[:200]}"


# Guard: without a node the answer is a 503 that clients know (`http-error`, `error_page`)
def test_without_a_node_the_answer_is_503_too(service, proxies):
    service.nodes[0].stop()
    try:
        answers = at_once(proxies, lambda proxy: call(proxy.connect(), "GET", "/v1/groups"))
        for path in ("/i/ABC234", "/files/photo.jpg?signature=SECRET"):
            at_once(proxies, lambda proxy: call(proxy.connect(), "GET", path))
    finally:
        service.nodes[0].start()
    for name, (status, headers, body) in answers.items():
        assert (status, headers["Retry-After"]) == (503, "5"), f"{name}: {status} {body[:200]}"
        assert headers["Content-Type"] == "application/problem+json", name
        assert json.loads(body)["code"] == "unavailable", name
    for proxy in proxies:
        log = (proxy.folder / "proxy.log").read_text()
        assert "ABC234" not in log and "SECRET" not in log, f"{type(proxy).__name__} writes addresses: {log[-500:]}"
