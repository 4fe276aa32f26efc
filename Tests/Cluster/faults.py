"""The faults: one every few seconds, in an order that a seed decides, and the upgrade in the middle."""

import random
import signal
import time
from dataclasses import dataclass, field

from boxes import BACK, wait_until


@dataclass
class Fault:
    kind: str
    detail: str
    start: float
    end: float = 0.0
    remarks: list = field(default_factory=list)


class Faults:
    # A primary that was killed comes back when another one has long taken over: its machine was away.
    DOWN = 28
    MINOR = ("kill_node", "kill_worker", "cut_node", "reload_proxy", "kill_gateway", "switch_over")
    ALL = (*MINOR, "kill_primary")

    def __init__(self, cluster, seed, say):
        self.cluster, self.say = cluster, say
        self.random = random.Random(seed)
        self.done = []
        self._bag = []

    # One fault each. A function returns its detail, or None where there was nothing to break.

    def kill_node(self):
        """kill -9 of a node, which its unit starts again after a second."""
        node = self.random.choice(self.cluster.nodes)
        node.program.end(signal.SIGKILL)
        time.sleep(1)
        node.start()
        return node.name

    def kill_worker(self):
        """kill -9 of a process that decodes a picture."""
        nodes = self.random.sample(self.cluster.nodes, 3)
        return next((node.name for node in nodes if node.kill_worker(3)), None)

    def cut_node(self):
        """A node does not reach PostgreSQL for five seconds; clients still reach the node."""
        node = self.random.choice(self.cluster.nodes)
        node.box.cut(BACK)
        time.sleep(5)
        node.box.mend(BACK)
        return node.name

    def reload_proxy(self):
        """A reload as after a change of its configuration: a new worker takes the listening sockets over."""
        self.cluster.balancer.program.send(signal.SIGUSR2)
        return "lb"

    def kill_gateway(self):
        gateway = self.random.choice(self.cluster.store.gateways)
        gateway.end(signal.SIGKILL)
        time.sleep(2)
        gateway.start()
        return gateway.name

    def switch_over(self):
        if not self.cluster.is_whole():
            return None
        old, new = self.cluster.postgres.switch_over()
        return f"{old} to {new}"

    def kill_primary(self):
        """The primary's machine dies, and comes back as a standby.

        The network to the standbys breaks a second earlier. Commits of that time are on the primary alone: they must not
        have been acknowledged. The machine leaves the network with its processes; otherwise its kernel would still send
        the standbys what a killed process had written.
        """
        wait_until("two standbys", 60, self.cluster.is_whole)
        postgres = self.cluster.postgres
        name = postgres.primary()
        own = postgres.programs[name].box
        standbys = [program.box for program in postgres.programs.values() if program.box is not own]
        for box in standbys:
            box.cut(BACK)
        time.sleep(1)
        # Clients are refused from here on: before, a commit waits for its standby.
        self.done[-1].start = time.time()
        postgres.kill(name)
        own.cut(BACK)
        for box in standbys:
            box.mend(BACK)
        time.sleep(self.DOWN)
        own.mend(BACK)
        postgres.lift(name)
        return name

    def upgrade(self):
        """The next version's migration beside the old processes, then SIGTERM to one node after the other."""
        new = self.cluster.release.new
        answer = self.cluster.nodes[0].command("migrate", **{"database.migrations_path": new})
        if answer.returncode:
            raise RuntimeError(f"the migration failed: {answer.stdout}{answer.stderr}")
        for node in self.cluster.nodes:
            status = node.program.end(signal.SIGTERM, within=90)
            if status:
                self.done[-1].remarks.append(f"{node.name} ended with {status}")
            node.change({"database.migrations_path": new})
            node.start()
            node.await_readiness()
            # Until the load balancer has seen it.
            time.sleep(1)
        return "with a migration"

    # The schedule.

    def inject(self, kind):
        self.done.append(Fault(kind, "", time.time()))
        fault = self.done[-1]
        detail = getattr(self, kind)()
        fault.end = time.time()
        if detail is None:
            self.done.pop()
            return False
        fault.detail = detail
        self.say(f"{kind.replace('_', ' ')}: {detail} ({fault.end - fault.start:.1f} s)")
        return True

    def next_minor(self):
        if not self._bag:
            self._bag = list(self.MINOR)
            self.random.shuffle(self._bag)
        return self._bag.pop()

    def play(self, seconds, every, primary_at, primary_every, upgrade_at):
        """A fault every so often; the primary and the upgrade in the place of others."""
        began = time.monotonic()
        next_at, is_upgraded = every, upgrade_at is None
        while next_at < seconds:
            time.sleep(max(0.0, began + next_at - time.monotonic()))
            now = time.monotonic() - began
            self._await_nodes()
            if primary_at is not None and now >= primary_at:
                self.inject("kill_primary")
                primary_at += primary_every
            elif not is_upgraded and now >= upgrade_at:
                self.inject("upgrade")
                is_upgraded = True
            elif not self.inject(self.next_minor()):
                self.inject("reload_proxy")
            next_at = max(next_at + every, time.monotonic() - began + every / 2)
        time.sleep(max(0.0, began + seconds - time.monotonic()))

    def _await_nodes(self):
        """One fault of a node at a time: two nodes at once are another promise."""
        for node in self.cluster.nodes:
            node.await_readiness(30)

    def play_only(self, kind, seconds, every):
        """One kind of fault over and over, to look at it closely."""
        deadline = time.monotonic() + seconds
        while time.monotonic() + every < deadline:
            time.sleep(every)
            self._await_nodes()
            self.inject(kind)
        time.sleep(every)

    def play_short(self, every):
        """One node, one gateway, one switchover. The node comes first: an upload that it had begun waits half a minute."""
        for kind in ("kill_node", "kill_gateway", "switch_over"):
            time.sleep(every)
            self._await_nodes()
            self.inject(kind)
        time.sleep(every)
