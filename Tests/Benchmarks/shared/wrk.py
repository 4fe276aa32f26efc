"""Runs wrk on the core of the clients."""

import json
import os
import subprocess


def run_wrk(options, server, requests, status, connections, seconds=1):
    """Sends the requests in rotation. Each is (path, Authorization, If-None-Match), and a fourth part is the body of a POST.

    The result is None when an answer had another status, or a connection broke.
    """
    path = os.path.join(options.folder, "requests")
    with open(path, "w") as file:
        file.writelines("\t".join(value or "-" for value in (*request, None)[:4]) + "\n" for request in requests)
    output = subprocess.run(
        ["taskset", "-c", str(options.cores[1]), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s",
         os.path.join(os.path.dirname(__file__), "rotate.lua"), f"http://127.0.0.1:{server.port}", "--", path,
         str(status)],
        check=True, capture_output=True, text=True).stdout
    result = json.loads(output.splitlines()[-1])
    return None if result["strays"] or result["broken"] or not result["answered"] else result
