import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("TLS to the database")
struct TLSTests {
    @Test("a server is believed by its authority and its name, and by nothing less")
    func verifyFull() async throws {
        try await withServer(prepare: { folder in
            let certificates = try await TestCertificates.make(in: folder)
            // The server accepts no key that others can read, or that another user owns.
            let owned = try await Shell.run(
                "[ \"$(id -u)\" != 0 ] || chown postgres \"$KEY\"",
                environment: ["KEY": certificates.path("server.key")])
            #expect(owned.status == 0)
            return "ssl=on ssl_cert_file=\(certificates.path("server.pem")) "
                + "ssl_key_file=\(certificates.path("server.key"))"
        }) { folder, url in
            let certificates = TestCertificates(folder: folder.deletingLastPathComponent())
            func ask(_ url: String) async throws -> Bool? {
                let client = makeClient(url) { $0.acquireTimeout = .seconds(5) }
                do {
                    let answer: Bool? = try await client.first(
                        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")?.get("ssl")
                    await client.close()
                    return answer
                } catch {
                    await client.close()
                    throw error
                }
            }
            let trusting = "?sslmode=verify-full&sslrootcert=\(certificates.authority)"
            let trusted = try await ask(url + trusting)
            #expect(trusted == true)
            let distrust = PostgresError.unavailable(.connecting(.certificateNotAccepted))
            await #expect(throws: distrust) {
                try await ask(url + "?sslmode=verify-full&sslrootcert=\(certificates.stranger)")
            }
            await #expect(throws: distrust) {
                try await ask(url.replacing("@127.0.0.1:", with: "@localhost:") + trusting)
            }
            // Without sslmode=verify-* a client does not check the certificate.
            let blind = try await ask(url + "?sslmode=require")
            #expect(blind == true)
        }
    }

    @Test("a client that asks for TLS does not speak in clear to a server without it")
    func withoutTLS() async throws {
        try await withTestDatabase { database in
            let client = makeClient(database.url + "?sslmode=require") { $0.acquireTimeout = .seconds(5) }
            await #expect(
                throws: PostgresError.unavailable(.connecting(.noTLSAgreement))
            ) { try await client.execute("SELECT 1") }
            await client.close()
        }
    }
}
