"""The alerts of deploy/monitoring: each fires when it must and stays silent when it must, by Prometheus' own unit tests."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import yaml

sys.path.insert(0, str(Path(__file__).parent))

from monitoring import ALERTS, ROOT, RULES, RUNBOOK  # noqa: E402

MAX_AGE = 'dayly_backup_max_age_seconds{instance="a"}'
ONE = 'instance="a:9464",job="dayly"'


class Case(NamedTuple):
    """Series, one value a minute, that let an alert fire at a minute, and the labels that it has; and some that do not."""

    fires: dict
    minute: int
    labels: dict
    silent: dict
    # The minute at which the silent ones are looked at; the same unless it is given.
    silent_minute: int | None = None


def once(series, labels=None):
    """A counter that begins with its first fault, as those of Dayly do; silent is one whose last fault is long ago."""
    return Case({series: "_x20 1x5"}, 22, labels or {}, {series: "3x200"}, 150)


CASES = {
    "DaylyDown": Case({f"up{{{ONE}}}": "1x3 0x5"}, 5, {"instance": "a:9464", "job": "dayly"}, {f"up{{{ONE}}}": "1x3 0 1x5"}),
    "DaylyMissing": Case({'up{job="other"}': "1x20"}, 6, {"job": "dayly"}, {f"up{{{ONE}}}": "0x20"}),
    # One process that lacks the database is enough for its load balancer; all of them are an outage.
    "DaylyNotReady": Case(
        {'dayly_ready{check="bucket",instance="a"}': "0x9", 'dayly_ready{check="bucket",instance="b"}': "0x9"}, 2,
        {"check": "bucket"},
        {'dayly_ready{check="bucket",instance="a"}': "0x9", 'dayly_ready{check="bucket",instance="b"}': "1x9"}),
    "DaylyServerErrors": once('dayly_http_requests_total{status="500",method="GET",route="/v1/groups"}',
                              {"route": "/v1/groups"}),
    "DaylyRefusing": Case({'dayly_http_refused_total{lane="bulk"}': "0+7x20"}, 12, {"lane": "bulk"},
                          {'dayly_http_refused_total{lane="bulk"}': "0 7x20"}),
    "DaylyConnectionsFull": Case(
        {f"dayly_http_connections{{{ONE}}}": "9500x9", f"dayly_http_connections_limit{{{ONE}}}": "10000x9"}, 6,
        {"instance": "a:9464", "job": "dayly"},
        {f"dayly_http_connections{{{ONE}}}": "8500x9", f"dayly_http_connections_limit{{{ONE}}}": "10000x9"}),
    "DaylyDatabaseSlow": Case({'dayly_postgres_pool_waiting{pool="requests"}': "900x9"}, 3, {"pool": "requests"},
                              {'dayly_postgres_pool_waiting{pool="requests"}': "400x9"}),
    "DaylySweeperLag": Case({"dayly_sweeper_lag_seconds": "30 90x5"}, 3, {}, {"dayly_sweeper_lag_seconds": "59x9"}),
    # Photos live 48 h here.
    "DaylyOldestObject": Case(
        {"dayly_oldest_object_seconds": "173101x9", "dayly_photo_lifetime_seconds": "172800x9"}, 2, {},
        {"dayly_oldest_object_seconds": "173099x9", "dayly_photo_lifetime_seconds": "172800x9"}),
    "DaylyDeletionPaused": Case({"dayly_deletion_paused": "1x9"}, 2, {}, {"dayly_deletion_paused": "0x9"}),
    "DaylyErasuresWaiting": Case({"dayly_erasures_waiting": "2x9"}, 2, {}, {"dayly_erasures_waiting": "2 0 2 0 2 0 2 0 2"}),
    "DaylyJournalLost": once("dayly_journal_losses_total"),
    # Time begins at 0 in these tests, and 93,600 seconds are 26 hours.
    "DaylyBackupOld": Case({'dayly_backup_timestamp_seconds{instance="a"}': "-120000x9", MAX_AGE: "93600x9",
                            'dayly_backup_timestamp_seconds{instance="b"}': "-94000x9"}, 7, {},
                           {'dayly_backup_timestamp_seconds{instance="a"}': "-120000x9", MAX_AGE: "100000x9",
                            'dayly_backup_timestamp_seconds{instance="b"}': "-94000x9"}),
    "DaylyBucketKeepsDeleted": Case({"dayly_bucket_keeps_deleted": "1x9"}, 2, {}, {"dayly_bucket_keeps_deleted": "0x9"}),
    "DaylyAuditOverdue": Case(
        {"dayly_audit_last_complete_seconds": "12000x9", "dayly_audit_interval_seconds": "3600x9"}, 6, {},
        {"dayly_audit_last_complete_seconds": "12000x9", "dayly_audit_interval_seconds": "0x9"}),
    # An audit an hour: one with a finding is not enough.
    "DaylyAuditFindings": Case({'dayly_audit_findings{kind="orphan_object"}': "2x200"}, 190, {"kind": "orphan_object"},
                               {'dayly_audit_findings{kind="orphan_object"}': "0x100 2x59 0x100"}),
    "DaylySandboxOff": Case({'dayly_photo_sandbox{instance="a"}': "0x9", 'dayly_photo_sandbox{instance="b"}': "1x9"}, 2, {},
                            {'dayly_photo_sandbox{instance="a"}': "1x9"}),
    "DaylyDecoderCrashes": once("dayly_photo_worker_crashes_total"),
    "DaylyDecodersStarved": once('dayly_photo_worker_seconds_count{format="jpeg",outcome="starved"}'),
    "DaylyOutboxLag": Case({'dayly_outbox_lag_seconds{topic="push"}': "400x9"}, 2, {"topic": "push"},
                           {'dayly_outbox_lag_seconds{topic="push"}': "299x9"}),
    "DaylyPushMisconfigured": once('dayly_push_total{provider="apns",outcome="misconfigured"}', {"provider": "apns"}),
    "DaylySMSCeilingNear": Case(
        {'dayly_sms_total{kind="code",outcome="sent"}': "0+100x90", 'dayly_sms_ceiling{window="day"}': "10000x90",
         'dayly_sms_ceiling{window="minute"}': "300x90"}, 85, {},
        {'dayly_sms_total{kind="code",outcome="sent"}': "0+50x90", 'dayly_sms_ceiling{window="day"}': "10000x90",
         'dayly_sms_ceiling{window="minute"}': "300x90"}),
    "DaylySMSCeilingReached": once('dayly_otp_requests_total{decision="messages.day"}'),
    "DaylySMSFailing": Case(
        {'dayly_sms_total{outcome="sent"}': "0+8x40", 'dayly_sms_total{outcome="failed"}': "0+2x40"}, 30, {},
        {'dayly_sms_total{outcome="sent"}': "0+99x40", 'dayly_sms_total{outcome="unknown"}': "0+1x40"}),
    "DaylyUnreachable": Case({'probe_success{job="dayly-public"}': "0x9"}, 2, {"job": "dayly-public"},
                             {'probe_success{job="dayly-public"}': "1x9", 'probe_success{job="others"}': "0x9"}),
    # Time begins at 0 in these tests.
    "DaylyCertificateEnds": Case(
        {'probe_ssl_earliest_cert_expiry{job="dayly-public"}': "1000000x99"}, 90, {"job": "dayly-public"},
        {'probe_ssl_earliest_cert_expiry{job="dayly-public"}': "1300000x99"}),
    "DaylyDiskFull": Case(
        {'node_filesystem_avail_bytes{mountpoint="/",fstype="ext4"}': "9x9",
         'node_filesystem_size_bytes{mountpoint="/",fstype="ext4"}': "100x9"}, 6, {"mountpoint": "/", "fstype": "ext4"},
        {'node_filesystem_avail_bytes{mountpoint="/run",fstype="tmpfs"}': "1x9",
         'node_filesystem_size_bytes{mountpoint="/run",fstype="tmpfs"}': "100x9"}),
    "DaylyReplicaLag": Case({'pg_replication_lag{instance="b"}': "31x9"}, 2, {"instance": "b"},
                            {'pg_replication_lag_seconds{instance="b"}': "29x9"}),
}


def unit_test(name, series, minute, labels):
    """A unit test in Prometheus' form. Labels: None where the alert must not fire."""
    severity = ALERTS[name]["labels"]["severity"]
    expected = [] if labels is None else [{"exp_labels": {**labels, "severity": severity}}]
    return {"interval": "1m",
            "input_series": [{"series": series, "values": values} for series, values in series.items()],
            "alert_rule_test": [{"eval_time": f"{minute}m", "alertname": name, "exp_alerts": expected}]}


def test_a_service_without_any_backup_is_noticed(tmp_path):
    long_ago, today = (
        {f"process_start_time_seconds{{{ONE}}}": values, MAX_AGE: "93600x9"} for values in ("-94000x9", "-90000x9"))
    tests = [unit_test("DaylyBackupOld", long_ago, 7, {}), unit_test("DaylyBackupOld", today, 7, None)]
    found = run_unit_tests(tmp_path, tests)
    assert found.returncode == 0, found.stdout + found.stderr


def run_unit_tests(folder, tests):
    # The texts are checked elsewhere; here they would have to be repeated.
    rules = yaml.safe_load(RULES.read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            del rule["annotations"]
    (folder / "rules.yaml").write_text(yaml.safe_dump(rules))
    (folder / "tests.yaml").write_text(yaml.safe_dump(
        {"rule_files": ["rules.yaml"], "evaluation_interval": "1m", "tests": tests}))
    return subprocess.run(["promtool", "test", "rules", "tests.yaml"], cwd=folder, capture_output=True, text=True)


def test_prometheus_accepts_the_rules():
    found = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


# Guard: an alert notices the first fault of a counter (`unless … offset` in `alerts.yaml`)
def test_each_alert_fires_and_stays_silent(tmp_path):
    assert set(CASES) == set(ALERTS), "each alert has a case"
    tests = []
    for name, case in CASES.items():
        tests.append(unit_test(name, case.fires, case.minute, case.labels))
        tests.append(unit_test(name, case.silent, case.silent_minute or case.minute, None))
    found = run_unit_tests(tmp_path, tests)
    assert found.returncode == 0, found.stdout + found.stderr


def test_no_case_passes_by_itself(tmp_path):
    """A test that cannot fail proves nothing: an alert that fires does not pass as silent."""
    found = run_unit_tests(tmp_path, [unit_test(name, case.fires, case.minute, None) for name, case in CASES.items()])
    assert re.findall(r"alertname: (\w+)", found.stdout + found.stderr) == list(CASES)


# Guard: each alert has its page (`runbook.md`)
def test_each_alert_has_its_page_in_the_runbook():
    headings = re.findall(r"(?m)^## (\w+)$", RUNBOOK.read_text())
    assert headings == list(ALERTS), "the runbook has the alerts in the order of the rules"
    for name, rule in ALERTS.items():
        assert rule["annotations"]["runbook"] == f"docs/runbook.md#{name.lower()}"
        assert rule["annotations"]["summary"].endswith(".")


def test_each_page_says_what_it_means_what_to_look_at_and_what_to_type():
    for page in re.split(r"(?m)^## ", RUNBOOK.read_text())[1:]:
        name, _, text = page.partition("\n")
        for part in ("**Meaning.** ", "**Look at.** ", "**Do.** "):
            assert part in text, f"{name} lacks {part}"


def test_monitoring_md_names_each_alert():
    text = (ROOT / "docs/monitoring.md").read_text().partition("\n## Alerts\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(Dayly\w+)`", text)) == set(ALERTS)
