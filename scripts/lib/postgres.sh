# shellcheck shell=bash
# A private PostgreSQL in a folder of its own, to be sourced by other scripts after common.sh. Safe under `set -euo pipefail`.
#
#   postgres_install                            installs missing packages
#   postgres_start DIR [PORT] [setting ...]     makes the cluster once and starts it, unless it runs; a setting is
#                                               the server's own, as max_connections=300, or --no-fsync for tests
#   postgres_running DIR                        succeeds when it runs
#   postgres_url DIR [DATABASE]                 prints the URL of a database, `dayly` unless named
#   postgres_socket_url DIR [DATABASE]          the same without the cost of a password and TCP
#   postgres_stop DIR                           ends it, if it runs
#   postgres_remove DIR                         ends it and removes its data
#   postgres_standby DIR PRIMARY [setting ...]  makes a streaming standby of the server in PRIMARY once, and starts it
#   postgres_promote DIR                        makes a standby take writes
#
# postgres_start exports the URL as DAYLY_DATABASE_URL. Its user, `dayly`, is a superuser of this server. Messages go
# to stderr. The server listens on 127.0.0.1 (a free port, remembered) and on a socket that only its user may reach; it
# runs as `postgres` when we are root, since PostgreSQL refuses root. DIR then holds data/, port, password, server.log
# or, where `postgres` cannot reach DIR, a file `location` that says where they are.

_postgres_say() { printf 'postgres: %s\n' "$*" >&2; }

# The folder of the server's programs: of that major version where one is named, else the newest.
_postgres_bin() {
    local candidate
    if [ -n "${1:-}" ] && [ -x "/usr/lib/postgresql/$1/bin/postgres" ]; then
        printf '%s\n' "/usr/lib/postgresql/$1/bin"
        return 0
    fi
    candidate=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | tail -n 1)
    if [ -x "$candidate" ]; then
        dirname "$candidate"
    elif candidate=$(command -v postgres); then
        dirname "$(readlink -f "$candidate")"
    else
        return 1
    fi
}

# Runs a command as the server's user, from a folder that this user can be in.
_postgres_as() {
    if [ "$(id -u)" = 0 ]; then
        (cd / && exec runuser -u postgres -- "$@")
    else
        (cd / && exec "$@")
    fi
}

postgres_install() {
    local guard=/etc/postgresql-common/createcluster.d/dayly.conf status=0
    local -a missing=()
    _postgres_bin >/dev/null || missing+=(postgresql)
    [ -e /usr/include/postgresql/libpq-fe.h ] || pkg-config --exists libpq 2>/dev/null || missing+=(libpq-dev)
    command -v pkg-config >/dev/null || missing+=(pkg-config)
    [ "${#missing[@]}" -gt 0 ] || return 0
    # Without this the package makes and starts a server of its own on port 5432.
    as_root mkdir -p "$(dirname "$guard")"
    printf 'create_main_cluster = false\n' | as_root tee "$guard" >/dev/null
    # In a subshell: apt_install_missing ends its shell when it fails.
    (apt_install_missing "${missing[@]}") || status=$?
    as_root rm -f "$guard"
    return "$status"
}

# Prints the folder of DIR's server: DIR itself, or a folder that its user can reach.
_postgres_home() {
    local dir=$1 home
    if [ -e "$dir/location" ]; then
        cat "$dir/location"
        return 0
    fi
    if [ "$(id -u)" = 0 ] && ! _postgres_as test -x "$dir" -a -w "$dir"; then
        home=/var/lib/postgresql/dayly-$(printf '%s' "$dir" | cksum | cut -d ' ' -f 1)
        _postgres_as mkdir -p -m 0700 "$home" || return 1
        _postgres_say "user postgres cannot reach $dir: the data is in $home"
        printf '%s\n' "$home" >"$dir/location"
    else
        home=$dir
    fi
    printf '%s\n' "$home"
}

# Prints the server's pid, if it runs. After a kill -9 the pid file may name another process: its working folder decides.
_postgres_pid() {
    local data=$1/data pid
    [ -e "$data/postmaster.pid" ] || return 1
    pid=$(head -n 1 "$data/postmaster.pid")
    [ -n "$pid" ] && [ "$pid" -gt 1 ] 2>/dev/null || return 1
    if [ -d /proc/self ]; then
        [ "/proc/$pid/cwd" -ef "$data" ] || return 1
        # A process that was killed but not yet reaped.
        ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null || return 1
    else
        ps -p "$pid" -o command= 2>/dev/null | grep -q -F "$data" || return 1
    fi
    printf '%s\n' "$pid"
}

_postgres_port_is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

_postgres_free_port() {
    local port tries=0
    while [ "$tries" -lt 50 ]; do
        port=$((15000 + (RANDOM * 32768 + RANDOM) % 15000))
        if ! _postgres_port_is_taken "$port"; then
            printf '%s\n' "$port"
            return 0
        fi
        tries=$((tries + 1))
    done
    return 1
}

_postgres_init() {
    local home=$1 bin=$2 locale=C durable=()
    shift 2
    case " $* " in *" fsync=off "*) durable=(--no-sync) ;; esac
    # Into a folder of another name first: an interrupted run must not leave a folder that looks like a cluster.
    rm -rf "$home/data.new"
    _postgres_say "making a database cluster in $home"
    (umask 077 && od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$home/password")
    [ "$(id -u)" != 0 ] || chown postgres "$home/password"
    ! locale -a 2>/dev/null | grep -qix 'C.UTF-\?8' || locale=C.UTF-8
    _postgres_as "$bin/initdb" -D "$home/data.new" -U dayly --pwfile="$home/password" --encoding=UTF8 \
        --locale="$locale" --auth-local=trust --auth-host=scram-sha-256 "${durable[@]}" >"$home/initdb.log" 2>&1 || {
        _postgres_say "initdb failed:"
        cat "$home/initdb.log" >&2
        return 1
    }
    mv "$home/data.new" "$home/data"
}

# A folder for the socket, whose whole path may have 107 bytes.
_postgres_socket_dir() {
    local home=$1 dir=$1/run
    if [ "${#dir}" -gt 85 ]; then
        dir=$(_postgres_as mktemp -d /tmp/dayly-postgres-XXXXXX) || return 1
        printf '%s\n' "$dir" >"$home/socket-dir"
    else
        _postgres_as mkdir -p -m 0700 "$dir" || return 1
    fi
    printf '%s\n' "$dir"
}

# Starts the server without its caller's descriptors (locks, pipes that a program reads to the end): it outlives this script.
_postgres_ctl_start() {
    (
        local descriptor
        for descriptor in /proc/self/fd/*; do
            descriptor=${descriptor##*/}
            if [ "$descriptor" -gt 2 ] 2>/dev/null; then exec {descriptor}>&-; fi
        done
        _postgres_as "$@" </dev/null >/dev/null 2>&1
    )
}

_postgres_launch() {
    local home=$1 bin=$2 port=$3 tries=0 socket setting options
    shift 3
    socket=$(_postgres_socket_dir "$home") || return 1
    while :; do
        options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='$socket'"
        for setting in "$@"; do options="$options -c $setting"; done
        (umask 077 && : >>"$home/server.log")
        [ "$(id -u)" != 0 ] || chown postgres "$home/server.log"
        local before
        before=$(wc -c <"$home/server.log")
        if _postgres_ctl_start "$bin/pg_ctl" start -D "$home/data" -l "$home/server.log" -w -t 60 -s \
            -o "$options"; then
            printf '%s\n' "$port" >"$home/port"
            return 0
        fi
        tries=$((tries + 1))
        if [ "$tries" -ge 8 ]; then
            _postgres_say "the server does not start; $home/server.log ends with:"
            tail -n 15 "$home/server.log" >&2
            return 1
        fi
        if tail -c "+$((before + 1))" "$home/server.log" | grep -q 'Address already in use'; then
            port=$(_postgres_free_port) || return 1
        else
            # After a kill -9 the old server's children may need a moment to go.
            sleep 1
        fi
    done
}

_postgres_start_locked() {
    local dir=$1 wanted=$2 home bin port
    shift 2
    home=$(_postgres_home "$dir") || return 1
    bin=$(_postgres_bin "$(cat "$home/data/PG_VERSION" 2>/dev/null || :)") || {
        _postgres_say "PostgreSQL is not installed"
        return 1
    }
    if _postgres_pid "$home" >/dev/null && _postgres_as "$bin/pg_isready" -q -t 10 \
        -h 127.0.0.1 -p "$(cat "$home/port" 2>/dev/null || echo 1)"; then
        return 0
    fi
    [ -e "$home/data/PG_VERSION" ] || _postgres_init "$home" "$bin" "$@" || return 1
    _postgres_pid "$home" >/dev/null || rm -f "$home/data/postmaster.pid"
    port=${wanted:-$(cat "$home/port" 2>/dev/null || :)}
    if [ -z "$port" ] || _postgres_port_is_taken "$port"; then
        [ -z "$port" ] || _postgres_say "port $port is taken, choosing another"
        port=$(_postgres_free_port) || return 1
    fi
    _postgres_launch "$home" "$bin" "$port" "$@" || return 1
    _postgres_say "running on 127.0.0.1:$(cat "$home/port")"
}

postgres_start() {
    local dir=${1:?postgres_start DIR [PORT] [setting ...]} wanted='' home bin lock argument settings=()
    shift
    for argument in "$@"; do
        case $argument in
        --no-fsync) settings+=(fsync=off full_page_writes=off synchronous_commit=off max_connections=300) ;;
        *=*) settings+=("$argument") ;;
        *) wanted=$argument ;;
        esac
    done
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd -P)
    if [ "$(id -u)" = 0 ] && [ ! -e "$dir/location" ] && [ ! -e "$dir/data" ]; then chown postgres "$dir"; fi
    # Two starts at once would make two clusters.
    exec {lock}>"$dir/lock"
    ! command -v flock >/dev/null || flock "$lock"
    _postgres_start_locked "$dir" "$wanted" "${settings[@]}" {lock}>&- || {
        exec {lock}>&-
        return 1
    }
    home=$(_postgres_home "$dir")
    if [ ! -e "$home/made" ]; then
        bin=$(_postgres_bin "$(cat "$home/data/PG_VERSION")")
        _postgres_as "$bin/createdb" -h "$(_postgres_socket "$home")" -p "$(cat "$home/port")" -U dayly dayly \
            >&2 || : # an earlier start may have been interrupted after this
        : >"$home/made"
    fi
    exec {lock}>&-
    DAYLY_DATABASE_URL=$(postgres_url "$dir")
    export DAYLY_DATABASE_URL
}

postgres_running() {
    local dir=${1:?postgres_running DIR}
    [ -d "$dir" ] || return 1
    dir=$(cd "$dir" && pwd -P)
    [ -e "$dir/location" ] || [ -e "$dir/data" ] || return 1
    _postgres_pid "$(_postgres_home "$dir")" >/dev/null
}

postgres_url() {
    local home
    home=$(_postgres_home "$(cd "${1:?postgres_url DIR [DATABASE]}" && pwd -P)")
    printf 'postgresql://dayly:%s@127.0.0.1:%s/%s\n' "$(cat "$home/password")" "$(cat "$home/port")" "${2:-dayly}"
}

_postgres_socket() { sed -n 5p "$1/data/postmaster.pid"; }

postgres_socket_url() {
    local home socket
    home=$(_postgres_home "$(cd "${1:?postgres_socket_url DIR [DATABASE]}" && pwd -P)")
    socket=$(_postgres_socket "$home")
    printf 'postgresql://dayly@%s:%s/%s\n' "${socket//\//%2F}" "$(cat "$home/port")" "${2:-dayly}"
}

postgres_stop() {
    local dir=${1:?postgres_stop DIR} home bin pid
    [ -d "$dir" ] || return 0
    dir=$(cd "$dir" && pwd -P)
    [ -e "$dir/location" ] || [ -e "$dir/data" ] || return 0
    home=$(_postgres_home "$dir")
    if pid=$(_postgres_pid "$home"); then
        bin=$(_postgres_bin "$(cat "$home/data/PG_VERSION")")
        _postgres_as "$bin/pg_ctl" stop -D "$home/data" -m fast -w -t 30 -s >/dev/null 2>&1 ||
            _postgres_as "$bin/pg_ctl" stop -D "$home/data" -m immediate -w -t 15 -s >/dev/null 2>&1 || {
            _postgres_say "the server (pid $pid) does not end"
            return 1
        }
        _postgres_say "stopped"
    fi
    if [ -e "$home/socket-dir" ]; then
        rm -rf "$(cat "$home/socket-dir")" "$home/socket-dir"
    fi
}

postgres_remove() {
    local dir=${1:?postgres_remove DIR} home
    [ -d "$dir" ] || return 0
    postgres_stop "$dir" || return 1
    # The data may lie elsewhere.
    home=$(_postgres_home "$(cd "$dir" && pwd -P)") || return 1
    rm -rf "$home" "$dir"
}

# Copies a running server to HOME, with a password file of the same content.
_postgres_copy() {
    local home=$1 primary=$2 bin=$3 durable=()
    shift 3
    case " $* " in *" --no-fsync "*) durable=(--no-sync) ;; esac
    rm -rf "$home/data.new"
    _postgres_as "$bin/pg_basebackup" -D "$home/data.new" --write-recovery-conf --checkpoint=fast "${durable[@]}" \
        -h "$(_postgres_socket "$primary")" -p "$(cat "$primary/port")" -U dayly >&2 || return 1
    (umask 077 && cat "$primary/password" >"$home/password")
    [ "$(id -u)" != 0 ] || chown postgres "$home/password"
    mv "$home/data.new" "$home/data"
    : >"$home/made"
}

postgres_standby() {
    local dir=${1:?postgres_standby DIR PRIMARY [setting ...]} home primary bin
    primary=$(_postgres_home "$(cd "${2:?postgres_standby DIR PRIMARY [setting ...]}" && pwd -P)") || return 1
    shift 2
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd -P)
    if [ "$(id -u)" = 0 ] && [ ! -e "$dir/location" ] && [ ! -e "$dir/data" ]; then chown postgres "$dir"; fi
    home=$(_postgres_home "$dir") || return 1
    bin=$(_postgres_bin "$(cat "$primary/data/PG_VERSION")") || return 1
    [ -e "$home/data/PG_VERSION" ] || _postgres_copy "$home" "$primary" "$bin" "$@" || return 1
    postgres_start "$dir" "$@"
}

postgres_promote() {
    local home
    home=$(_postgres_home "$(cd "${1:?postgres_promote DIR}" && pwd -P)") || return 1
    _postgres_as "$(_postgres_bin "$(cat "$home/data/PG_VERSION")")/pg_ctl" promote -D "$home/data" -w -t 30 -s >&2
}
