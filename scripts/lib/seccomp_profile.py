"""The seccomp profile of the container: what deploy/systemd/dayly.service allows, as JSON for podman and docker. These are its
system calls, with the arguments that its other directives forbid (systemd.exec(5); shared/seccomp-util.c of systemd).

usage: seccomp_profile.py >deploy/container/seccomp.json     needs systemd-analyze
"""

import json
import re
import subprocess

UNIT = "deploy/systemd/dayly.service"
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}
WRITE, EXEC, SHM_EXEC = 2, 4, 0o100000
# All bits of a namespace in the flags of clone.
NAMESPACES = 0x7E020000


def sets():
    """{name: its calls and sets} of systemd."""
    text = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        if line.startswith("@"):
            name = line.strip()
            found[name] = set()
        elif name and (word := line.strip()) and not word.startswith("#"):
            found[name].add(word)
    return found


def calls(name, known):
    if not name.startswith("@"):
        return {name}
    return set().union(*(calls(part, known) for part in known[name]))


def equal(index, value):
    return {"index": index, "value": value, "valueTwo": 0, "op": "SCMP_CMP_EQ"}


def masked(index, mask, value=0):
    return {"index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}


def conditions(unit):
    """{a call: the arguments of which one must hold; none: it is forbidden} for the unit's other directives."""
    found = {}
    if "RestrictNamespaces=yes" in unit:
        found |= {"clone": [masked(0, NAMESPACES)], "unshare": [], "setns": []}
    if "LockPersonality=yes" in unit:
        found["personality"] = [equal(0, 0)]
    if "RestrictRealtime=yes" in unit:
        # SCHED_OTHER, SCHED_BATCH and SCHED_IDLE.
        found["sched_setscheduler"] = [equal(1, policy) for policy in (0, 3, 5)]
    if "MemoryDenyWriteExecute=yes" in unit:
        found |= {"mmap": [masked(2, WRITE | EXEC, bits) for bits in (0, WRITE, EXEC)],
                  "mprotect": [masked(2, EXEC)], "shmat": [masked(2, SHM_EXEC)]}
    families = re.search(r"^RestrictAddressFamilies=(.*)$", unit, re.M)
    if families:
        found["socket"] = [equal(0, FAMILIES[name]) for name in families[1].split()]
    return found


def allowed(unit):
    known, result = sets(), set()
    for inverted, names in re.findall(r"^SystemCallFilter=(~?)(.*)$", unit, re.M):
        listed = set().union(*(calls(name, known) for name in names.split()))
        result = result - listed if inverted else result | listed
    # systemd always allows these.
    return result | calls("@default", known)


with open(UNIT, encoding="utf-8") as file:
    text = file.read()
special = conditions(text)
plain = allowed(text) - {"clone3"}
print(json.dumps({
    "defaultAction": "SCMP_ACT_ERRNO",
    "defaultErrnoRet": 1,
    "archMap": [{"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []}],
    "syscalls": [
        # Without clone3 the C library falls back to clone, whose flags a filter can read.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        *({"names": [name], "action": "SCMP_ACT_ALLOW", "args": [condition]}
          for name in sorted(special.keys() & plain) for condition in special[name]),
        {"names": sorted(plain - special.keys()), "action": "SCMP_ACT_ALLOW"},
    ],
}, indent=1))
