#!/usr/bin/env bash
# Compares the public interface of the client's products with that of the newest release. Sourced, after common.sh, by lint,
# which has built the modules of this tree.

api_modules=(DaylyAPI DaylyClient DaylyClientTesting PhoneClient)
for _folder in "$project_root"/Sources/Products/*/Client; do
    _folder=${_folder%/Client} _folder=${_folder##*/}
    api_modules+=("${_folder}API" "${_folder}Client" "${_folder}ClientTesting")
done

# _api_dump MODULES FOLDER: writes the interface of each module into FOLDER.
_api_dump() {
    local module
    mkdir -p "$2"
    for module in "${api_modules[@]}"; do
        swift-api-digester -dump-sdk -module "$module" -I "$1" -o "$2/$module.json" 2>/dev/null
    done
}

# _api_of_release TAG FOLDER: the same for a release, which it builds once.
_api_of_release() {
    [ ! -d "$2" ] || return 0
    local clone
    clone=$(mktemp -d)
    git clone --quiet --no-local --branch "$1" "$project_root" "$clone" 2>/dev/null
    local module
    for module in "${api_modules[@]}"; do
        swift build --package-path "$clone" --disable-default-traits --target "$module" >&2
    done
    _api_dump "$clone/.build/debug/Modules" "$clone/interface"
    mkdir -p "$(dirname "$2")"
    mv "$clone/interface" "$2"
    rm -rf "$clone"
}

# api_breaks: prints what an app that uses the newest release would lose. It prints nothing before the first release, and
# where CHANGELOG.md announces a new major version as `## 2.0.0`.
api_breaks() {
    local release major announced module before now
    release=$(git describe --tags --abbrev=0 --match 'v[0-9]*.[0-9]*.[0-9]*' 2>/dev/null) || return 0
    major=${release#v} major=${major%%.*}
    announced=$(sed -nE 's/^## ([0-9]+)\..*/\1/p' CHANGELOG.md | head -1)
    [ "${announced:-0}" -le "$major" ] || return 0
    before=$project_root/.dayly/cache/api/$release
    _api_of_release "$release" "$before"
    now=$(mktemp -d)
    _api_dump "$project_root/.build/debug/Modules" "$now"
    for module in "${api_modules[@]}"; do
        # Empty lines and the titles of empty sections are not findings.
        swift-api-digester -diagnose-sdk -input-paths "$before/$module.json" -input-paths "$now/$module.json" 2>&1 |
            sed -E "/^$|^\/\*/d; s/^/$module: /"
    done
    rm -rf "$now"
}
