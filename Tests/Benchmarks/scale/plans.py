"""Reads the plans of a call's statements, as PostgreSQL carried them out for the service, from the server's log."""

import json
import os
import statistics
import subprocess
import time
import uuid
from collections import defaultdict
from typing import NamedTuple

SETTINGS = {
    "auto_explain.log_min_duration": "0", "auto_explain.log_analyze": "on", "auto_explain.log_buffers": "on",
    "auto_explain.log_timing": "off", "auto_explain.log_format": "json", "auto_explain.log_nested_statements": "on",
}


class Statement(NamedTuple):
    """One statement of a call. A nested one runs inside a function or trigger."""

    text: str
    is_nested: bool
    times: int  # in one call
    buffers: int  # of all its runs in one call
    rejected: int  # the most rows that a run in one call read and did not use
    nodes: list  # the kinds of its plan's nodes, each with its index or relation
    scanned: list  # the relations that are read from beginning to end


class Plans:
    """The server loads auto_explain into each session and writes a log of JSON."""

    def __init__(self, server_log):
        self.server_log = server_log

    def record(self, database, run, arguments):
        """The statements of run(argument), which is called for each of the arguments.

        A statement that less than half of these calls send belongs to a background job and is left out.
        """
        self.switch(database, True)
        try:
            with subprocess.Popen(
                    ["psql", "-qX", database.url], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as psql:
                calls = [list(self.entries(database, psql, lambda: run(argument))) for argument in arguments]
        finally:
            self.switch(database, False)
        found = defaultdict(list)
        for entries in calls:
            once = defaultdict(list)
            for text, is_nested, plan in entries:
                once[text, is_nested].append(plan)
            for key, plans in once.items():
                found[key].append(plans)
        return [self.statement(key, runs) for key, runs in found.items() if len(runs) > len(calls) / 2]

    @staticmethod
    def statement(key, runs):
        """The statement with the medians of the calls. `runs` has a list of plans for each call."""

        def median(measure):
            return round(statistics.median(measure(plans) for plans in runs))

        seen = [node for plans in runs for plan in plans for node in walk(plan)]
        return Statement(
            *key, times=median(len), buffers=median(lambda plans: sum(map(buffers, plans))),
            rejected=median(lambda plans: max(map(rejected, plans))),
            nodes=sorted({f"{node['Node Type']} {place(node)}".strip() for node in seen}),
            scanned=sorted({place(node) for node in seen if node["Node Type"] == "Seq Scan"}))

    def switch(self, database, is_on):
        changes = [f"ALTER SYSTEM SET {name} = '{value}';" if is_on else f"ALTER SYSTEM RESET {name};"
                   for name, value in SETTINGS.items()]
        database.run("\n".join([*changes, "SELECT pg_reload_conf();"]))
        # The server passes the settings on to its processes in the same moment in which it gives them to new ones.
        wanted = "0" if is_on else "-1"
        while database.value("SHOW auto_explain.log_min_duration") != wanted:
            time.sleep(0.05)

    def entries(self, database, psql, run):
        """What the log says about the time of run(): (text, whether it is nested, plan)."""
        position = os.path.getsize(self.server_log)
        run()
        # Everything that was written before this statement stands in the log before it.
        mark = uuid.uuid4().hex
        psql.stdin.write(f"SELECT '{mark}';\n")
        psql.stdin.flush()
        name = database.url.rpartition("/")[2]
        lines = self.lines_until(position, mark)
        # The position may lie within a line.
        records = [json.loads(line) for line in lines if line.startswith('{"timestamp"')]
        for record in records:
            if record.get("dbname") != name:
                continue
            _, plan, text = record.get("message", "").partition("plan:\n")
            explained = json.loads(text) if plan and "duration: " in record["message"] else None
            if explained and mark not in explained["Query Text"]:
                yield " ".join(explained["Query Text"].split()), "context" in record, explained["Plan"]

    def lines_until(self, position, mark):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with open(self.server_log, errors="replace") as log:
                log.seek(position)
                lines = log.read().splitlines(keepends=True)
            ends = [index for index, line in enumerate(lines) if mark in line and line.endswith("\n")]
            if ends:
                return lines[:ends[0]]
            time.sleep(0.02)
        raise TimeoutError(f"PostgreSQL's log has no plans: {self.server_log}")


def place(node):
    return node.get("Index Name") or node.get("Relation Name") or ""


def walk(plan):
    yield plan
    for child in plan.get("Plans", []):
        yield from walk(child)


def buffers(plan):
    """The shared buffers that the plan touched. A node includes its children, apart from a few that run after it."""
    own = plan.get("Shared Hit Blocks", 0) + plan.get("Shared Read Blocks", 0)
    return max(own, sum(buffers(child) for child in plan.get("Plans", [])))


def rejected(plan):
    """The rows that the plan's nodes read and their filters rejected."""
    # PostgreSQL gives the mean of a node's loops.
    filters = ("Rows Removed by Filter", "Rows Removed by Join Filter", "Rows Removed by Index Recheck")
    return sum(node.get(name, 0) * node.get("Actual Loops", 1) for node in walk(plan) for name in filters)
