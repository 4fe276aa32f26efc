"""Ports of 127.0.0.1 for the programs that a test or a bench starts."""

import random
import socket
from pathlib import Path

FIRST = 20_000
# What this process has given away already. The programs may not listen there yet, or not at the moment.
_given = set()


def free_port():
    """A port that no program listens on. It lies below the kernel's range of ephemeral ports: a port of that range may go to
    somebody's connection, or to a listener on port 0, before the test's program listens there."""
    for port in random.sample(range(FIRST, _end()), 1000):
        if port not in _given and _can_bind(port):
            _given.add(port)
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
