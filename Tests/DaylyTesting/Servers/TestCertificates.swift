import Foundation

/// Certificates of an authority made for one test.
package struct TestCertificates: Sendable {
    /// `ca.pem`, `other-ca.pem` (an authority that signed nothing), `server.key`, and for it `server.pem`, for 127.0.0.1,
    /// and `misnamed.pem`, for another name.
    package let folder: URL

    package struct Failed: Error {}

    /// - Parameter folder: a folder in which `make(in:)` made certificates before.
    package init(folder: URL) {
        self.folder = folder
    }

    package var authority: String { path("ca.pem") }
    package var stranger: String { path("other-ca.pem") }

    package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// - Parameter folder: must exist.
    package static func make(in folder: URL) async throws -> TestCertificates {
        let outcome = try await Shell.run(
            """
            cd "$DIR"
            key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
            for ca in ca other-ca; do
                openssl req -x509 $key -keyout $ca.key -out $ca.pem -subj "/CN=$ca" -days 2 \
                    -addext basicConstraints=critical,CA:TRUE
            done
            openssl req $key -keyout server.key -out server.csr -subj /CN=server
            sign() {
                printf 'subjectAltName=%s\\n' "$2" >names
                openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out "$1" -days 2 \
                    -extfile names
            }
            sign server.pem IP:127.0.0.1
            sign misnamed.pem DNS:elsewhere.example
            chmod 600 ./*.key
            """, environment: ["DIR": folder.path])
        guard outcome.status == 0 else { throw Failed() }
        return TestCertificates(folder: folder)
    }
}
