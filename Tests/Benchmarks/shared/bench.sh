# shellcheck shell=bash
# Shared by the benches: their options, their folder, and the end of all that they started. Sourced after common.sh and
# build.sh. The bench defines `usage`, which prints its options, and `bench_stop`, which stops its servers and removes
# its files.

configuration=release
measure_options=()

# bench_options FLAGS VALUED ARGUMENT…: reads the options of a bench. FLAGS and VALUED name the options that measure.py
# takes without and with a value; they go to measure_options.
bench_options() {
    local flags=$1 valued=$2
    shift 2
    while [ $# -gt 0 ]; do
        case $1 in
        -h | --help)
            usage
            exit 0
            ;;
        --debug) configuration=debug ;;
        *)
            if [[ " $flags " == *" $1 "* ]]; then
                measure_options+=("$1")
            elif [[ " $valued " == *" $1 "* ]] && [ $# -gt 1 ]; then
                measure_options+=("$1" "$2")
                shift
            else
                usage >&2
                exit 2
            fi
            ;;
        esac
        shift
    done
}

# bench_begin NAME: makes `folder` for this bench alone, and calls bench_stop when the script ends.
bench_begin() {
    folder=$project_root/.dayly/bench/$1
    mkdir -p "$folder"
    exec 9>"$folder/lock"
    flock -n 9 || fail "scripts/bench $1 is already running in this folder" "wait for the other one to end"
    trap bench_clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    # The caller's settings of a service are not for this one.
    unset "${!DAYLY_@}"
}

# shellcheck disable=SC2317  # a trap calls it
bench_clean_up() {
    local status=$?
    trap - EXIT
    trap '' INT TERM HUP
    end_attended
    bench_stop || true
    exit "$status"
}

# bench_build: builds the programs of the service.
bench_build() {
    local product
    step "Building dayly ($configuration)"
    for product in dayly photo-worker; do
        attended swift_build -c "$configuration" --product "$product" 9>&- >&2 ||
            fail "the build failed" "its messages are above"
    done
}

# bench_cores: prints two cores, a line each: that of the servers with PostgreSQL, and that of the clients. They are the
# same where there is only one.
bench_cores() {
    /usr/bin/python3 -c 'import os; cores = sorted(os.sched_getaffinity(0)); print(cores[0], cores[-1], sep="\n")'
}

# bench_measure SCRIPT OPTION…: runs a bench's measure.py with the options of the caller, and ends with its exit status.
bench_measure() {
    local status=0
    step "Measuring ($configuration build)"
    attended "${bench_python:-/usr/bin/python3}" "$@" "${measure_options[@]}" 9>&- || status=$?
    if [ "$status" -eq 2 ]; then usage >&2; fi
    exit "$status"
}
