"""The SQL of calls by itself: what the service sent for a person's call, run again by a pgbench for each person."""

import os
import re
import subprocess
import time

ENTRY = re.compile(r"^\S+ \S+ \S+ \[(\d+)\] (\w+):  (.*(?:\n\t.*)*)", re.MULTILINE)

# A parameter with this value is another one in each run: a key that a call may use once.
ONCE = "once-only"


class Transactions:
    """Reads the statements of one person's call from PostgreSQL's log, and runs those of many people at a time."""

    def __init__(self, database, server_log, options):
        self.database = database
        self.server_log = server_log
        self.options = options
        self.scripts = {}

    def record(self, name, people, send, ids=lambda person: (person.id,)):
        """Takes the statements of one call of each person: those with one of the person's ids as a parameter."""
        self.log_all("all")
        self.scripts[name] = [
            self.recorded(f"{name}{number}", send, person, ids(person)) for number, person in enumerate(people)]
        self.log_all("none")

    def recorded(self, name, send, person, ids):
        position = os.path.getsize(self.server_log)
        send(person)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            with open(self.server_log, errors="replace") as log:
                log.seek(position)
                statements = executed(log.read(), ids)
            if statements:
                return self.script(name, statements)
            time.sleep(0.02)
        raise SystemExit(f"error: PostgreSQL's log has no statement of {name}")

    def script(self, name, statements):
        """The arguments of pgbench for the statements, each a text and its parameters."""
        lines, values = [f"\\set once random(1, {10**15})\n"], []
        for number, (text, parameters) in enumerate(statements):
            for place in sorted(parameters, reverse=True):
                value = parameters[place]
                variable = "once" if value == ONCE else f"s{number}p{place}"
                known = "NULL" if value is None else f"(:{variable}){cast(value)}"
                text = re.sub(rf"\${place}(?!\d)", lambda _: known, text)
                if value not in (None, ONCE):
                    values.append(f"-Ds{number}p{place}={value}")
            lines.append(" ".join(text.split()) + ";\n")
        path = os.path.join(self.options.folder, name + ".pgbench")
        with open(path, "w") as file:
            file.writelines(lines)
        return ["-f", path, *values]

    def log_all(self, kinds):
        self.database.run(f"ALTER SYSTEM SET log_statement = '{kinds}';")
        self.database.run("SELECT pg_reload_conf();")
        # The server's processes read the setting when they are signalled.
        time.sleep(0.3)

    def rate(self, name, seconds):
        """Transactions a second of all people at a time, a pgbench with one connection for each."""
        return pgbench(self.database, self.options, self.scripts[name], seconds)


def pgbench(database, options, scripts, seconds, clients=1):
    """Transactions a second of a pgbench for each of the scripts, all at a time, on the core of the clients."""
    running = [
        subprocess.Popen(
            ["taskset", "-c", str(options.cores[1]), "pgbench", "-n", "-M", "prepared", f"-c{clients}", f"-T{seconds}",
             *script, database.url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for script in scripts]
    total = 0.0
    for child in running:
        output, errors = child.communicate()
        if child.returncode != 0:
            raise SystemExit(f"error: pgbench: {errors[-2000:]}")
        # Where not one transaction ended in time, pgbench names no rate.
        found = re.search(r"tps = ([0-9.]+) \(without", output)
        total += float(found[1]) if found else 1 / seconds
    return total


def executed(log, ids):
    """The statements with one of the ids, with the others of the same transactions: texts and parameters by place."""
    found, open_statements = [], {}
    entries = ENTRY.findall(log)
    for index, (process, kind, text) in enumerate(entries):
        if kind != "LOG":
            continue
        simple = re.match(r"statement: (.*)", text, re.DOTALL)
        if simple and simple[1].startswith("BEGIN"):
            open_statements[process] = [("BEGIN", {})]
        elif simple and simple[1].startswith(("COMMIT", "ROLLBACK")):
            parts = open_statements.pop(process, [])
            if any(is_about(ids, parameters) for _, parameters in parts):
                found += [*parts, ("COMMIT", {})]
        elif prepared := re.match(r"execute [^:]*: (.*)", text, re.DOTALL):
            following = entries[index + 1] if index + 1 < len(entries) else ("", "", "")
            detail = following[2] if following[:2] == (process, "DETAIL") else ""
            statement = (prepared[1], parameters_of(detail))
            if process in open_statements:
                open_statements[process].append(statement)
            elif is_about(ids, statement[1]):
                found.append(statement)
    return found


def is_about(ids, parameters):
    """Whether one of the ids is a parameter, or in an array that is one."""
    return any(one in value for one in ids for value in parameters.values() if value)


def parameters_of(detail):
    """The parameters by their places, as `DETAIL:  Parameters: $1 = 'x', $2 = NULL` gives them."""
    return {
        int(place): value.replace("''", "'")
        for place, value in re.findall(r"\$(\d+) = '((?:[^']|'')*)'", detail)
    } | {int(place): None for place in re.findall(r"\$(\d+) = NULL", detail)}


SHAPES = [
    (r"-?\d+", "bigint"), (r"[tf]", "boolean"), (r"\\x[0-9a-f]*", "bytea"),
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid"), (r"\d{4}-\d\d-\d\d", "date"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.*", "timestamptz"),
    (r"-?\d+\.\d+ seconds|(\d+ days? ?)?\d+:\d\d:\d\d(\.\d+)?", "interval"),
]


def cast(value):
    """The type that the service declares for a parameter, by its shape. An empty array may be of any."""
    if value == "{}":
        return ""
    if value.startswith("{") and value.endswith("}"):
        elements = [part.strip('"').replace("\\\\", "\\") for part in value[1:-1].split(",") if part != "NULL"]
        return f"::{shape(elements)}[]" if elements else ""
    return f"::{shape([value])}"


def shape(values):
    for pattern, name in SHAPES:
        if all(re.fullmatch(pattern, value) for value in values):
            return name
    return "text"
