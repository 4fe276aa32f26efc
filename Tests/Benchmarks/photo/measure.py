"""Makes pictures as phones do and prints what turning each into photo and thumbnail costs: CPU time, wall time and
peak memory, of the release build of photo-worker (started as the server starts it, sandbox and limits included), of
the bare codecs in C without any safety (the limit), of vipsthumbnail and of Pillow; and the ratios. The worker that
decodes a HEIC of tiles, as phones send it, is measured on one core too. Medians of N runs in turns.
"""

import hashlib
import json
import os
import platform
import statistics
import struct
import subprocess
import sys
import time

from bench import ROOT, Parser, compile_c, draw, environment, prepared, step

HERE = ROOT / "Tests/Benchmarks/photo"
PICTURES = [  # name, file, whether the goals are for it
    ("12 MP JPEG", "12mp.jpg", True),
    ("48 MP JPEG", "48mp.jpg", True),
    ("12 MP HEIC", "12mp.heic", True),
    ("12 MP HEIC, tiles", "12mp-tiled.heic", True),
    ("12 MP PNG", "12mp.png", True),
    ("64 × 48 JPEG", "start.jpg", False),  # little but the program's start
]
PROGRAMS = ["worker", "limit", "vipsthumbnail", "Pillow"]
SHARE_OF_LIMIT = 1.15
# The worker decodes a picture of tiles on two threads if it has two cores. It is measured on one core too.
TILES = "12mp-tiled.heic"
ONE_CORE = "worker, one core"
SHARES_OF_ONE_CORE = {"wall_ms": 0.6, "cpu_ms": 1.1, "peak_mib": 1.25}


def programs_for(file, programs):
    alone = ONE_CORE if file == TILES and len(os.sched_getaffinity(0)) > 1 else None
    return programs + [alone] if alone else programs


def stay_on_one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class Bench:
    def __init__(self, folder, worker, python):
        self.folder, self.worker, self.python = folder, worker, python
        self.out = os.path.join(folder, "out")
        os.makedirs(self.out, exist_ok=True)

    def commands(self, program, picture):
        """The command lines of one run, which are summed, and the two files they leave."""
        source = os.path.join(self.folder, picture)
        kind = {"jpg": "jpeg", "png": "png", "heic": "heif"}[picture.rsplit(".", 1)[1]]
        photo, thumbnail = (os.path.join(self.out, f"{program}-{part}.jpg") for part in ("photo", "thumbnail"))
        options = "[Q=80,optimize_coding,strip]"
        vips = ["command", "vipsthumbnail", "--eprofile", "srgb"]
        lines = {
            "worker": [["worker", self.worker, source, photo, thumbnail]],
            ONE_CORE: [["worker", self.worker, source, photo, thumbnail]],
            "limit": [["command", os.path.join(self.folder, f"limit-{kind}"), source, photo, thumbnail]],
            "vipsthumbnail": [
                vips + ["--size", "2048x2048>", "-o", photo + options, source],
                # From the photo, not the original: the cheaper way.
                vips + ["--size", "480x480>", "-o", thumbnail + options, photo],
            ],
            "Pillow": [
                ["command", self.python, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pillow_photo.py"),
                 source, photo, thumbnail]
            ],
        }[program]
        return lines, photo, thumbnail

    def run(self, program, picture):
        lines, photo, thumbnail = self.commands(program, picture)
        used = {"cpu_ms": 0.0, "wall_ms": 0.0, "peak_mib": 0.0}
        for line in lines:
            done = subprocess.run(
                [os.path.join(self.folder, "start"), *line], stdout=subprocess.PIPE,
                preexec_fn=stay_on_one_core if program == ONE_CORE else None)
            part = json.loads(done.stdout) if done.returncode == 0 else {"status": f"of start {done.returncode}"}
            if part["status"] != 0:
                sys.exit(f"error: {program} on {picture} ended with exit status {part['status']}: {' '.join(line)}")
            used = {
                "cpu_ms": used["cpu_ms"] + part["cpu_ms"],
                "wall_ms": used["wall_ms"] + part["wall_ms"],
                "peak_mib": max(used["peak_mib"], part["peak_mib"]),
            }
        return used, (photo, thumbnail)


def jpeg_size(path):
    """Width and height as a baseline JPEG's frame header has them."""
    with open(path, "rb") as file:
        data = file.read()
    position = 2
    while data[position] == 0xFF and data[position + 1] not in (0xC0, 0xC1):
        position += 2 + struct.unpack_from(">H", data, position + 2)[0]
    height, width = struct.unpack_from(">HH", data, position + 5)
    return width, height


def check_outputs(program, picture, files, small):
    """What was measured is what was wanted: the right sizes."""
    sizes = [jpeg_size(path) for path in files]
    edges = [max(size) for size in sizes]
    if edges != [64, 64] if small else not (1920 <= edges[0] <= 2048 and edges[1] == 480):
        sys.exit(f"error: {program} made {sizes} of {picture}")
    return [{"width": s[0], "height": s[1], "bytes": os.path.getsize(f)} for s, f in zip(sizes, files)]


def cpu_model():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def measure(bench, pictures, programs, runs):
    results = {}
    began = time.monotonic()
    for turn in range(runs + 1):  # the first is not counted
        print(f"\r    run {turn} of {runs}" if turn else "    warming up", end="", file=sys.stderr, flush=True)
        for name, file, goal in pictures:
            for program in programs_for(file, programs):
                used, files = bench.run(program, file)
                entry = results.setdefault(name, {}).setdefault(program, {"runs": []})
                if turn:
                    entry["runs"].append(used)
                else:
                    entry["outputs"] = check_outputs(program, file, files, not goal)
    print(f"\r    {runs} runs in {time.monotonic() - began:.0f} s", file=sys.stderr)
    for entries in results.values():
        for entry in entries.values():
            for key in ("cpu_ms", "wall_ms", "peak_mib"):
                entry[key] = round(statistics.median(run[key] for run in entry["runs"]), 2)
    return results


def ratio(results, name, key, program):
    entries = results[name]
    return entries["worker"][key] / entries[program][key] if program in entries else None


def missed_on_one_core(results):
    names = {"wall_ms": "time", "cpu_ms": "CPU", "peak_mib": "memory"}
    for picture in results:
        for key, most in SHARES_OF_ONE_CORE.items():
            share = ratio(results, picture, key, ONE_CORE)
            if share is not None and share > most:
                yield f"{picture}: {names[key]} is {share:.2f} × the worker's on one core, the goal is {most}"


def misses(results, pictures):
    """The goals that were not reached, in words."""
    found = []
    for name, _, goal in pictures:
        if not goal:
            continue
        for key, program, most in [
            ("cpu_ms", "limit", SHARE_OF_LIMIT), ("cpu_ms", "vipsthumbnail", 1), ("peak_mib", "vipsthumbnail", 1)
        ]:
            share = ratio(results, name, key, program)
            if share is not None and share > most:
                found.append(f"{name}: {'CPU' if key == 'cpu_ms' else 'memory'} is {share:.2f} × {program}, "
                             f"the goal is {most}")
    return found + list(missed_on_one_core(results))


def print_table(results, pictures, folder, programs):
    width = max(len(program) for program in [*programs, ONE_CORE])
    print(f"\n{'':18} {'':{width}} {'CPU ms':>9} {'wall ms':>9} {'peak MiB':>9}   photo         kB")
    for name, file, _ in pictures:
        size = os.path.getsize(os.path.join(folder, file)) / 1e6
        for index, program in enumerate(programs_for(file, programs)):
            label = [name, f"{size:.1f} MB"][index] if index < 2 else ""
            entry = results[name].get(program)
            if entry is None:
                print(f"{label:18} {program:{width}} {'n/a':>9}")
                continue
            photo = entry["outputs"][0]
            print(f"{label:18} {program:{width}} {entry['cpu_ms']:9.1f} {entry['wall_ms']:9.1f} "
                  f"{entry['peak_mib']:9.1f}   {photo['width']} × {photo['height']} {photo['bytes'] / 1000:6.0f}")
        print()


def print_ratios(results, pictures, programs):
    others = programs[1:]
    for key, title in (("cpu_ms", "CPU"), ("peak_mib", "memory")):
        head = "".join(f"{'÷ ' + program:>16}" for program in others)
        print(f"{'worker, ' + title:18}{head}")
        for name, _, goal in pictures:
            shares = [ratio(results, name, key, program) for program in others]
            cells = "".join(f"{share:16.2f}" if share is not None else f"{'n/a':>16}" for share in shares)
            print(f"{name:18}{cells}{'' if goal else '   start alone'}")
        print()
    for name in results:
        shares = [ratio(results, name, key, ONE_CORE) for key in SHARES_OF_ONE_CORE]
        if shares[0] is not None:
            print("{}: {:.2f} × the time, {:.2f} × the CPU and {:.2f} × the memory of the worker on one core\n"
                  .format(name, *shares))


def heif_encode(source, output):
    subprocess.run(["heif-enc", "-q", "55", "-p", "preset=veryfast", "-p", "tune=psnr", "-o", output, source], check=True,
                   stdout=sys.stderr)


def draw_tiled(folder):
    """The HEIC as phones write it: 48 tiles of 512 × 512, of which the last column and row are cut."""
    tiles = folder / "tiles"
    tiles.mkdir()
    subprocess.run(["vips", "embed", folder.parent / "12mp.jpg", tiles / "whole.v", *"0 0 4096 3072 --extend copy".split()],
                   check=True)
    subprocess.run(["vips", "dzsave", tiles / "whole.v", tiles / "cut", *"--layout google --tile-size 512 --overlap 0".split(),
                    "--depth", "one", "--suffix", ".jpg[Q=95,no_subsample]"], check=True)
    cut = [tiles / f"cut/0/{row}/{column}.jpg" for row in range(6) for column in range(8)]
    for tile in cut:
        heif_encode(tile, tile.with_suffix(".heic"))
    subprocess.run([sys.executable, HERE / "heif_grid.py", "8", "4032", "3024", folder / TILES,
                    *(tile.with_suffix(".heic") for tile in cut)], check=True)


def draw_pictures(options):
    """Once, unless what draws them has changed."""
    kept, drawn = options.kept, options.kept / "drawn"
    stamp = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in ("pictures.c", "measure.py"))).hexdigest()
    if drawn.exists() and drawn.read_text() == stamp:
        return
    for _, file, _ in PICTURES:
        (kept / file).unlink(missing_ok=True)
    draw(kept, ("12mp.jpg", "jpeg", 4032, 3024, 8), ("48mp.jpg", "jpeg", 8064, 6048, 4.5), ("12mp.png", "png", 4032, 3024, 0.8),
         ("start.jpg", "jpeg", 64, 48, 8))
    heif_encode(kept / "12mp.jpg", kept / "12mp.heic")
    draw_tiled(options.folder)
    os.rename(options.folder / TILES, kept / TILES)
    drawn.write_text(stamp)


def build_programs(folder):
    step("Building what it is compared with")
    include = ["-ISources/System/CProcess/include", "-ISources/System/CImageCodecs/include"]
    compile_c(folder / "start", *include, HERE / "start.c", "Sources/System/CProcess/CProcess.c")
    for name, libraries in (("jpeg", ["-ljpeg"]), ("png", ["-ljpeg", "-lpng"]), ("heif", ["-ljpeg", "-lheif"])):
        compile_c(folder / f"limit-{name}", f"-DLIMIT_{name.upper()}", *include, HERE / "limit.c",
                  "Sources/System/CImageCodecs/resample.c", *libraries, "-lm")


def main():
    parser = Parser(__doc__)
    parser.add("--runs", 9, "the medians of as many runs count")
    parser.add("--only", "", "only the pictures whose name has this text: --only jpeg", str)
    options = parser.parse_args()
    programs = PROGRAMS
    pictures = [picture for picture in PICTURES if options.only.lower() in picture[0].lower()]
    if not pictures:
        parser.error("--only: no picture has this text in its name")
    with prepared(options, packages=["libvips-tools", "libheif-examples"], products=["photo-worker"]):
        python = environment(ROOT / ".dayly/bench/venv", HERE / "requirements.txt") / "python"
        build_programs(options.kept)
        draw_pictures(options)
        show(options, pictures, programs, Bench(str(options.kept), str(options.products / "photo-worker"), str(python)))


def show(options, pictures, programs, bench):
    machine = {
        "cpu": cpu_model(), "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(),
        "load": os.getloadavg()[0],
    }
    results = measure(bench, pictures, programs, options.runs)
    missed = misses(results, pictures)
    if options.json:
        print(json.dumps({"machine": machine, "runs": options.runs, "pictures": results, "missed": missed}, indent=1))
    else:
        print(f"\n{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, load {machine['load']:.1f}; "
              f"medians of {options.runs} runs, each from start to end of the process")
        print_table(results, pictures, options.kept, programs)
        print_ratios(results, pictures, programs)
    for text in missed:
        print(f"missed: {text}", file=sys.stderr)
    sys.exit(1 if options.check and missed else 0)


main()
