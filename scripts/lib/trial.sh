# shellcheck shell=bash
# A fresh Debian in a folder, booted by its own systemd in namespaces of its own, in which a package is tried. It has no
# network but its loopback interface. Root only. Sourced after common.sh and package.sh.

trial_folder=$project_root/.dayly/package/trial
# The packages of the root: a system, a database, and the tools of a client.
trial_packages=systemd-sysv,postgresql,pgbackrest,ca-certificates,curl,jq,openssl,python3
trial_pid=
trial_group=

# trial_install: installs what making and booting a root needs, and the encoders of the pictures.
trial_install() {
    apt_install_missing mmdebstrap util-linux iproute2 libheif-examples imagemagick
}

# trial_suite: the release of Debian in which the package is tried: TRIAL_SUITE, or this machine's.
trial_suite() {
    local own
    own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    printf '%s\n' "${TRIAL_SUITE:-$own}"
}

# trial_base PACKAGE: makes the root once, with the archives of the package's dependencies in apt's cache, and prints its
# folder. Another list of packages makes it anew.
trial_base() {
    local base suite stamp
    suite=$(trial_suite)
    base=$trial_folder/$suite
    stamp="$suite $trial_packages $(dpkg-deb --field "$1" Depends)"
    if [ "$(cat "$base/stamp" 2>/dev/null)" != "$stamp" ]; then
        note "making a root of Debian $suite, once"
        rm -rf "$base"
        mkdir -p "$base"
        mmdebstrap --quiet --variant=minbase --include="$trial_packages" --skip=cleanup/apt \
            --aptopt='Acquire::Retries "3"' --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/locale/*' \
            --customize-hook="copy-in $1 /var/tmp" \
            --customize-hook="chroot \"\$1\" apt-get -qq -y --no-install-recommends --download-only install \
                /var/tmp/$(basename "$1") && rm \"\$1/var/tmp/$(basename "$1")\"" \
            "$suite" "$base/root" >&2 || fail "could not make a root of Debian" "check the network; the messages are above"
        printf '%s\n' "$stamp" >"$base/stamp"
    fi
    printf '%s\n' "$base/root"
}

# trial_boot BASE: boots a root over BASE, which stays as it is. The folder .dayly/package/trial/share is its /trial.
trial_boot() {
    local groups parent
    [ "$(id -u)" -eq 0 ] || fail "the trial needs root" "start it as root"
    groups=$(findmnt --noheadings --types cgroup2 --output TARGET | head -n 1)
    [ -n "$groups" ] || fail "this machine has no cgroup2, which systemd needs"
    trial_group=$groups/dayly-trial-$$
    mkdir -p "$trial_group" "$trial_folder/mount"
    (
        echo "$BASHPID" >"$trial_group/cgroup.procs"
        exec unshare --mount --pid --cgroup --net --uts --ipc --fork --kill-child \
            "$project_root/scripts/lib/trial-boot" "$1" "$trial_folder/mount" "$trial_folder/share"
    ) >"$trial_folder/boot.log" 2>&1 &
    parent=$!
    wait_until 20 _trial_child "$parent" || fail "the root does not boot" "see $trial_folder/boot.log"
    trial_pid=$(pgrep --parent "$parent")
    wait_until 30 trial_run systemctl is-active multi-user.target || fail "the root does not boot" "see $trial_folder/boot.log"
}

# The first process of the namespaces has become systemd.
_trial_child() {
    [ "$(cat "/proc/$(pgrep --parent "$1")/comm")" = systemd ]
}

# trial_run COMMAND…: runs it in the booted root.
trial_run() {
    nsenter --target "$trial_pid" --all env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root "$@"
}

# trial_end: ends the root with all its processes.
trial_end() {
    [ -z "$trial_pid" ] || kill -KILL "$trial_pid" 2>/dev/null || true
    trial_pid=
    [ -n "$trial_group" ] || return 0
    wait_until 10 _trial_forget || true
    trial_group=
}

_trial_forget() {
    find "$trial_group" -depth -type d -exec rmdir {} + 2>/dev/null || true
    [ ! -d "$trial_group" ]
}

# trial_pictures FOLDER: a picture of each format, of a phone's size, so that decoding takes a while.
trial_pictures() {
    mkdir -p "$1"
    convert docs/sample.jpg -resize 2400x "$1/photo.jpg"
    convert "$1/photo.jpg" -define png:compression-level=1 "$1/photo.png"
    convert "$1/photo.jpg" -define webp:method=0 "$1/photo.webp"
    heif-enc -p preset=ultrafast -o "$1/photo.heic" "$1/photo.jpg" >/dev/null
    heif-enc --avif -p speed=9 -o "$1/photo.avif" "$1/photo.jpg" >/dev/null
}

# trial_package OLDER PACKAGE NEWER: installs OLDER in a fresh root, uses it, upgrades it to PACKAGE and to NEWER, which has a
# migration more, and purges it.
trial_package() {
    trial_install
    trap trial_end EXIT
    rm -rf "$trial_folder/share"
    trial_pictures "$trial_folder/share"
    ln "$1" "$trial_folder/share/older.deb"
    ln "$2" "$trial_folder/share/package.deb"
    ln "$3" "$trial_folder/share/newer.deb"
    cp scripts/lib/trial-package scripts/lib/trial_gateway.py scripts/lib/trial_hidden.py \
        scripts/lib/package_links.py "$trial_folder/share"
    trial_boot "$(trial_base "$2")"
    trial_run /trial/trial-package
}
