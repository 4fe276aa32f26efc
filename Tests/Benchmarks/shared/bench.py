"""What all benches share: options, a folder, builds, PostgreSQL, an S3 server, and the end of all that they started."""

import argparse
import contextlib
import fcntl
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from servers import Server

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = "set -euo pipefail; for file in common codecs build postgres objectstore web; do . scripts/lib/$file.sh; done; "


def step(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


def numbers(text):
    """The type of an option: whole numbers in ascending order."""
    found = [int(word) for word in text.split(",")]
    if found != sorted(set(found)) or found[0] < 1:
        raise argparse.ArgumentTypeError("numbers in ascending order")
    return found


def positive(text):
    if int(text) < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return int(text)


def parts_of(known):
    """The type of an option: some of these names."""
    def read(text):
        found = text.split(",")
        if set(found) - set(known):
            raise argparse.ArgumentTypeError("some of " + ",".join(known))
        return found
    return read


class Parser(argparse.ArgumentParser):
    """The options of the bench whose description it is, and those of all benches."""

    def __init__(self, description):
        super().__init__(
            prog=f"scripts/bench {Path(sys.argv[0]).resolve().parent.name}", description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog="The machine should have nothing else to do. Tests/Benchmarks/README.md explains the figures.")
        self.add_argument("--debug", action="store_true", help="the debug build; the release build otherwise")
        self.add_argument("--json", action="store_true", help="the figures as JSON")
        self.add_argument("--check", action="store_true", help="exit status 1 when a goal is missed")

    def add(self, name, default, text, kind=positive):
        """An option with a value."""
        shown = ",".join(map(str, default)) if isinstance(default, list) else f"{default:,}" if default else ""
        self.add_argument(name, type=kind, default=default, metavar="X",
                          help=text + (f"; {shown} unless given".replace("%", "%%") if shown else ""))


def bash(text, *before):
    """Runs it with the libraries of the scripts, and gives the lines of its standard output."""
    process = subprocess.Popen([*before, "bash", "-c", LIBRARIES + text], cwd=ROOT, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        output = process.communicate()[0]
    except BaseException:
        # Compilers have groups of their own; SwiftPM ends them when it is interrupted.
        for how in (signal.SIGINT, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, how)
                process.wait(15)
        raise
    if process.returncode:
        sys.exit("error: see the messages above")
    return output.splitlines()


def swift_build(text, options):
    step(f"Building {text}")
    bash(f"swift_build {options} >&2")


def swift_package(path, scratch, options=""):
    """Builds a package beside the service's (release)."""
    step(f"Building {path} (release)")
    bash(f"swift build -c release --package-path {shlex.quote(str(path))} --scratch-path {shlex.quote(str(scratch))} {options} >&2")


def environment(folder, requirements):
    """A virtual environment of Python with these pinned packages; its folder of programs."""
    # Scripts in a virtual environment name its place, so a moved folder is installed anew.
    stamp = f"{folder} {sys.version} {hashlib.sha256(Path(requirements).read_bytes()).hexdigest()}\n"
    installed = folder / "installed"
    if not installed.exists() or installed.read_text() != stamp:
        step(f"Installing the packages of {Path(requirements).name} from PyPI")
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["/usr/bin/python3", "-m", "venv", folder], check=True)
        if subprocess.run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
                           "--only-binary", ":all:", "--requirement", requirements], stdout=sys.stderr, check=False).returncode:
            sys.exit("error: could not install them: check the network and pip's configuration")
        installed.write_text(stamp)
    return folder / "bin"


def compile_c(output, *arguments):
    """With the C compiler that comes with Swift, where there is one, as the worker's own C is."""
    swift = shutil.which("swift")
    compiler = Path(swift).resolve().with_name("clang") if swift else Path("cc")
    subprocess.run([compiler if compiler.exists() else "cc", "-O2", "-Wall", "-Wextra", "-o", output, *arguments],
                   cwd=ROOT, check=True)


def draw(folder, *pictures):
    """Draws those pictures that are missing: (file, kind, width, height, detail)."""
    missing = [picture for picture in pictures if not (folder / picture[0]).exists()]
    if missing:
        step("Drawing the pictures")
        compile_c(folder / "pictures", "Tests/Benchmarks/photo/pictures.c", "-ljpeg", "-lpng", "-lm")
    for name, *how in missing:
        subprocess.run([folder / "pictures", *map(str, how), folder / f"new-{name}"], check=True)
        os.rename(folder / f"new-{name}", folder / name)


@contextlib.contextmanager
def prepared(options, postgres=None, store=False, peer=False, packages=(), on_core=True, products=("dayly", "photo-worker")):
    """Builds the programs and starts the servers, and ends all in the end. It sets what the bench needs in `options`:

    - folder, a folder for this run, and kept, the folder around it that stays;
    - products, migrations and cores, two: that of the servers and PostgreSQL, and that of the clients;
    - database, socket_url and server_log, where `postgres` has the settings of a PostgreSQL (maybe none);
    - buckets, the folder of rclone's S3 server, where `store` is true;
    - peer and uvicorn, where the service in Python (Tests/Benchmarks/peer) is wanted.
    """
    name = Path(sys.argv[0]).resolve().parent.name
    options.kept = ROOT / ".dayly/bench" / name
    options.folder = options.kept / "work"
    options.kept.mkdir(parents=True, exist_ok=True)
    lock = open(options.kept / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"error: scripts/bench {name} is already running in this folder: wait for the other one to end")
    # The caller's settings of a service are not for this one.
    for key in [key for key in os.environ if key.startswith("DAYLY_")]:
        del os.environ[key]
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    kind = "debug" if options.debug else "release"
    options.products, options.migrations = ROOT / ".build" / kind, ROOT / "migrations"
    cores = sorted(os.sched_getaffinity(0))
    options.cores = [cores[0], cores[-1]]
    server, objects = (shlex.quote(str(options.kept / one)) for one in ("postgres", "objectstore"))
    # Before all that takes long: a tool that cannot be installed ends the bench at once.
    bash(f"build_install; {'postgres_install;' if postgres is not None else ''} {'objectstore_install;' if store else ''}"
         f"apt_install_missing util-linux python3-venv {' '.join(packages)}")
    if peer:
        options.peer = ROOT / "Tests/Benchmarks/peer"
        options.uvicorn = environment(ROOT / ".dayly/bench/peer", options.peer / "peer-requirements.txt") / "uvicorn"
    for product in products:
        swift_build(f"{product} ({kind})", f"-c {kind} --product {product}")
    end = f"postgres_remove {server}; objectstore_stop {objects}; rm -rf {objects}"
    try:
        bash(end)
        shutil.rmtree(options.folder, ignore_errors=True)
        options.folder.mkdir()
        if store:
            step(f"Starting rclone's S3 server in .dayly/bench/{name}")
            on_clients = ["taskset", "-c", str(options.cores[1])] if on_core else []
            exported = bash(f"objectstore_start_rclone {objects} >&2; env | grep ^DAYLY_", *on_clients)
            os.environ.update(line.split("=", 1) for line in exported)
            options.buckets = options.kept / "objectstore/rclone/buckets"
        if postgres is not None:
            step(f"Starting PostgreSQL in .dayly/bench/{name}")
            settings = " ".join(map(shlex.quote, postgres))
            on_servers = ["taskset", "-c", str(options.cores[0])] if on_core else []
            options.database, options.socket_url, home = bash(
                f"postgres_start {server} {settings} >&2; postgres_url {server}; postgres_socket_url {server};"
                f"_postgres_home {server}", *on_servers)
            options.server_log = os.path.join(home, "server.log")
            os.environ["DAYLY_DATABASE_URL"] = options.database
        step(f"Measuring ({kind} build)")
        yield options
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for one in Server.running:
            one.stop(seconds=20)
        bash(end)
        # A failed run leaves its logs.
        if sys.exc_info()[0] is None or isinstance(sys.exc_info()[1], SystemExit) and sys.exc_info()[1].code in (0, 1, None):
            shutil.rmtree(options.folder, ignore_errors=True)
