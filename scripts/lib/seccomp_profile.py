"""The seccomp profile of the container: the system calls that deploy/systemd/dayly.service allows, as JSON for podman and docker.

usage: seccomp_profile.py >deploy/container/seccomp.json     needs systemd-analyze
"""

import json
import re
import subprocess

UNIT = "deploy/systemd/dayly.service"


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


def allowed():
    known, result = sets(), set()
    with open(UNIT, encoding="utf-8") as file:
        lines = re.findall(r"^SystemCallFilter=(~?)(.*)$", file.read(), re.M)
    for inverted, names in lines:
        listed = set().union(*(calls(name, known) for name in names.split()))
        result = result - listed if inverted else result | listed
    # systemd always allows these.
    return result | calls("@default", known)


print(json.dumps({
    "defaultAction": "SCMP_ACT_ERRNO",
    "defaultErrnoRet": 1,
    "archMap": [{"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []}],
    "syscalls": [
        # Without clone3 the C library falls back to clone, whose flags a filter can read.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {"names": ["clone"], "action": "SCMP_ACT_ALLOW",
         # No namespaces.
         "args": [{"index": 0, "value": 0x7E020000, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}]},
        {"names": sorted(allowed() - {"clone", "clone3"}), "action": "SCMP_ACT_ALLOW"},
    ],
}, indent=1))
