"""The whole cluster: what runs where, and in which order it starts."""

import os

from boxes import BACK, FRONT, Network, Program, path, wait_until
from database import Etcd, Postgres
from api_nodes import Node, Release, shared_settings
from certificates import Authority
from store import HAProxy, Store

CLIENTS_PORT = 9000
SERVICE, STORE, MESSAGES = "https://lb", "https://s3lb:9443", "https://clients:9443/sms"
# The fake SMS gateway speaks plain http, and the nodes do not.
MESSAGES_PROXY = """global
    maxconn 4000
defaults
    mode tcp
    timeout connect 1s
    timeout client 60s
    timeout server 60s
listen messages
    bind :9443 ssl crt {certificate}
    server fake 127.0.0.1:{port}
"""


class Cluster:
    """clients - lb - api1, api2, api3 - pg1, pg2, pg3 with etcd1 to etcd3; api - s3lb - gateway1, gateway2 - store. The nodes run
    in production mode, so everything that they call and that calls them from outside speaks TLS.
    """

    def __init__(self, options, project):
        self.options = options
        shipped = os.path.join(project, "deploy")
        self.network = Network(options.delay)
        authority = Authority()
        self.etcd = Etcd(self.network, os.path.join(shipped, "cluster"))
        self.is_synchronous = options.without != "synchronous"
        self.postgres = Postgres(self.network, os.path.join(shipped, "cluster"), not self.is_synchronous)
        self.store = Store(self.network, project, os.path.join(project, ".dayly", "tools", "objectstore"))
        small = (r"maxconn 20000", "maxconn 4000")
        silent = (r"^    log .*\n", "")
        self.store_balancer = HAProxy(
            self.network, "s3lb", 20, os.path.join(shipped, "cluster", "haproxy-s3.cfg"),
            # In a box of its own here, and clients use it by the same address.
            [small, silent, (r"^    bind 127\.0\.0\.1:9000\n", ""),
             (r"/etc/haproxy/certs/", authority.certificate_of("s3lb")), (r"10\.0\.0\.3(\d)", r"10.77.1.4\1")])
        self.balancer = HAProxy(
            self.network, "lb", 10, os.path.join(shipped, "proxies", "haproxy.cfg"),
            [small, silent, (r"/etc/haproxy/dayly\.pem", authority.certificate_of("lb")),
             (r"10\.0\.0\.1(\d)", r"10.77.1.1\1")])
        self.clients = self.network.box("clients", 50, FRONT, BACK)
        with open(path("messages.cfg"), "w", encoding="utf-8") as file:
            file.write(MESSAGES_PROXY.format(certificate=authority.certificate_of("clients"), port=CLIENTS_PORT))
        self.messages_proxy = Program(self.clients, "messages", ["haproxy", "-f", path("messages.cfg")])
        self.release = Release(project)
        settings = shared_settings(self.postgres, self.store, SERVICE, STORE, MESSAGES) | {
            "database.migrations_path": self.release.old,
            "photos.lifetime": f"{options.lifetime}s", "photos.url_lifetime": f"{options.lifetime // 2}s"}
        self.nodes = [Node(self.network, number, os.path.join(options.products, "dayly"), settings)
                      for number in (1, 2, 3)]
        self.network.write_hosts()

    def start(self):
        self.etcd.start()
        self.postgres.start()
        self.store.start()
        self.store_balancer.start()
        self.balancer.start()
        self.messages_proxy.start()
        wait_until("PostgreSQL and its standbys", 90, self.is_whole)
        self.postgres.make_database()
        self.store.make_bucket("cluster")
        answer = self.nodes[0].command("migrate")
        if answer.returncode != 0:
            raise RuntimeError(f"dayly migrate: {answer.stdout}{answer.stderr}")
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.await_readiness()

    def is_whole(self):
        return self.postgres.is_whole(not self.is_synchronous)

    def load(self, products, plan, report):
        return Program(self.clients, "load", [os.path.join(products, "fault-harness"), "cluster", plan, report])

    def heal(self):
        """Everything runs and reaches everything again."""
        for box in self.network.boxes.values():
            for bridge in box.bridges:
                box.mend(bridge)
        for program in [*self.postgres.programs.values(), *self.store.gateways]:
            if not program.is_running():
                program.start()
        for node in self.nodes:
            if not node.program.is_running():
                node.start()
        wait_until("the whole cluster", 120, self.is_whole)
        for node in self.nodes:
            node.await_readiness()

    def programs(self):
        return [*self.etcd.programs, *self.postgres.programs.values(), *self.store.servers, *self.store.gateways,
                self.store_balancer.program, self.balancer.program, self.messages_proxy, *(node.program for node in self.nodes)]
