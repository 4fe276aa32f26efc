"""The files of deploy/monitoring, and a Prometheus that scrapes a real service under some traffic."""

import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/WebTests/browser"), str(ROOT / "Tests/ProxyTests")]

from service import free_port, until  # noqa: E402

RULES = ROOT / "deploy/monitoring/alerts.yaml"
DASHBOARD = ROOT / "deploy/monitoring/dashboard.json"
RUNBOOK = ROOT / "docs/runbook.md"
ALERTS = {rule["alert"]: rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]}


def metric_names(expression):
    """The names of the metrics in an expression of PromQL."""
    # Label names and values first: they look like metrics.
    bare = re.sub(r"\{[^}]*\}|\"[^\"]*\"|(by|on|without|ignoring) ?\([^)]*\)", " ", expression)
    return set(re.findall(r"\b(?:dayly|process|probe|node|pg)_[a-z_]+\b", bare)) | set(re.findall(r"\bup\b", bare))


class Prometheus:
    """Scrapes the service and evaluates the rules each second."""

    def __init__(self, folder, targets):
        self.port = free_port()
        configuration = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(RULES)],
            "scrape_configs": [{"job_name": "dayly", "static_configs": [{"targets": targets}]}],
        }
        (folder / "prometheus.yml").write_text(yaml.safe_dump(configuration))
        with open(folder / "prometheus.log", "wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{self.port}"], stdout=log, stderr=log,
                env={"PATH": os.environ["PATH"]})
        until(self._is_ready, 30, "the start of Prometheus")

    def _is_ready(self):
        assert self.process.poll() is None, "Prometheus ended"
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=2).status == 200
        except OSError:
            return False

    def api(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.loads(answer.read())["data"]

    def query(self, expression):
        """The result of an expression now. An expression that cannot be evaluated is an HTTPError."""
        return self.api("query", query=expression)["result"]

    def names(self):
        return set(self.api("label/__name__/values"))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
