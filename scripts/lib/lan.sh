# shellcheck shell=bash
# HTTPS for phones in the same network, for `scripts/run --lan`: a certificate authority of this folder's own, and stunnel,
# which passes the bytes of TLS connections on to the service. Sourced after common.sh.

lan_port=8443
lan_certificate_port=8480
lan_pids=()

lan_install() {
    apt_install_missing stunnel4 qrencode openssl iproute2 python3-minimal
}

# lan_address: prints the machine's address in its network: the one that it would use to reach others.
lan_address() {
    local address
    address=$(ip -4 route get 192.0.2.1 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p')
    [ -n "$address" ] || address=$(ip -4 -o address show scope global up | sed -n '1s/.* inet \([0-9.]*\).*/\1/p')
    [ -n "$address" ] || fail "this machine has no address in a network" "name one: scripts/run --lan=192.168.1.20"
    printf '%s\n' "$address"
}

# lan_check ADDRESS: fails for an address that others than the people in this network can reach. Everybody who reaches a
# development service may sign in.
lan_check() {
    [[ $1 =~ ^(10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|169\.254\.)[0-9.]+$ ]] ||
        fail "$1 is not an address of a private network" "serve the world as docs/install.md describes"
}

# lan_certificate FOLDER ADDRESS: makes the authority if there is none, and a certificate for the address and the machine's
# names. Phones that trust the authority trust it for private addresses and these names only.
lan_certificate() {
    local folder=$1 address=$2 name
    name=$(hostname -s | tr -cd 'A-Za-z0-9-')
    name=${name:-dayly}
    mkdir -p "$folder"
    chmod 700 "$folder"
    cat >"$folder/openssl.cnf" <<TEXT
[req]
distinguished_name = names
prompt = no
[names]
CN = Dayly on $name
[authority]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
nameConstraints = critical, permitted;IP:10.0.0.0/255.0.0.0, permitted;IP:172.16.0.0/255.240.0.0, permitted;IP:192.168.0.0/255.255.0.0, permitted;IP:169.254.0.0/255.255.0.0, permitted;DNS:$name, permitted;DNS:$name.local
[server]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = IP:$address, DNS:$name, DNS:$name.local
TEXT
    (
        umask 077
        if ! openssl x509 -in "$folder/authority.pem" -noout -checkend $((86400 * 30)) >/dev/null 2>&1; then
            openssl req -x509 -config "$folder/openssl.cnf" -extensions authority -days 730 -nodes -newkey ec \
                -pkeyopt ec_paramgen_curve:P-256 -keyout "$folder/authority.key" -out "$folder/authority.pem"
        fi
        openssl x509 -in "$folder/authority.pem" -outform DER -out "$folder/dayly.crt"
        openssl req -new -config "$folder/openssl.cnf" -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 \
            -keyout "$folder/server.key" -out "$folder/server.csr"
        # iOS takes no certificate of a server that lives for more than 825 days.
        openssl x509 -req -in "$folder/server.csr" -CA "$folder/authority.pem" -CAkey "$folder/authority.key" \
            -set_serial "0x$(openssl rand -hex 16)" -days 365 -extfile "$folder/openssl.cnf" -extensions server \
            -out "$folder/server.pem"
    ) >"$folder/openssl.log" 2>&1 || fail "no certificate could be made" "$folder/openssl.log names the reason"
}

# lan_start FOLDER ADDRESS PORT: serves what 127.0.0.1:PORT serves by HTTPS on the address, and the authority's certificate
# by HTTP.
lan_start() {
    local folder=$1 address=$2 port=$3
    cat >"$folder/stunnel.conf" <<TEXT
foreground = yes
pid =
syslog = no
output = $folder/stunnel.log
debug = warning
[dayly]
accept = $address:$lan_port
connect = 127.0.0.1:$port
cert = $folder/server.pem
key = $folder/server.key
sslVersionMin = TLSv1.2
TEXT
    if port_taken "$lan_port" "$address" || port_taken "$lan_certificate_port" "$address"; then
        fail "port $lan_port or $lan_certificate_port of $address is taken by another program" "end that one"
    fi
    stunnel "$folder/stunnel.conf" 2>/dev/null 9>&- &
    lan_pids+=($!)
    python3 "$project_root/scripts/lib/lan_certificate.py" "$address" "$lan_certificate_port" "$folder/dayly.crt" 9>&- &
    lan_pids+=($!)
    if ! wait_until 10 port_taken "$lan_port" "$address" || ! wait_until 10 port_taken "$lan_certificate_port" "$address"; then
        fail "https on $address does not start" "$folder/stunnel.log names the reason"
    fi
}

lan_stop() {
    local pid
    for pid in "${lan_pids[@]}"; do end_process "$pid"; done
}

# lan_explain FOLDER ADDRESS: says how a phone opens the service.
lan_explain() {
    local folder=$1 address=$2 print
    print=$(openssl x509 -in "$folder/authority.pem" -noout -fingerprint -sha256 | cut -d= -f2)
    step "On a phone in the same network, open https://$address:$lan_port"
    qrencode -t ANSIUTF8 "https://$address:$lan_port" >&2
    note "The phone warns, because it does not know this machine's certificate. Going on past the warning shows Dayly, but"
    note "an iPhone then keeps nothing for the time without a network. To trust it, open this on the phone:"
    note "  http://$address:$lan_certificate_port/dayly.crt"
    note "iPhone: Settings > Profile Downloaded > Install; then General > About > Certificate Trust Settings, switch it on."
    note "Android: Settings > Security > More > Install a certificate > CA certificate, and choose the file."
    note "Its SHA-256 is $print."
    note "It counts for private addresses and this machine's name only. Remove it from the phone when you are done."
    note "If the phone finds nothing: a firewall here, or a guest network, keeps the two apart."
}
