# shellcheck shell=bash
# The tools of the web client from PyPI, below .dayly/tools: deno (types, lint, format, unit tests) and, for the tests in
# browsers, Playwright with Debian's Chromium, and a socket to Debian's Firefox. Sourced after common.sh.

web_lib=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
web_root=${web_lib%/scripts/lib}
web_tools=$web_root/.dayly/tools/web
browser_tools=$web_root/.dayly/tools/browser
browser_packages=(playwright pytest pytest-xdist axe-playwright-python websockets http_ece py-vapid)

# web_install: deno, PyYAML and libphonenumber's metadata, pinned.
web_install() {
    _web_environment "$web_tools" "deno, PyYAML and phonenumbers" deno pyyaml phonenumbers
}

# web_browser_install: what the tests in browsers need, pinned, and Chromium by apt.
web_browser_install() {
    apt_install_missing chromium
    _web_environment "$browser_tools" "the tools of the tests in browsers" "${browser_packages[@]}"
}

# web_engines_install: the same, and Firefox and WebKitGTK by apt.
web_engines_install() {
    apt_install_missing firefox-esr webkit2gtk-driver xvfb
    web_browser_install
}

# web_python ARGUMENT…: Python with PyYAML and phonenumbers.
web_python() {
    "$web_tools/venv/bin/python" "$@"
}

# web_deno ARGUMENT…: deno in the folder of the web client, without a network, with its cache below .dayly.
web_deno() {
    (cd "$web_root/Sources/Web" && env DENO_DIR="$web_root/.dayly/cache/deno" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 \
        "$web_tools/venv/bin/deno" "$@")
}

# web_lint: checks types, lint rules, format, texts, sizes and the wire types. It prints what it finds and ends with 1 then.
web_lint() {
    local status=0 folder
    # Guard: an icon's name is one of the drawn ones (`icons.js`)
    web_deno check --quiet --config deno.json first.js app/early.js || status=1
    # The worker's library has no document, so this also shows that api/ and store/ do without one.
    web_deno check --quiet --config deno.worker.json sw.js {,focus/,companion/,products/}{api,store} worker || status=1
    for folder in . "$web_root/Tests/WebTests/unit"; do
        web_deno lint --quiet --config deno.json "$folder" || status=1
    done
    web_deno fmt --check --config deno.json || status=1
    web_python "$web_lib/web_format.py" "$web_root/Sources/Web" "$web_root/Tests/WebTests/unit" || status=1
    web_python "$web_lib/wire.py" || status=1
    web_python "$web_lib/phone_plans.py" || status=1
    web_python "$web_lib/web_house.py" || status=1
    return "$status"
}

# web_unit: the unit tests of the web client.
web_unit() {
    web_deno test --no-check --allow-read="$web_root/Sources/Web,$web_root/Tests" --config deno.json \
        "$web_root/Tests/WebTests/unit"
}

# web_browser [ARGUMENT…]: the tests in Chromium, against the built service and the PostgreSQL of DAYLY_TEST_DATABASE_URL.
# Three processes share them, each with a service, because the tests also wait. Arguments are pytest's.
web_browser() {
    _web_pytest "$web_root/Tests/WebTests/browser" -n 3 --dist worksteal --durations 10 "$@"
}

# web_engines [ARGUMENT…]: the tests in Firefox and WebKitGTK, as web_browser runs those in Chromium.
web_engines() {
    _web_pytest "$web_root/Tests/WebTests/engines" "$@"
}

# _web_pytest ARGUMENT…: pytest, which leaves nothing in the tree.
_web_pytest() {
    env PYTHONDONTWRITEBYTECODE=1 "$browser_tools/venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
}

# _web_environment FOLDER WORDS PACKAGE…: a virtual environment with the packages, made anew when the pins change.
_web_environment() {
    local folder=$1 words=$2 constraints=$web_lib/web-constraints.txt stamp
    shift 2
    if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
        apt_install_missing python3 python3-venv
    fi
    stamp="$folder $(python3 --version) $* $(sha256sum <"$constraints")"
    if [ "$(cat "$folder/installed" 2>/dev/null)" = "$stamp" ]; then
        return 0
    fi
    step "Installing $words from PyPI"
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m venv "$folder/venv" || fail "could not make a virtual environment for Python" \
        "apt-get install python3-venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-input --prefer-binary \
        --constraint "$constraints" "$@" >&2 || fail "could not install $words from PyPI" \
        "check the network and pip's configuration, then start this script again"
    printf '%s\n' "$stamp" >"$folder/installed"
}
