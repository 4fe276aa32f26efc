"""Dashboard, rules and runbook against a real service under some traffic, scraped by a real Prometheus."""

import http.client
import json
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from monitoring import ALERTS, DASHBOARD, ROOT, RUNBOOK, Prometheus, metric_names  # noqa: E402
from proxied_nodes import running_nodes  # noqa: E402
from proxies import HAProxy  # noqa: E402
from streams import Stream  # noqa: E402

from member import Member  # noqa: E402
from service import make_folder, until  # noqa: E402

WORK = ROOT / ".dayly/test/monitoring"

# Series that begin with the first fault of their kind or the first backup, so a new and healthy service does not have them.
LATER = {
    "dayly_http_refused_total", "dayly_journal_losses_total", "dayly_photo_worker_crashes_total", "dayly_push_total",
    "dayly_rate_limited_total", "dayly_backup_timestamp_seconds", "dayly_bucket_keeps_deleted", "dayly_audit_findings", "dayly_clock_difference_seconds",
}
# The metrics of other exporters begin so.
OTHERS = ("probe_", "node_", "pg_")


def make_traffic(service, seconds):
    """People who sign in, send and delete photos, look at feeds and listen, until the time is over."""
    end = time.monotonic() + seconds
    picture = (ROOT / "docs/sample.jpg").read_bytes()
    while time.monotonic() < end:
        ada, grace = Member(service, "Ada").sign_in(), Member(service, "Grace").sign_in()
        group, [code] = ada.make_group("Family", grace.number)
        grace.join(code)
        stream = Stream(lambda: http.client.HTTPConnection("127.0.0.1", service.ports[0], timeout=30), ada.token)
        photo = ada.send_photo(group, picture)
        grace.send_photo(group, picture)
        until(lambda: len(stream.events) >= 2, 15, "the events")
        assert len(grace.photos(group)) == 2
        ada.call("DELETE", f"/v1/photos/{photo['id']}")
        stream.close()


@pytest.fixture(scope="module")
def service():
    with running_nodes(WORK, 1, DAYLY_LIMITS_ENFORCE_RATES="false", DAYLY_LOG_FORMAT="json",
                       DAYLY_AUDIT_INTERVAL="1s", DAYLY_PHOTOS_SWEEP_INTERVAL="1s", DAYLY_PHOTOS_LIFETIME="4s") as service:
        yield service


@pytest.fixture(scope="module")
def prometheus(service):
    prometheus = Prometheus(WORK, [f"127.0.0.1:{service.nodes[0].admin_port}"])
    try:
        make_traffic(service, 8)
        # Two scrapes and an evaluation later.
        time.sleep(3)
        yield prometheus
    finally:
        prometheus.stop()


def panels():
    return [panel for panel in json.loads(DASHBOARD.read_text())["panels"] if panel["type"] != "row"]


# Guard: the dashboard's expressions have values (`dashboard.json`)
def test_each_expression_of_the_dashboard_has_a_value(prometheus):
    missing = []
    for panel in panels():
        for target in panel["targets"]:
            # Grafana fills in the interval.
            expression = target["expr"].replace("$__rate_interval", "30s")
            assert "$" not in expression, expression
            values = [float(one["value"][1]) for one in prometheus.query(expression)]
            if not any(math.isfinite(value) for value in values):
                missing.append(f"{panel['title']}: {expression}: {values}")
    assert missing == []


def test_the_dashboard_is_whole():
    ids = [panel["id"] for panel in json.loads(DASHBOARD.read_text())["panels"]]
    assert len(set(ids)) == len(ids)
    for panel in panels():
        assert panel["title"] and panel["description"].endswith("."), panel["title"]


def test_no_alert_fires_at_a_healthy_service_and_each_rule_can_be_evaluated(prometheus):
    for group in prometheus.api("rules")["groups"]:
        for rule in group["rules"]:
            assert rule["health"] == "ok", f"{rule['name']}: {rule.get('lastError')}"
            assert not rule["alerts"], f"{rule['name']}: {rule['alerts']}"


# Guard: metrics of the rules exist (`alerts.yaml`)
def test_each_metric_of_the_rules_exists(prometheus):
    documented = set(re.findall(r"`((?:dayly|process)_\w+)`", (ROOT / "docs/monitoring.md").read_text()))
    exposed = prometheus.names()
    for name, rule in ALERTS.items():
        for metric in metric_names(rule["expr"]):
            if metric.startswith(OTHERS) or metric == "up":
                continue
            family = re.sub(r"_(bucket|count|sum)$", "", metric)
            assert {metric, family} & documented, f"{name}: docs/monitoring.md does not list {metric}"
            assert metric in exposed or family in LATER, f"{name}: the service does not have {metric}"


def commands():
    """The commands of the runbook, with the alert that they stand under."""
    found, alert = [], "the beginning"
    for line in re.split(r"(?m)^(## \w+$|```sh\n(?:.*\n)*?```$)", RUNBOOK.read_text()):
        if line.startswith("## "):
            alert = line[3:]
        elif line.startswith("```sh"):
            found += [(alert, command) for command in line.splitlines()[1:-1]]
    return found


@pytest.fixture(scope="module")
def machine(service, prometheus):
    """The environment of an operator's shell: the program, its settings, the log, and a proxy with TLS."""
    programs = make_folder(WORK / "bin")
    (programs / "dayly").symlink_to(service.binary)
    # The log of the service is a file here; the journal has these lines and those of systemd, which are no JSON.
    (programs / "journalctl").write_text(
        f"#!/bin/sh\n[ \"$1 $2\" = '-u dayly' ] && echo 'Started dayly.service - Dayly.' && exec cat {service.log}\n")
    (programs / "journalctl").chmod(0o755)
    proxy = HAProxy(WORK, service.ports)
    yield proxy, service.nodes[0].environment | {
        "PATH": f"{programs}:{os.environ['PATH']}", "CURL_CA_BUNDLE": str(proxy.certificate), "TERM": "dumb",
        "PGCONNECT_TIMEOUT": "5"}
    proxy.stop()


# Guard: the runbook's commands run (`runbook.md`)
def test_each_command_of_the_runbook_runs(machine, service):
    proxy, environment = machine
    assert len(commands()) > 40
    failed, done = [], {}
    for alert, command in commands():
        real = command.replace("127.0.0.1:9464", f"127.0.0.1:{service.nodes[0].admin_port}").replace(
            "your.host:443", f"127.0.0.1:{proxy.port}").replace("your.host", f"127.0.0.1:{proxy.port}").replace(
            "sport = :8080", f"sport = :{service.ports[0]}")
        if real not in done:
            done[real] = subprocess.run(["bash", "-c", real], env=environment, capture_output=True,
                                        text=True, timeout=60)
        result = done[real]
        # dayly ends with 3 when it found something. A log without such lines, or a metric after a fault, prints nothing.
        if result.returncode not in ((0, 3) if command.startswith("dayly") else (0,)):
            failed.append(f"{alert}: {command}: {result.returncode} {result.stdout[-300:]} {result.stderr[-300:]}")
    assert failed == []


# Guard: waiting erasures are counted while the bucket fails (`RestoreGuard.recordWaiting`)
def test_erasures_that_cannot_be_written_are_seen(service, prometheus):
    """The gauge behind DaylyErasuresWaiting follows an outage of the bucket, when it matters."""
    ada, picture = Member(service, "Ada").sign_in(), (ROOT / "docs/sample.jpg").read_bytes()
    group, _ = ada.make_group("Outage", "+14155560004")
    photo = ada.send_photo(group, picture)
    until(lambda: prometheus.query("max(dayly_erasures_waiting) == 0"), 45, "the gauge")
    journal = service.folder / "objects/objects/dayly/journal"
    assert journal.is_dir()
    journal.rename(journal.with_name("away"))
    journal.write_text("a file where a folder must be")
    try:
        ada.call("DELETE", f"/v1/photos/{photo['id']}")
        until(lambda: any(one["labels"]["alertname"] == "DaylyErasuresWaiting" for one in prometheus.api("alerts")["alerts"]),
              25, "the alert")
    finally:
        journal.unlink()
        journal.with_name("away").rename(journal)
    until(lambda: prometheus.query("max(dayly_erasures_waiting) == 0"), 45, "the journal")
