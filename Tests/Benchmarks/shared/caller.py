"""Times requests that follow each other on one connection."""

import socket
import time


def requests_bytes(requests):
    """Each is (path, Authorization, If-None-Match, body); a request with a body is a POST of JSON."""
    for path, authorization, tag, body in requests:
        lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: localhost", f"Authorization: {authorization}"]
        if tag:
            lines.append(f"If-None-Match: {tag}")
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        yield ("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode()


def time_calls(port, requests, status, seconds=1):
    """The time of each call in milliseconds, sorted; the requests are sent in rotation.

    wrk is not used here: it adds the calls that one slow answer kept it from sending, so that its 99th percentile shows
    the longest pause of the machine instead of the calls. None when an answer had another status.
    """
    wanted = f"HTTP/1.1 {status} ".encode()
    messages, times = list(requests_bytes(requests)), []
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        end = time.perf_counter() + seconds
        while (began := time.perf_counter()) < end:
            connection.sendall(messages[len(times) % len(messages)])
            answer = _receive(connection)
            times.append((time.perf_counter() - began) * 1e3)
            if not answer.startswith(wanted):
                return None
    return sorted(times)


def _receive(connection):
    answer = connection.recv(65536)
    while (end := answer.find(b"\r\n\r\n")) < 0:
        answer += _more(connection)
    length = answer[:end].lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
    missing = end + 4 + int(length or 0) - len(answer)
    while missing > 0:
        missing -= len(_more(connection))
    return answer


def _more(connection):
    part = connection.recv(65536)
    if not part:
        raise ConnectionError("the service closed the connection")
    return part
