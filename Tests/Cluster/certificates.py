"""Certificates of an authority that every process of the cluster trusts, as it trusts a public one."""

import os

from boxes import path, run

# What OpenSSL, curl and the service trust.
SYSTEM = "/etc/ssl/certs/ca-certificates.crt"


class Authority:
    def __init__(self):
        os.makedirs(path("certificates"))
        self.certificate, self.key = path("certificates", "authority.pem"), path("certificates", "authority.key")
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                      "-subj", "/CN=The cluster's authority", "-keyout", self.key, "-out", self.certificate)
        trusted = path("certificates", "trusted.pem")
        with open(trusted, "w", encoding="ascii") as out:
            for name in (SYSTEM, self.certificate):
                with open(name, encoding="ascii") as file:
                    out.write(file.read())
        # Seen in this mount namespace only.
        run("mount", "--bind", trusted, SYSTEM)

    def certificate_of(self, name):
        """A file with the certificate of a box and its key, as HAProxy reads them."""
        key, certificate = path("certificates", f"{name}.key"), path("certificates", f"{name}.crt")
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                      "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
                      "-addext", "basicConstraints=critical,CA:FALSE", "-CA", self.certificate, "-CAkey", self.key,
                      "-keyout", key, "-out", certificate)
        together = path("certificates", f"{name}.pem")
        with open(together, "w", encoding="ascii") as out:
            for part in (certificate, key):
                with open(part, encoding="ascii") as file:
                    out.write(file.read())
        return together

    @staticmethod
    def _openssl(*arguments):
        run("openssl", *arguments)
