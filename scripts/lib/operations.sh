# shellcheck shell=bash
# The tests of deploy/proxies and deploy/monitoring, with Debian's proxies and Prometheus, and the tools of other trials. Sourced after common.sh and web.sh.

operations_tools=$project_root/.dayly/tools/operations

# operations_install: the proxies, Prometheus, and pytest with PyYAML, pinned.
operations_install() {
    apt_install_unstarted haproxy caddy nginx-light prometheus
    apt_install_missing curl openssl stunnel4 iproute2
    _web_environment "$operations_tools" "pytest and PyYAML" pytest pyyaml
}

# backups_install: what scripts/restore-drill needs beside PostgreSQL and an S3 server.
backups_install() {
    apt_install_missing python3 curl pgbackrest
}

# cluster_install: what scripts/cluster needs beside PostgreSQL and an S3 server.
cluster_install() {
    apt_install_unstarted patroni etcd-server haproxy memcached iproute2 python3-yaml openssl curl
}

# operations_proxies [ARGUMENT…]: the tests of the proxies, against the built service and the PostgreSQL of
# DAYLY_TEST_DATABASE_URL. Arguments are pytest's.
operations_proxies() {
    _operations_pytest "$project_root/Tests/ProxyTests" "$@"
}

# operations_monitoring [ARGUMENT…]: the tests of rules, dashboard and runbook, in the same way.
operations_monitoring() {
    _operations_pytest "$project_root/Tests/MonitoringTests" "$@"
}

_operations_pytest() {
    env PYTHONDONTWRITEBYTECODE=1 "$operations_tools/venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
}
