import DaylyTesting
import HTTPTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaylyServer

@Suite("A start whose bucket is away")
struct StartGateTests {
    /// Guard: a start without the bucket serves nothing and runs no job before database and bucket were
    /// compared, and then goes on (`StartGate`, `GatedServices`, `Restoring.prepare`)
    @Test("no call and no file is served before the database was compared with the bucket; pages are")
    func closed() async throws {
        let folder = try TemporaryFolder()
        let composition = try await Fixture.composition(in: folder)
        do {
            try await composition.application.test(.router) { client in
                let gated = composition.routes.filter {
                    $0.template.hasPrefix("/v1/") || $0.template.hasPrefix("/files/")
                }
                #expect(gated.count > 100)
                for route in gated {
                    let path = route.template.split(separator: "/").map { part in
                        part.contains(where: "{:*".contains) ? "0198c0de-0000-7000-8000-000000000000" : part
                    }.joined(separator: "/")
                    let answer = try await client.call(route.method, "/" + path, nil, token: "any")
                    #expect(answer.code == "unavailable" && answer.retryAfter == 5, "\(route): \(answer)")
                }
                #expect(try await client.call(.get, "/i/ABC234", nil, token: nil).status == 200)
                #expect(await composition.readiness.failing().contains("restore"))
                composition.gate.open()
                let answer = try await client.call(.get, "/v1/users/me", nil, token: "any")
                #expect(answer.status == 401)
                // An answer of the checks holds for a second.
                try await eventually("no closed gate") {
                    await !composition.readiness.failing().contains("restore")
                }
            }
            await composition.close()
        } catch {
            await composition.close()
            throw error
        }
        withExtendedLifetime(folder) {}
    }
}
