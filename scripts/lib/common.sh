# shellcheck shell=bash
# Shared by the scripts: messages, installing missing packages, free ports and waiting.
# Source it; it expects `set -euo pipefail` and Bash 5.

if [ -n "${project_root:-}" ]; then
    return 0
fi

# The folder of Package.swift.
project_root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
apt_lists_fresh=

# step TEXT: announces a step.
step() {
    printf '==> %s\n' "$*" >&2
}

# note TEXT: prints a line below a step.
note() {
    printf '    %s\n' "$*" >&2
}

# fail TEXT [REMEDY]: prints the fault and its remedy, and ends the script with 1.
fail() {
    printf 'error: %s\n' "$1" >&2
    if [ -n "${2:-}" ]; then
        printf '       %s\n' "$2" >&2
    fi
    exit 1
}

# as_root COMMAND…: runs the command as root, through sudo where needed.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo -- "$@"
    else
        fail "'$*' needs root, and there is no sudo here" "run the script as root, or install sudo"
    fi
}

# package_installed NAME: whether dpkg knows it as installed.
package_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# apt_install_missing PACKAGE…: installs the missing packages. It fetches the package lists once per run of a script, and only
# when a package is missing.
apt_install_missing() {
    local package lock
    local -a missing=()
    for package in "$@"; do
        package_installed "$package" || missing+=("$package")
    done
    if [ "${#missing[@]}" -eq 0 ]; then
        return 0
    fi
    # scripts/test installs tools beside lint.
    mkdir -p "$project_root/.dayly"
    exec {lock}>"$project_root/.dayly/apt.lock"
    ! command -v flock >/dev/null || flock "$lock"
    _apt_install "${missing[@]}" {lock}>&-
    exec {lock}>&-
}

# _apt_install PACKAGE…: installs the packages. Its caller holds the lock.
_apt_install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        fail "these Debian packages are missing, and this system has no apt-get: $*" \
            "install what they contain by this system's own means"
    fi
    step "Installing $*"
    if [ -z "$apt_lists_fresh" ]; then
        _apt_get update || fail "apt-get update failed" \
            "check the network and /etc/apt/sources.list, then start this script again"
        apt_lists_fresh=1
    fi
    _apt_get -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$@" || fail "could not install $*" \
        "try: apt-get update && apt-get install $*"
}

# _apt_get ARGUMENT…: apt-get, after any other one on this machine: a fresh cloud machine upgrades itself. For ten minutes.
_apt_get() {
    local deadline=$((SECONDS + 600)) said=
    while true; do
        while _apt_is_locked; do
            [ -n "$said" ] || note "waiting until ${apt_holder:-another program} has done with apt, for ten minutes at most"
            said=1
            [ "$SECONDS" -lt "$deadline" ] || return 1
            sleep 1
        done
        if as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 \
            -o DPkg::Lock::Timeout=600 "$@" >&2; then return 0; fi
        # The other one may have begun meanwhile.
        _apt_is_locked || return 1
    done
}

# _apt_is_locked: whether a process holds one of apt's locks, of which `update` and `install` each take another one first. It
# sets `apt_holder` to the name of that process.
_apt_is_locked() {
    local file inode pid
    for file in /var/lib/apt/lists/lock /var/lib/dpkg/lock-frontend /var/cache/apt/archives/lock; do
        inode=$(stat -c %i "$file" 2>/dev/null) || continue
        pid=$(awk -v inode=":$inode$" '$6 ~ inode { print $5; exit }' /proc/locks)
        [ -n "$pid" ] || continue
        apt_holder=$(cat "/proc/$pid/comm" 2>/dev/null) || apt_holder=
        return 0
    done
    return 1
}

# free_port: prints a free TCP port of 127.0.0.1 outside of the kernel's ephemeral range.
free_port() {
    local low port tries
    low=$(cut -f1 /proc/sys/net/ipv4/ip_local_port_range 2>/dev/null || echo 32768)
    [ "$low" -gt 21000 ] || low=32768
    for ((tries = 0; tries < 200; tries++)); do
        port=$((20000 + (RANDOM * 32768 + RANDOM) % (low - 20000)))
        if ! port_taken "$port"; then
            printf '%s\n' "$port"
            return 0
        fi
    done
    fail "found no free TCP port on 127.0.0.1"
}

# port_taken PORT [HOST]: succeeds when a program accepts connections there.
port_taken() {
    (exec 3<>"/dev/tcp/${2:-127.0.0.1}/$1") 2>/dev/null
}

# wait_until SECONDS COMMAND…: tries the command every 0.1 s until it succeeds; 1 when it never does.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.1
    done
}

# process_alive PID
process_alive() {
    [ -n "${1:-}" ] && kill -0 "$1" 2>/dev/null
}

# end_process PID [SECONDS]: sends SIGTERM, waits, and sends SIGKILL after SECONDS (10).
end_process() {
    process_alive "${1:-}" || return 0
    kill -TERM "$1" 2>/dev/null || return 0
    local deadline=$((SECONDS + ${2:-10}))
    while process_alive "$1"; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            kill -KILL "$1" 2>/dev/null || true
            return 0
        fi
        sleep 0.05
    done
}

# require_swift: Swift 6.2 or newer on the path.
require_swift() {
    local remedy version
    remedy="install Swift 6.3 for this system from swift.org and put its usr/bin on the PATH"
    command -v swift >/dev/null 2>&1 || fail "there is no 'swift' on the PATH" "$remedy"
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    case $version in
    '' | [0-5].* | 6.[01]) fail "Swift 6.2 or newer is needed; this is '${version:-unknown}'" "$remedy" ;;
    esac
}

# apt_install_unstarted PACKAGE…: installs the missing packages and lets none of them start a service of this machine.
apt_install_unstarted() {
    local package policy=/usr/sbin/policy-rc.d status=0
    local -a missing=()
    for package in "$@"; do
        package_installed "$package" || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ -e "$policy" ]; then
        apt_install_missing "${missing[@]}"
        return
    fi
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    # In a subshell: apt_install_missing ends its shell when it fails.
    (apt_install_missing "${missing[@]}") || status=$?
    as_root rm -f "$policy"
    return "$status"
}
