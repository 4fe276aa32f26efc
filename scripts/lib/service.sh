# shellcheck shell=bash
# shellcheck disable=SC2034
# Folder and environment of the service that scripts/run starts and scripts/dayly works on. Sourced after
# common.sh and postgres.sh.

# All files of the running service; ignored by git.
run_folder=$project_root/.dayly/run

# set_default NAME VALUE: exports NAME, unless the caller has set it.
set_default() {
    if [ -z "${!1:-}" ]; then
        printf -v "$1" '%s' "$2"
    fi
    export "${1?}"
}

# service_environment: the development settings, around what the caller has set.
service_environment() {
    set_default DAYLY_ENVIRONMENT development
    set_default DAYLY_DATA_DIR "$run_folder/data"
    set_default DAYLY_HTTP_PORT 8080
    set_default DAYLY_STORAGE_KIND filesystem
    set_default DAYLY_STORAGE_PATH "$DAYLY_DATA_DIR/objects"
    set_default DAYLY_SMS_KIND console
}

# service_database: starts the private PostgreSQL where the caller has named no database, and sets DAYLY_DATABASE_URL.
# started_postgres is 1 afterwards if this script has to stop it.
service_database() {
    started_postgres=
    if [ -n "${DAYLY_DATABASE_URL:-}" ]; then
        return 0
    fi
    if ! postgres_running "$run_folder/postgres"; then
        step "Starting a private PostgreSQL in .dayly/run/postgres"
        started_postgres=1
    fi
    postgres_start "$run_folder/postgres" >/dev/null || fail "PostgreSQL does not start" \
        "see the messages above; rm -rf .dayly/run begins anew"
    DAYLY_DATABASE_URL=$(postgres_url "$run_folder/postgres")
    export DAYLY_DATABASE_URL
}

# dayly_binary: prints the built command: the one that scripts/run built last.
dayly_binary() {
    local configuration=debug
    if [ -f "$run_folder/configuration" ]; then
        configuration=$(<"$run_folder/configuration")
    fi
    local binary=$project_root/.build/$configuration/dayly
    [ -x "$binary" ] || fail "the dayly command is not built yet" "run scripts/run, or: swift build"
    printf '%s\n' "$binary"
}
