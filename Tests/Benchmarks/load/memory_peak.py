"""Watches the memory of a process and its children."""

import os
import re
import threading
import time


class Memory:
    """The most that a process and what it started held: proportional set sizes, and memory files nobody has mapped."""

    def __init__(self, pid):
        self.pid = pid
        self.peak = {"total": 0, "service": 0, "workers": 0, "files": 0}
        self.going = True
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self):
        while self.going:
            service, files = self.pss(self.pid), self.memory_files()
            workers = sum(self.pss(child) for child in self.children())
            total = service + workers + files
            if total > self.peak["total"]:
                self.peak = {"total": total, "service": service, "workers": workers, "files": files}
            time.sleep(0.02)

    def end(self):
        self.going = False
        self.thread.join()
        return self.peak

    def children(self):
        try:
            tasks = os.listdir(f"/proc/{self.pid}/task")
            return [int(child) for task in tasks
                    for child in open(f"/proc/{self.pid}/task/{task}/children").read().split()]
        except OSError:
            return []

    @staticmethod
    def pss(pid):
        try:
            return int(re.search(r"Pss:\s+(\d+)", open(f"/proc/{pid}/smaps_rollup").read()).group(1)) / 1024
        except (OSError, AttributeError):
            return 0

    def memory_files(self):
        total = 0
        try:
            for name in os.listdir(f"/proc/{self.pid}/fd"):
                path = f"/proc/{self.pid}/fd/{name}"
                try:
                    if os.readlink(path).startswith("/memfd:"):
                        total += os.stat(path).st_blocks * 512
                except OSError:
                    pass
        except OSError:
            pass
        return total / 1048576
