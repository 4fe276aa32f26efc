"""`scripts/run --lan` in a network namespace of its own, with a web server in the service's place."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

WORLD = """
set -euo pipefail
ip link set lo up
ip address add 10.77.0.1/24 dev lo
cd "$1"
. scripts/lib/common.sh
. scripts/lib/lan.sh
folder=$2
mkdir -p "$folder/web"
echo served >"$folder/web/page"
python3 -m http.server --bind 127.0.0.1 --directory "$folder/web" 8080 >/dev/null 2>&1 9>&- &
server=$!
trap 'kill $server; lan_stop' EXIT
wait_until 10 port_taken 8080
lan_certificate "$folder/lan" 10.77.0.1
lan_start "$folder/lan" 10.77.0.1 8080
"""

FETCH = "curl -sS --max-time 10 "


def run(folder, script):
    return subprocess.run(["unshare", "--net", "--map-root-user", "bash", "-c", WORLD + script, "lan", ROOT, folder],
                          capture_output=True, text=True, timeout=60)


def test_phone_that_trusts_the_certificate_is_served(tmp_path):
    ended = run(tmp_path, FETCH + '-o "$folder/dayly.der" -w "%{content_type}\\n" http://10.77.0.1:8480/dayly.crt\n'
                'openssl x509 -inform DER -in "$folder/dayly.der" -out "$folder/dayly.pem"\n'
                + FETCH + '--cacert "$folder/dayly.pem" https://10.77.0.1:8443/page')
    assert ended.stdout.split("\n") == ["application/x-x509-ca-cert", "served", ""], ended.stderr


def test_phone_that_does_not_trust_it_is_warned(tmp_path):
    ended = run(tmp_path, FETCH + "https://10.77.0.1:8443/page")
    assert ended.returncode == 60, "curl's status for a certificate that is not trusted"


def test_nothing_but_these_two_ports_listens_outside(tmp_path):
    ended = run(tmp_path, "ss -Hltn | awk '{print $4}' | sort")
    assert ended.stdout.split() == ["10.77.0.1:8443", "10.77.0.1:8480", "127.0.0.1:8080"], ended.stderr


def test_authority_stays_over_a_restart(tmp_path):
    script = 'cat "$folder/lan/authority.pem"'
    assert run(tmp_path, script).stdout == run(tmp_path, script).stdout != ""


def test_stolen_authority_signs_no_other_site(tmp_path):
    ended = run(tmp_path, """
cd "$folder/lan"
for name in DNS:example.com IP:203.0.113.7; do
    sed "s/^subjectAltName.*/subjectAltName = $name/" openssl.cnf >other.cnf
    openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -set_serial 7 -days 2 -extfile other.cnf \\
        -extensions server -out other.pem 2>/dev/null
    openssl verify -CAfile authority.pem other.pem 2>&1 | grep -c "permitted subtree violation" || true
done
openssl verify -CAfile authority.pem server.pem
""")
    assert ended.stdout.split("\n")[:3] == ["1", "1", "server.pem: OK"], ended.stderr


def test_public_address_is_refused(tmp_path):
    for address in ["203.0.113.7", "172.32.0.1", "0.0.0.0", "example.com", "10.0.0.1;id"]:
        ended = run(tmp_path, f"lan_check '{address}'")
        assert ended.returncode == 1 and "not an address of a private network" in ended.stderr
    assert run(tmp_path, "lan_check 172.16.0.9; lan_check 192.168.1.20").returncode == 0
