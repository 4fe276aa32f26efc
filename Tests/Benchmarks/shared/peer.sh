# shellcheck shell=bash
# Installs the service in Python that the benches compare with. Sourced after common.sh.

peer=$project_root/Tests/Benchmarks/peer
environment=$project_root/.dayly/bench/peer

# install_peer: FastAPI and its libraries as pinned, in a virtual environment of their own.
install_peer() {
    local stamp
    # Scripts in a virtual environment name its place, so a moved folder is installed anew.
    stamp="$environment $(/usr/bin/python3 --version) $(sha256sum <"$peer/peer-requirements.txt")"
    [ "$(cat "$environment/installed" 2>/dev/null)" != "$stamp" ] || return 0
    step "Installing FastAPI from PyPI into .dayly/bench/peer"
    rm -rf "$environment"
    /usr/bin/python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-input --only-binary :all: \
        --requirement "$peer/peer-requirements.txt" >&2 || fail "could not install FastAPI from PyPI" \
        "check the network and pip's configuration, then start this script again"
    printf '%s\n' "$stamp" >"$environment/installed"
}
