"""Boxes: machines of one cluster, each a network namespace of its own. See scripts/cluster.

This program already runs in namespaces that end with it (network, mounts, processes), so nothing here reaches the machine's
own network, and nothing is left behind however it ends.
"""

import os
import signal
import subprocess
import threading
import time

# The folder of the run, bound to a place that every user can reach.
ROOT = "/media"
FRONT, BACK = "front", "back"
SUBNETS = {FRONT: "10.77.1", BACK: "10.77.2"}


def run(*command, check=True, **more):
    return subprocess.run(command, check=check, text=True, capture_output=True, **more)


def path(*parts):
    return os.path.join(ROOT, *parts)


class Network:
    """Two bridges. Clients, proxies, nodes and the store are on the front one, nodes and PostgreSQL on the back one."""

    def __init__(self, delay_ms=0):
        self.delay_ms = delay_ms
        self.boxes = {}
        run("ip", "link", "set", "lo", "up")
        for name, subnet in SUBNETS.items():
            run("ip", "link", "add", name, "type", "bridge")
            run("ip", "address", "add", f"{subnet}.1/24", "dev", name)
            run("ip", "link", "set", name, "up")

    def box(self, name, number, *bridges):
        self.boxes[name] = Box(self, name, number, bridges)
        return self.boxes[name]

    def write_hosts(self):
        """Lets every process of the cluster know every box by its name; seen in this mount namespace only."""
        with open(path("hosts"), "w", encoding="ascii") as file:
            file.write("127.0.0.1 localhost\n")
            for box in self.boxes.values():
                file.write(f"{box.address} {box.name}\n")
        run("mount", "--bind", path("hosts"), "/etc/hosts")


class Box:
    def __init__(self, network, name, number, bridges):
        self.name, self.bridges = name, bridges
        # PostgreSQL and etcd are reached over the back, everything else over the front.
        self.address = f"{SUBNETS[bridges[0]]}.{number}"
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.space = f"/proc/{self.holder.pid}/ns/net"
        own = os.stat("/proc/self/ns/net").st_ino
        while os.stat(self.space).st_ino == own:
            time.sleep(0.01)
        self.inside("ip", "link", "set", "lo", "up")
        for bridge in bridges:
            outer = self.port(bridge)
            run("ip", "link", "add", outer, "type", "veth", "peer", "name", bridge, "netns", str(self.holder.pid))
            run("ip", "link", "set", outer, "master", bridge, "up")
            self.inside("ip", "address", "add", f"{SUBNETS[bridge]}.{number}/24", "dev", bridge)
            self.inside("ip", "link", "set", bridge, "up")
            if network.delay_ms:
                self.inside("tc", "qdisc", "add", "dev", bridge, "root", "netem", "delay", f"{network.delay_ms}ms")

    def port(self, bridge):
        return f"{self.name}-{bridge[0]}"

    def enter(self, *command, user=None):
        """The command line that runs a command in this box."""
        drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        return ["nsenter", f"--net={self.space}", "--", *drop, *command]

    def inside(self, *command, **more):
        return run(*self.enter(*command), **more)

    def cut(self, bridge):
        """Partitions the box from a bridge: packets get lost without a word."""
        run("ip", "link", "set", self.port(bridge), "down")

    def mend(self, bridge):
        run("ip", "link", "set", self.port(bridge), "up")


class Program:
    """A process in a box that can be killed and started again. Its output goes into a file."""

    def __init__(self, box, name, command, environment=None, user=None):
        self.box, self.name, self.user = box, name, user
        self.command, self.environment = command, environment or {}
        self.log = path("log", f"{name}.log")
        self.process = None
        # Ends that nobody asked for.
        self.surprises = []
        self.is_wanted = False

    def start(self):
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": ROOT} | self.environment
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.box.enter(*self.command, user=self.user), env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True, cwd="/")
        self.is_wanted = True
        threading.Thread(target=self._watch, args=(self.process,), daemon=True).start()
        return self

    def _watch(self, process):
        status = process.wait()
        if self.is_wanted and process is self.process:
            self.surprises.append((time.time(), status))

    @property
    def pid(self):
        return self.process.pid

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def send(self, number):
        if self.is_running():
            os.kill(self.pid, number)

    def end(self, number=signal.SIGTERM, within=30):
        """Ends the process; with SIGKILL all of its session, so that children do not outlive it."""
        self.is_wanted = False
        if not self.is_running():
            return None
        if number == signal.SIGKILL:
            kill_tree(self.pid)
        else:
            os.kill(self.pid, number)
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            kill_tree(self.pid)
            return self.process.wait()


def children(pid):
    """All descendants of a process."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                for child in map(int, file.read().split()):
                    found += [child, *children(child)]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


def kill_tree(pid):
    for one in [pid, *children(pid)]:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            pass


def wait_until(what, seconds, probe, pause=0.1):
    """Asks until the answer is true; an exception of the network counts as no."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            answer = probe()
            if answer:
                return answer
        except (OSError, subprocess.CalledProcessError, ValueError):
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not happen within {seconds} s")
        time.sleep(pause)
