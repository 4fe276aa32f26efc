# shellcheck shell=bash
# The Debian package: its version, its tree and the file. Sourced after common.sh and build.sh.

package_lib=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
package_tools=$project_root/.dayly/tools/package

# package_install CONFIGURATION: installs what making and checking a package of a release or debug build needs.
package_install() {
    local constraints=$package_lib/package-constraints.txt stamp
    apt_install_missing dpkg-dev binutils jq python3 python3-venv
    if [ "$1" = debug ]; then apt_install_missing chrpath; else apt_install_missing lintian; fi
    stamp="$package_tools $(python3 --version) $(sha256sum <"$constraints")"
    [ "$(cat "$package_tools/installed" 2>/dev/null)" != "$stamp" ] || return 0
    step "Installing the tool that checks the bill of materials from PyPI"
    rm -rf "$package_tools"
    python3 -m venv "$package_tools/venv"
    "$package_tools/venv/bin/pip" install --quiet --disable-pip-version-check --no-input --prefer-binary \
        --constraint "$constraints" spdx-tools >&2 || fail "could not install spdx-tools from PyPI" \
        "check the network and pip's configuration, then start this script again"
    printf '%s\n' "$stamp" >"$package_tools/installed"
}

# package_version: prints the version: the tag v1.2.0 is 1.2.0, the third commit after it 1.2.0+3.g0123abc. Before the first
# tag, a commit comes before the version of Version.swift: 1.0.0~17.g0123abc.
package_version() {
    local described
    if described=$(git describe --tags --match 'v[0-9]*' --abbrev=12 2>/dev/null); then
        described=${described#v}
        sed -E 's/-([0-9]+)-(g[0-9a-f]+)$/+\1.\2/' <<<"$described"
    else
        printf '%s~%s.g%s\n' "$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/Apps/DaylyServer/Version.swift)" \
            "$(git rev-list --count HEAD)" "$(git rev-parse --short=12 HEAD)"
    fi
}

# package_line VERSION: the version as `dayly --version` prints it, with the commit.
package_line() {
    local changed=''
    [ -z "$(git status --porcelain --untracked-files=no)" ] || changed=', with changes'
    printf '%s (commit %s%s)\n' "$1" "$(git rev-parse --short=12 HEAD)" "$changed"
}

# package_stage CONFIGURATION ROOT: puts the built programs and all files into the tree ROOT, except those that name the
# version.
package_stage() {
    local root=$2 products=.build/$1
    rm -rf "$root"
    install -D -m 755 "$products/dayly" "$root/usr/bin/dayly"
    install -D -m 755 "$products/photo-worker" "$root/usr/libexec/dayly/photo-worker"
    strip --strip-unneeded "$root/usr/bin/dayly" "$root/usr/libexec/dayly/photo-worker"
    _package_runtime "$root"
    install -d "$root/usr/share/dayly/"{migrations,storage} "$root/lib/systemd/system" "$root/usr/share/doc/dayly/examples"
    install -m 644 migrations/[0-9]*.sql "$root/usr/share/dayly/migrations"
    install -m 644 storage/* "$root/usr/share/dayly/storage"
    python3 scripts/lib/web_bundle.py Sources/Web "$root/usr/share/dayly/web"
    install -m 644 deploy/systemd/* "$root/lib/systemd/system"
    install -D -m 644 deploy/debian/dayly.sysusers "$root/usr/lib/sysusers.d/dayly.conf"
    install -D -m 644 deploy/debian/dayly.tmpfiles "$root/usr/lib/tmpfiles.d/dayly.conf"
    # No conffile: every operator has to edit it, and dpkg would ask about each change of ours, or stop where nobody answers.
    install -m 644 deploy/debian/dayly.yaml "$root/usr/share/dayly/dayly.yaml"
    install -D -m 644 deploy/debian/dayly.1 "$root/usr/share/man/man1/dayly.1"
    install -D -m 644 deploy/debian/lintian-overrides "$root/usr/share/lintian/overrides/dayly"
    _package_extras "$root"
    _package_documents "$root"
    python3 scripts/lib/package_links.py "$root"
    find "$root" -type d -exec chmod 755 {} +
    find "$root/usr/share" "$root/lib" -type f -exec chmod 644 {} +
}

# _package_runtime ROOT: a debug build is linked to the shared libraries of Swift's toolchain, which go into a folder of the
# package's own.
_package_runtime() {
    local library own=$1/usr/lib/dayly
    local -a libraries
    mapfile -t libraries < <(ldd "$1/usr/bin/dayly" | sed -n 's#.* => \(/.*/swift/linux/.*\.so\) .*#\1#p')
    [ "${#libraries[@]}" -gt 0 ] || return 0
    install -d "$own"
    for library in "${libraries[@]}"; do install -m 644 "$library" "$own"; done
    strip --strip-unneeded "$own"/*.so
    chrpath --replace /usr/lib/dayly "$1/usr/bin/dayly" >/dev/null
}

# _package_extras ROOT: the other folders of deploy/. The programs for backups become commands, other folders examples.
_package_extras() {
    local folder name
    for folder in deploy/*/; do
        name=$(basename "$folder")
        case $name in
        debian | systemd) ;;
        backup) find "$folder" -type f -perm -100 -exec install -m 755 -t "$1/usr/bin" {} + ;;
        monitoring) cp -r "$folder" "$1/usr/share/dayly/$name" ;;
        *) cp -r "$folder" "$1/usr/share/doc/dayly/examples/$name" ;;
        esac
    done
}

# _package_documents ROOT
_package_documents() {
    local doc=$1/usr/share/doc/dayly
    install -m 644 README.md SECURITY.md "$doc"
    install -m 644 docs/{api,architecture,companion,configuration,focus,rules,threats}.md "$doc"
    install -m 644 docs/{cluster,install,limits,messages,monitoring,operations,restore,run,runbook,scale}.md "$doc"
    install -m 644 Sources/Apps/DaylyServer/openapi.yaml deploy/debian/copyright "$doc"
    install -m 644 CHANGELOG.md "$doc/NEWS.md"
    python3 scripts/lib/third_party.py | gzip -9n >"$doc/third-party.gz"
    gzip -9n "$1/usr/share/man/man1/dayly.1"
}

# package_build VERSION ROOT OUTPUT [OPTION…]: makes the package of the tree in the folder OUTPUT and prints its path. Options
# are dpkg-deb's.
package_build() {
    local version=$1 root=$2 output=$3 file
    shift 3
    file=$output/dayly_${version}_$(dpkg --print-architecture).deb
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    mkdir -p "$output"
    package_line "$version" >"$root/usr/share/dayly/version"
    _package_changelog "$version" | gzip -9n >"$root/usr/share/doc/dayly/changelog.gz"
    python3 scripts/lib/sbom.py "$version" "$root" >"$root/usr/share/doc/dayly/dayly.spdx.json"
    cp "$root/usr/share/doc/dayly/dayly.spdx.json" "${file%.deb}.spdx.json"
    _package_control "$version" "$root"
    dpkg-deb --root-owner-group "$@" --build "$root" "$file" >/dev/null
    printf '%s\n' "$file"
}

# _package_changelog VERSION: prints a changelog as Debian has it.
_package_changelog() {
    printf 'dayly (%s) stable; urgency=medium\n\n  * NEWS.md says what changed.\n\n -- %s  %s\n' "$1" \
        "$(sed -n 's/^Maintainer: //p' deploy/debian/control)" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
}

# _package_control VERSION ROOT: what dpkg reads: the package's fields, its scripts, its settings and its checksums.
_package_control() {
    local control=$2/DEBIAN libraries size units
    rm -rf "$control"
    size=$(du -sk "$2" | cut -f1)
    libraries=$(_package_libraries "$2")
    units=$(cd deploy/systemd && printf '%s ' *)
    install -d "$control"
    sed -e "s/@VERSION@/$1/" -e "s/@ARCHITECTURE@/$(dpkg --print-architecture)/" -e "s/@SIZE@/$size/" \
        -e "s/@LIBRARIES@/$libraries/" deploy/debian/control >"$control/control"
    install -m 755 deploy/debian/{preinst,postinst,prerm,postrm} "$control"
    sed -i "s/@UNITS@/${units% }/" "$control/postrm"
    sed -i -e "s/@MIGRATIONS@/$(_package_migrations "$2" '')/" \
        -e "s/@BREAKING@/$(_package_migrations "$2" '^-- dayly: breaking')/" "$control/preinst"
    [ -z "${conffiles:-}" ] || echo "$conffiles" >"$control/conffiles"
    (cd "$2" && find . -path ./DEBIAN -prune -o -type f ! -path './etc/*' -printf '%P\0' | LC_ALL=C sort -z |
        xargs -0 md5sum) >"$control/md5sums"
}

# _package_migrations ROOT PATTERN: the names of the migrations that have a line like PATTERN.
_package_migrations() {
    (cd "$1/usr/share/dayly/migrations" && grep -l -e "$2" -- *.sql | sed 's/\.sql$//' | xargs)
}

# package_trial_older ROOT OUTPUT [OPTION…]: a package as earlier versions were, whose settings are a conffile with other text.
package_trial_older() {
    local root=$1 output=$2 package
    shift 2
    install -D -m 644 "$root/usr/share/dayly/dayly.yaml" "$root/etc/dayly/dayly.yaml"
    echo '# A line of an earlier version.' >>"$root/etc/dayly/dayly.yaml"
    package=$(conffiles=/etc/dayly/dayly.yaml package_build 0~older "$root" "$output" "$@")
    rm -r "${root:?}/etc"
    printf '%s\n' "$package"
}

# package_trial_newer ROOT OUTPUT [OPTION…]: a package of a later version, with a migration more.
package_trial_newer() {
    local root=$1 output=$2 migration=$1/usr/share/dayly/migrations/9000_trial.sql
    shift 2
    echo 'CREATE TABLE trial (note text);' >"$migration"
    package_build 9000~newer "$root" "$output" "$@"
    rm "$migration"
}

# _package_libraries ROOT: the packages of the shared libraries that the programs are linked to, with versions.
_package_libraries() {
    local folder
    folder=$(mktemp -d)
    mkdir "$folder/debian"
    printf 'Source: dayly\n\nPackage: dayly\nArchitecture: any\n' >"$folder/debian/control"
    (cd "$folder" && dpkg-shlibdeps --ignore-missing-info -O -l"$1/usr/lib/dayly" "$1/usr/bin/dayly" \
        "$1/usr/libexec/dayly/photo-worker" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
    rm -rf "$folder"
}

# package_lint PACKAGE: every complaint of lintian counts. The overrides in deploy/debian give their reasons.
package_lint() {
    local lines
    lines=$(lintian --allow-root --fail-on none --tag-display-limit 0 "$1" 2>&1) || true
    [ -z "$lines" ] || printf '%s\n' "$lines" >&2
    [ -z "$lines" ]
}

# package_materials PACKAGE: its bill of materials is valid SPDX, and names every Swift package that is resolved and every
# package of Debian whose library it needs.
package_materials() {
    local bill=${1%.deb}.spdx.json missing
    "$package_tools/venv/bin/pyspdxtools" --infile "$bill" || return 1
    missing=$(comm -23 <(_package_needs "$1") <(jq -r '.packages[].name' "$bill" | LC_ALL=C sort -u))
    [ -z "$missing" ] || printf 'the bill of materials lacks %s\n' "$missing" >&2
    [ -z "$missing" ]
}

# _package_needs PACKAGE: prints the names that its bill of materials must have.
_package_needs() {
    {
        jq -r '.pins[].identity' Package.resolved
        # libphonenumber8-protobuf32 is another name of libphonenumber8.
        dpkg-deb --field "$1" Depends | tr ',' '\n' | sed -n -e 's/-protobuf[0-9]*//' -e 's/^ *\(lib[^ ]*\|zlib1g\).*/\1/p'
    } | LC_ALL=C sort -u
}
