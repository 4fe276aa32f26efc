"""The bill of materials of a package, as SPDX 2.3 JSON: the Swift packages of Package.resolved, Swift's own libraries, and the
Debian packages whose libraries the programs use.

usage: sbom.py VERSION ROOT     ROOT is the package's tree; Package.resolved is read from the current folder
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

PROGRAMS = ("usr/bin/dayly", "usr/libexec/dayly/photo-worker")
# photo-worker loads it when the first HEIC comes, so no program is linked to it.
LOADED = ("libheif.so.1",)
CHECKOUTS = ".build/checkouts"
# Libraries that Swift packages bring as their own copies.
COPIES = {
    "swift-crypto": "It contains a copy of BoringSSL.", "swift-nio-ssl": "It contains a copy of BoringSSL.",
    "swift-nio-extras": "It contains a copy of zlib.", "yams": "It contains a copy of libyaml.",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def part(name, version, purl, licence, supplier, comment=None):
    """A package of the document."""
    entry = {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
        "copyrightText": "NOASSERTION", "supplier": supplier,
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}],
    }
    return entry | ({"comment": comment} if comment else {})


def licence_of(folder):
    names = sorted(name for name in os.listdir(folder) if name.upper().startswith("LICENSE"))
    with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
        text = file.read()
    if "Apache License" in text:
        return "Apache-2.0"
    return "MIT" if "Permission is hereby granted, free of charge" in text else "NOASSERTION"


def swift_packages():
    with open("Package.resolved", encoding="utf-8") as file:
        pins = json.load(file)["pins"]
    for pin in pins:
        place = re.sub(r"^https://|\.git$", "", pin["location"])
        version = pin["state"].get("version") or pin["state"]["revision"]
        folder = os.path.join(CHECKOUTS, os.path.basename(place))
        entry = part(
            pin["identity"], version, f"pkg:swift/{place}@{version}", licence_of(folder), "NOASSERTION",
            COPIES.get(pin["identity"]))
        entry["downloadLocation"] = f"git+https://{place}.git@{pin['state']['revision']}"
        yield entry


def swift_runtime():
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    return part(
        "swift-runtime", version, f"pkg:github/swiftlang/swift@swift-{version}-RELEASE", "Apache-2.0",
        "Organization: Swift.org", "Swift's standard library, Foundation with ICU, and Dispatch.")


def needed(path):
    return re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", path))


def library_paths():
    """The paths of all libraries by name, as the linker of this machine finds them."""
    found = {}
    for name, path in re.findall(r"^\s+(\S+) \(.*x86-64.*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M):
        found.setdefault(name, path)
    return found


def debian_packages(root):
    """The packages of the libraries that the programs are linked to, and of those that they load."""
    names = set(LOADED)
    for program in PROGRAMS:
        names.update(needed(os.path.join(root, program)))
    paths = library_paths()
    owners = {owner(paths[name]) for name in names if name in paths}
    distribution = re.search(r'^VERSION_ID="?(\d+)', open("/etc/os-release", encoding="utf-8").read(), re.M)
    for name in sorted(owners):
        version, architecture, source = output(
            "dpkg-query", "-W", "-f", "${Version}\t${Architecture}\t${source:Package}", name).split("\t")
        yield part(
            name, version, f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={architecture}"
            + (f"&distro=debian-{distribution[1]}" if distribution else ""),
            "NOASSERTION", "Organization: Debian",
            f"Built from Debian's source package {source}; its licence is in /usr/share/doc/{name}/copyright.")


def owner(path):
    for candidate in (path, os.path.realpath(path), "/usr" + path, re.sub("^/usr", "", os.path.realpath(path))):
        result = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
        if result.returncode == 0:
            return result.stdout.split(":")[0]
    sys.exit(f"sbom.py: no Debian package has {path}")


def document(version, root):
    commit = output("git", "rev-parse", "HEAD").strip()
    made = datetime.datetime.fromtimestamp(int(output("git", "log", "-1", "--format=%ct")), datetime.timezone.utc)
    dayly = part("dayly", version, f"pkg:deb/dayly@{version.replace('+', '%2B')}", "Apache-2.0", "NOASSERTION")
    linked = [*swift_packages(), swift_runtime()]
    debian = list(debian_packages(root))
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", dayly["SPDXID"])]
    relations += [(dayly["SPDXID"], "DEPENDS_ON", other["SPDXID"]) for other in linked]
    relations += [(dayly["SPDXID"], "DYNAMIC_LINK", other["SPDXID"]) for other in debian]
    packages = [dayly, *linked, *debian]
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()[:16]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"dayly-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/dayly-{version}-{commit[:12]}-{digest}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: scripts/package"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations],
    }


print(json.dumps(document(*sys.argv[1:]), indent=1))
