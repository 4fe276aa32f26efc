# shellcheck shell=bash
# Building: installing Debian's packages, and running long commands that end with this script. Sourced after common.sh.

# build_install: installs the packages that compiling and linking need and that are missing.
build_install() {
    local wanted libraries
    local -a packages=(libpq-dev libphonenumber-dev zlib1g-dev libc6-dev libstdc++-12-dev ca-certificates)
    for wanted in git:git ld:binutils pkg-config:pkgconf curl:curl jq:jq; do
        command -v "${wanted%%:*}" >/dev/null 2>&1 || packages+=("${wanted##*:}")
    done
    # Libraries that Swift's own tools link to.
    libraries=$(/sbin/ldconfig -p 2>/dev/null) || libraries=
    for wanted in libncurses.so.6:libncurses6 libsqlite3.so.0:libsqlite3-0 libcurl.so.4:libcurl4 libxml2.so.2:libxml2; do
        [[ $libraries == *"${wanted%%:*} "* ]] || packages+=("${wanted##*:}")
    done
    apt_install_missing "${packages[@]}"
    codecs_install
    require_swift
}

# swift_build OPTION…: the one way in which these scripts build. It refuses imports that Package.swift does not declare;
# building now with that check and now without compiles Hummingbird anew each time. SWIFT_BUILD_OPTIONS adds options. It does
# nothing where SWIFT_BUILT names the messages of a build of everything: a product after all tests compiles Hummingbird anew, too.
swift_build() {
    local -a more
    local options=${SWIFT_BUILD_OPTIONS:-} kind=debug
    if [ -n "${SWIFT_BUILT:-}" ]; then return 0; fi
    case " $* " in *" release "*) kind=release ;; esac
    # Objects of whole modules and objects of single files do not link with each other.
    if [ "$(cat ".build/$kind.options" 2>/dev/null)" != "$options" ]; then
        rm -rf .build/*/"$kind"/*.build
        mkdir -p .build
        printf '%s' "$options" >".build/$kind.options"
    fi
    read -r -a more <<<"$options"
    swift build --explicit-target-dependency-import-check error "${more[@]}" "$@"
}

# The process that `attended` runs at the moment.
attended_pid=

# attended COMMAND…: runs it beside this script, so that the script's traps act at once, and gives its exit status.
attended() {
    local status=0
    # A process group of its own: Ctrl-C reaches it through end_attended alone. After that a function must not begin its next
    # command.
    set -m
    (
        trap 'exit 130' INT TERM
        "$@"
    ) </dev/null &
    attended_pid=$!
    set +m
    wait "$attended_pid" || status=$?
    attended_pid=
    return "$status"
}

# process_tree PID: prints the process and all its descendants.
process_tree() {
    local child children
    printf '%s\n' "$1"
    children=$(cat "/proc/$1/task/"*/children 2>/dev/null) || true
    for child in $children; do
        process_tree "$child"
    done
}

# end_attended: interrupts the command of `attended` and ends all its descendants.
end_attended() {
    [ -n "$attended_pid" ] || return 0
    local pid root=$attended_pid
    local -a tree
    attended_pid=
    mapfile -t tree < <(process_tree "$root")
    # All of them, as a terminal does: `timeout` has a group of its own.
    kill -INT "${tree[@]}" 2>/dev/null || true
    # A script that was started in the background ignores SIGINT.
    kill -TERM "$root" 2>/dev/null || true
    wait_until 10 process_gone "$root" || true
    for pid in "${tree[@]}"; do
        end_process "$pid" 2
    done
}

process_gone() {
    ! process_alive "$1"
}
