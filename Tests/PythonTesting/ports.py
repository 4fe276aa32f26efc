"""Ports of 127.0.0.1 for the programs that a test or a bench starts."""

import random
import socket
from pathlib import Path

FIRST = 20_000
# The ports that this process has handed out. A program may not listen on its port yet, or may be starting again.
_handed_out = set()


def free_port():
    """A port that no program listens on. It lies below the kernel's range of ephemeral ports: a port of that range may go to
    somebody's connection, or to a listener on port 0, before the test's program listens there."""
    for port in random.sample(range(FIRST, _end()), 1000):
        if port not in _handed_out and _can_bind(port):
            _handed_out.add(port)
            return port
    raise RuntimeError("found no free TCP port on 127.0.0.1")


def _end():
    try:
        low = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except OSError:
        low = 0
    return low if low > FIRST + 1000 else 32_768


def _can_bind(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
