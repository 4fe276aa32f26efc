"""PostgreSQL with Patroni and etcd, three machines each, configured by deploy/cluster."""

import json
import os
import pwd
import re
import secrets
import signal
import subprocess
import urllib.request

import yaml

from boxes import BACK, Program, kill_tree, path, run, wait_until


def settings_of(file):
    """The variables of an environment file."""
    with open(file, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))


class Etcd:
    def __init__(self, network, shipped):
        self.programs = []
        for number in (1, 2, 3):
            name = f"etcd{number}"
            environment = {
                key: value.replace("etcd1:2379", f"{name}:2379").replace("http://etcd1:2380", f"http://{name}:2380")
                if "ADVERTISE" in key else value
                for key, value in settings_of(os.path.join(shipped, "etcd.env")).items()}
            environment |= {"ETCD_NAME": name, "ETCD_DATA_DIR": path("etcd", name), "ETCD_LOGGER": "zap",
                            # The disk is shared by everything here: a slow flush must not cost the leader its place.
                            "ETCD_HEARTBEAT_INTERVAL": "300", "ETCD_ELECTION_TIMEOUT": "3000"}
            box = network.box(name, 30 + number, BACK)
            self.programs.append(Program(box, name, ["etcd"], environment))

    def start(self):
        os.makedirs(path("etcd"), mode=0o700)
        for program in self.programs:
            program.start()


class Postgres:
    """Three machines, `pg1` to `pg3`. Which of them is the primary is Patroni's matter."""

    def __init__(self, network, shipped, asynchronous=False):
        self.secrets = {name: secrets.token_hex(16) for name in ("superuser", "replication", "rewind", "dayly")}
        self.programs = {}
        for number in (1, 2, 3):
            box = network.box(f"pg{number}", 20 + number, BACK)
            self.programs[box.name] = self._program(box, shipped, asynchronous)

    def _program(self, box, shipped, asynchronous):
        home = path("pg", box.name)
        os.makedirs(home, mode=0o700)
        owner = pwd.getpwnam("postgres")
        with open(os.path.join(shipped, "patroni.yml"), encoding="utf-8") as file:
            configuration = yaml.safe_load(file)
        dcs = configuration["bootstrap"]["dcs"]
        if asynchronous:
            dcs["synchronous_mode"] = False
        local = configuration["postgresql"]
        local["data_dir"], local["pgpass"] = f"{home}/data", f"{home}/pgpass"
        # One machine carries three servers, and shares its memory and its disk among them.
        local["parameters"] |= {
            "shared_buffers": "32MB", "unix_socket_directories": home, "max_wal_size": "512MB",
            "log_min_duration_statement": "2s", "log_line_prefix": "%m [%p] "}
        configuration["log"] = {"level": "INFO"}
        with open(f"{home}/patroni.yml", "w", encoding="utf-8") as file:
            yaml.safe_dump(configuration, file)
        for name in (home, f"{home}/patroni.yml"):
            os.chown(name, owner.pw_uid, owner.pw_gid)
        environment = {
            key: value.replace("pg1", box.name)
            for key, value in settings_of(os.path.join(shipped, "patroni.env")).items()}
        for name in ("superuser", "replication", "rewind"):
            environment[f"PATRONI_{name.upper()}_PASSWORD"] = self.secrets[name]
        return Program(box, box.name, ["patroni", f"{home}/patroni.yml"], environment, user="postgres")

    def start(self):
        for program in self.programs.values():
            program.start()

    def url(self, user="dayly"):
        """The URL for a node, or for the superuser."""
        password = self.secrets["dayly" if user == "dayly" else "superuser"]
        database = "dayly" if user == "dayly" else "postgres"
        return (f"postgresql://{user}:{password}@pg1,pg2,pg3/{database}?target_session_attrs=read-write"
                "&connect_timeout=2&tcp_user_timeout=5000&sslmode=disable&gssencmode=disable")

    def members(self):
        """Patroni's own view: {name: (role, state)}."""
        for name in self.programs:
            try:
                with urllib.request.urlopen(f"http://{name}:8008/cluster", timeout=1) as answer:
                    return {one["name"]: (one["role"], one["state"], one.get("lag"))
                            for one in json.load(answer)["members"]}
            except OSError:
                continue
        return {}

    def primary(self):
        leaders = [name for name, one in self.members().items() if one[0] == "leader" and one[1] == "running"]
        return leaders[0] if leaders else None

    def standby(self):
        """A standby that may take over: it has every acknowledged commit."""
        fit = ("sync_standby",) if any(one[0] == "sync_standby" for one in self.members().values()) else ("replica",)
        return next((name for name, one in self.members().items() if one[0] in fit), None)

    def is_whole(self, asynchronous=False):
        members = self.members()
        roles = [one[0] for one in members.values()]
        healthy = len(members) == 3 and all(one[1] in ("running", "streaming") for one in members.values())
        return healthy and roles.count("leader") == 1 and (asynchronous or roles.count("sync_standby") == 1)

    def psql(self, statement, user="postgres"):
        return run("psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url(user)).stdout.strip()

    def wal(self):
        """The bytes of WAL that were ever written."""
        return int(self.psql("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))

    def make_database(self):
        self.psql(f"CREATE ROLE dayly LOGIN PASSWORD '{self.secrets['dayly']}'")
        self.psql("GRANT pg_read_all_stats TO dayly")
        self.psql("CREATE DATABASE dayly OWNER dayly")
        # libpq asks no further host after one that refuses the user.
        end = self.psql("SELECT pg_current_wal_lsn()")
        replayed = f"SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= '{end}'"
        wait_until("the standbys' copies of the database", 60,
                   lambda: int(self.psql(replayed)) == len(self.programs) - 1)

    def switch_over(self):
        """Lets a synchronous standby take over, as before maintenance. Returns the old and the new primary."""
        old, new = self.primary(), self.standby()
        program = self.programs[old]
        command = ["patronictl", "-c", path("pg", old, "patroni.yml"), "switchover", "--master", old,
                   "--candidate", new, "--force"]
        answer = subprocess.run(command, text=True, capture_output=True, env=os.environ | program.environment,
                                check=False)
        if answer.returncode:
            raise RuntimeError(f"patronictl: {answer.stdout}{answer.stderr}")
        return old, new

    def kill(self, name):
        """kill -9 of a machine's PostgreSQL and of its Patroni, all their processes at once."""
        program = self.programs[name]
        program.is_wanted = False
        with open(path("pg", name, "data", "postmaster.pid"), encoding="ascii") as file:
            postmaster = int(file.readline())
        # Stopped, neither starts a process while the others are being killed.
        for pid in (program.pid, postmaster):
            os.kill(pid, signal.SIGSTOP)
        for pid in (program.pid, postmaster):
            kill_tree(pid)

    def lift(self, name):
        """Starts a killed machine's Patroni again, as its unit does."""
        self.programs[name].start()

    def stop(self):
        for program in self.programs.values():
            program.end(within=60)
