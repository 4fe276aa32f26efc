# shellcheck shell=bash
# A private PgBouncer in transaction mode before a PostgreSQL server, for tests. Source common.sh before it.
#
#   pgbouncer_install                  installs missing packages by apt
#   pgbouncer_start DIR URL [SETTING…] starts it before the server that URL names, and prints its port; a setting is a
#                                      line of its configuration, as default_pool_size=2
#   pgbouncer_stop DIR                 ends it, if it runs
#
# It listens on 127.0.0.1 and admits every client, as the user of URL, to any database. PgBouncer
# refuses to run as root, so it runs as `postgres` then. DIR holds pgbouncer.ini, pid, port and log.

pgbouncer_install() {
    command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] || {
        apt_install_missing pgbouncer
        # The package starts a service of its own, which is not wanted here.
        [ ! -d /run/systemd/system ] || as_root systemctl disable --now -q pgbouncer || true
    }
}

_pgbouncer_as() {
    if [ "$(id -u)" = 0 ]; then
        (cd / && exec runuser -u postgres -- "$@")
    else
        (cd / && exec "$@")
    fi
}

# Prints host, port, user and password of postgresql://USER:PASSWORD@HOST:PORT/…, as PgBouncer has them.
_pgbouncer_target() {
    local rest=${1#*://} user password host
    user=${rest%%@*}
    host=${rest#*@}
    host=${host%%[/?]*}
    password=
    case $user in *:*) password=${user#*:} user=${user%%:*} ;; esac
    printf 'host=%s port=%s user=%s password=%s' "${host%:*}" "${host##*:}" "$user" "$password"
}

pgbouncer_start() {
    local dir=${1:?pgbouncer_start DIR URL [SETTING…]} url=$2 port setting descriptor
    shift 2
    mkdir -p "$dir"
    port=$(free_port) || return 1
    {
        printf '[databases]\n* = %s\n[pgbouncer]\n' "$(_pgbouncer_target "$url")"
        printf '%s\n' "listen_addr=127.0.0.1" "listen_port=$port" "unix_socket_dir=" "auth_type=any" \
            "pool_mode=transaction" "pidfile=$dir/pid" "logfile=$dir/log" "max_client_conn=2000" \
            "default_pool_size=20" "server_idle_timeout=5" "server_login_retry=1"
        for setting in "$@"; do printf '%s\n' "$setting"; done
    } >"$dir/pgbouncer.ini"
    if [ "$(id -u)" = 0 ]; then
        chown -R postgres "$dir"
        chmod 700 "$dir"
        _pgbouncer_as test -x "$dir" || {
            printf 'pgbouncer: user postgres cannot reach %s\n' "$dir" >&2
            return 1
        }
    fi
    # Without its caller's descriptors (locks, pipes that a program reads to the end): it outlives this script.
    (
        for descriptor in /proc/self/fd/*; do
            descriptor=${descriptor##*/}
            if [ "$descriptor" -gt 2 ] 2>/dev/null; then exec {descriptor}>&-; fi
        done
        _pgbouncer_as "$(command -v pgbouncer || echo /usr/sbin/pgbouncer)" -q -d "$dir/pgbouncer.ini" \
            </dev/null >/dev/null 2>&1
    )
    wait_until 10 port_taken "$port" || return 1
    printf '%s\n' "$port" >"$dir/port"
    printf '%s\n' "$port"
}

pgbouncer_stop() {
    local pid
    pid=$(cat "${1:?pgbouncer_stop DIR}/pid" 2>/dev/null) || return 0
    # It holds no data, and its starter may have blocked gentler signals.
    kill -KILL "$pid" 2>/dev/null || true
}
